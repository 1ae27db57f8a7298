internal import PictureAPI

/// What is looked for in every maker's note, whatever it is called: whether anybody here knows how it is built at all, pictures with
/// metadata of their own, names of coordinates, and the coordinates that the file says elsewhere.
extension TIFFPlaces {
  /// How notes begin that are built as it is known.
  private static let names = [
    "Apple iOS\0", "Nikon\0", "QVC\0", "DCI\0", "FUJIFILM", "GENERALE", "OLYMP\0", "EPSON\0", "OLYMPUS\0",
    "OM SYSTEM\0", "LEICA", "Panasonic\0", "AOC\0", "PENTAX \0", "RICOH\0", "SAMSUNG\0", "SANYO\0", "SIGMA\0",
    "FOVEON\0", "SONY ", "MINOL\0", "KYOCERA",
  ]
  /// Makers whose notes have no name, or several: theirs begin with a directory, or with what is needed to develop a picture.
  private static let makers = [
    "canon", "casio", "nikon", "asahi", "pentax", "ricoh", "sony", "samsung", "panasonic", "leica", "minolta",
    "konica", "olympus", "om digital", "sigma", "hasselblad", "phase one", "leaf", "mamiya", "eastman kodak",
    "kodak",
  ]
  /// Names of coordinates, and of what has some.
  ///
  /// Long ones alone: a note may hold a preview, or what is needed to develop the picture, in which a short one would stand by chance.
  private static let marks = Marks.long + [Array("ExifGPS\0".utf8)]
  /// Pictures that are looked for in one note.
  private static let mostPictures = 16
  /// Places to which something in one note might point.
  private static let mostPointers = 8192

  /// Looks at a note: one of nobody known becomes zeros, and so does one that has, where nobody reads it, what is a place.
  func lookAtNote(_ entry: Entry, _ found: inout FoundPlaces) throws(Untraceable) {
    let note = view[entry.value]
    let start = try note.start(16)
    // Phase One's is the picture itself, with what belongs to it.
    if start.starts(with: "MMMMRaw".utf8)
      || start.starts(with: "IIII".utf8) && start.dropFirst(5).starts(with: "waR".utf8)
    {
      return
    }
    let isKnown =
      Self.names.contains { start.starts(with: $0.utf8) } || Self.makers.contains { make.hasPrefix($0) }
    let bytes = try note.bytes()
    let before = found
    if isKnown, try hasNothingElse(note, bytes, &found) {
      try lookAtPicturesPointedAt(by: bytes, of: entry, &found)
      return try lookAtMakerNote(entry, &found)
    }
    found = before
    try found.empty(note)
  }

  /// Whether there is nothing in it but what is looked at by tags: pictures within are, here.
  private func hasNothingElse(
    _ note: SourceView, _ bytes: [UInt8], _ found: inout FoundPlaces
  ) throws(Untraceable) -> Bool {
    guard let looked = lookAtPictures(within: note, bytes, &found) else { return false }
    func isLookedAt(_ place: Int) -> Bool { looked.contains { $0.contains(place) } }
    for mark in Self.marks {
      var from = 0
      while let range = bytes.firstRange(of: mark, from: from) {
        if !isLookedAt(range.lowerBound) { return false }
        from = range.upperBound
      }
    }
    return !(coordinates?.areThere(in: bytes, skipping: looked) ?? false)
  }

  /// Looks at previews in a note: they have metadata of their own.
  ///
  /// - Returns: where what was looked at lies; nil where one cannot be followed.
  private func lookAtPictures(
    within note: SourceView, _ bytes: [UInt8], _ found: inout FoundPlaces
  ) -> [Range<Int>]? {
    var looked: [Range<Int>] = []
    var from = 0
    while let range = bytes.firstRange(of: [0xFF, 0xD8, 0xFF], from: from) {
      from = range.upperBound
      let start = range.lowerBound
      guard Self.beginsPicture(bytes, start), !looked.contains(where: { $0.contains(start) }) else {
        continue
      }
      let before = found
      guard looked.count < Self.mostPictures,
        let end = try? JPEGPlaces.find(inHeaderOf: note.from(start), &found, depth: depth + 1)
      else { return nil }
      // What never comes to its pixels is none, or a part of one: it is searched as all else is.
      guard let scan = end.scan else {
        found = before
        continue
      }
      // What is coded is searched for nothing.
      let over = bytes.firstRange(of: [0xFF, 0xD9], from: start + scan)?.upperBound
      looked.append(start..<(over ?? start + scan))
    }
    return looked
  }

  /// Whether a segment comes first, of a program's, of tables, or a comment, and another marker behind it.
  private static func beginsPicture(_ bytes: [UInt8], _ start: Int) -> Bool {
    guard bytes.count - start >= 6 else { return false }
    let marker = bytes[start + 3]
    let next = start + 4 + (Int(bytes[start + 4]) << 8 | Int(bytes[start + 5]))
    return ((0xE0...0xEF).contains(marker) || [0xC0, 0xC4, 0xDB, 0xDD, 0xFE].contains(marker))
      && next < bytes.count && bytes[next] == 0xFF
  }

  /// Looks at previews outside of a note, to which it points: from the file's start, from its own, or from behind Nikon's header.
  ///
  /// What looks like an entry of a directory is taken for one, however the directory was come by.
  private func lookAtPicturesPointedAt(
    by bytes: [UInt8], of entry: Entry, _ found: inout FoundPlaces
  ) throws(Untraceable) {
    var seen: Set<Int> = []
    for offset in bytes.indices.dropLast(11) {
      for isBig in [true, false] where Self.isPointer(bytes, offset, isBig) {
        let place = Self.number(bytes, offset + 8, isBig)
        for base in [0, entry.value.lowerBound, entry.value.lowerBound + 10] {
          let start = base + place
          guard place >= 8, !entry.value.contains(start), view.count - start >= 4 else { continue }
          guard seen.insert(start).inserted else { continue }
          // More than any note points at: what is behind the others would not be looked at.
          guard seen.count <= Self.mostPointers else { throw Untraceable() }
          guard try view.start(3, at: start) == [0xFF, 0xD8, 0xFF] else { continue }
          _ = try JPEGPlaces.find(inHeaderOf: view.from(start), &found, depth: depth + 1)
        }
      }
    }
  }

  /// One long number, or many bytes.
  private static func isPointer(_ bytes: [UInt8], _ offset: Int, _ isBig: Bool) -> Bool {
    guard bytes[offset + (isBig ? 2 : 3)] == 0 else { return false }
    return switch bytes[offset + (isBig ? 3 : 2)] {
    case 4, 13: number(bytes, offset + 4, isBig) == 1
    case 1, 7: (65..<1 << 26).contains(number(bytes, offset + 4, isBig))
    default: false
    }
  }

  private static func number(_ bytes: [UInt8], _ offset: Int, _ isBig: Bool) -> Int {
    var number = 0
    for index in 0..<4 { number = number << 8 | Int(bytes[offset + (isBig ? index : 3 - index)]) }
    return number
  }
}
