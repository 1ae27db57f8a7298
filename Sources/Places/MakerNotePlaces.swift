internal import PictureAPI

/// Places in makers' notes, where it is known how they are built: what Panasonic's cameras with a map call a place, and Nikon's.
///
/// Source: what exiftool and libexiv2 read; their makers have published nothing.
extension TIFFPlaces {
  /// Panasonic's names of a location, a country, a state, a city and a landmark, and of a town.
  private static let panasonic: Set = [0x67, 0x69, 0x6B, 0x6D, 0x6F, 0x80]
  /// Nikon's: the code of a country, and what is there.
  private static let nikon = 0x39

  /// Looks at a note as the entry of a directory has it.
  func lookAtMakerNote(_ entry: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    let note = view[entry.value]
    // It goes on as a directory of the whole.
    var start: Int?
    if try note.has("Panasonic\0") { start = entry.value.lowerBound + 12 }
    if try note.has("LEICA\0\0\0") { start = entry.value.lowerBound + 8 }
    if let start {
      for value in try entries(of: start) where Self.panasonic.contains(value.tag) {
        try erase(value.value, &found, of: entry)
      }
    } else if try note.has("Nikon\0") {
      let start = entry.value.lowerBound + 10
      guard start < entry.value.upperBound else { return }
      for value in try Self.values(of: Self.nikon, in: view[start..<entry.value.upperBound]) {
        try erase(value.lowerBound + start..<value.upperBound + start, &found, of: entry)
      }
    }
  }

  /// A name that says something becomes none: cameras without a map write zeros, blanks or strokes.
  private func erase(
    _ value: Range<Int>, _ found: inout FoundPlaces, of note: Entry
  ) throws(Untraceable) {
    guard try view[value].bytes().contains(where: { ![0, 0x20, 0x2D].contains($0) }) else { return }
    // Where programs have moved the note, nobody knows where its values are now, and whose these are.
    guard note.value.lowerBound <= value.lowerBound, value.upperBound <= note.value.upperBound else {
      throw Untraceable()
    }
    try found.add(value, of: view, .zeros)
  }
}
