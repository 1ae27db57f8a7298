internal import PictureAPI

/// What stands behind a picture: a film (motion photos), blocks of Samsung's phones, filling. What is somebody's own becomes zeros.
enum JPEGTrailer {
  /// So far a film is looked for.
  private static let most = 32 << 20
  /// So few bytes are a note that a film is there, and no more.
  private static let fewest = 64

  /// Past zeros, which stand between a file's pictures.
  static func afterFiller(_ view: SourceView) throws(Untraceable) -> SourceView {
    var at = 0
    while at < view.count {
      let block = try view.start(1 << 16, at: at)
      guard let index = block.firstIndex(where: { $0 != 0 }) else {
        at += block.count
        continue
      }
      // A film begins with the length of its first box.
      if block.count - index >= 5, block[(index + 1)...].starts(with: "ftyp".utf8), at + index >= 3 {
        return view.from(at + index - 3)
      }
      return view.from(at + index)
    }
    return view.from(view.count)
  }

  /// Looks through all of it.
  static func find(in view: SourceView, _ found: inout FoundPlaces, depth: Int) throws(Untraceable) {
    let start = try view.start(min(view.count, most))
    guard let mark = start.firstRange(of: Array("ftyp".utf8)), mark.lowerBound >= 4 else {
      return try lookAtRest(view, &found)
    }
    let film = mark.lowerBound - 4
    try lookAtRest(view[0..<film], &found)
    let end = try ISOPlaces.find(inFilmAtStartOf: view.from(film), &found, depth: depth + 1)
    if film + end < view.count { try lookAtRest(view.from(film + end), &found) }
  }

  /// Samsung's blocks, of which nothing is known to be a place but the country that a phone was in; and what is short.
  private static func lookAtRest(_ view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    let end = try view.start(8, at: max(0, view.count - 8))
    let isSamsung = try view.source.endsLikeSamsung && view.count <= most
    guard isSamsung || view.count <= fewest, end.suffix(4) != [0xA1, 0xB2, 0xC3, 0xD4] else {
      return try found.empty(view)
    }
    let bytes = try view.bytes()
    if isSomebodysOwn(bytes) { return try found.empty(view) }
    try forgetCountry(in: view, &found)
  }

  /// The country of the network, which Samsung's blocks say: a number after its name.
  static func forgetCountry(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    let bytes = try view.bytes()
    let mark = Array("MCC_Data".utf8)
    var from = 0
    while let range = bytes.firstRange(of: mark, from: from) {
      from = range.upperBound
      let digits = bytes[from...].prefix { (0x30...0x39).contains($0) }
      if !digits.isEmpty { try found.add(from..<digits.endIndex, of: view, .zeros) }
    }
  }

  /// Whether there is a mark, or one of what holds IPTC's data, whose numbers are none.
  private static func isSomebodysOwn(_ bytes: [UInt8]) -> Bool {
    Marks.isThere(in: bytes) || ["AXS!", "AXS*"].contains { bytes.firstRange(of: Array($0.utf8)) != nil }
  }

  /// How a file ends behind which AXS's file container (AFCP), FotoStation, exiftool (MIE) or Insta360 have put what they know of it.
  private static let ends = [
    Array("AXS!".utf8), Array("AXS*".utf8), [0xA1, 0xB2, 0xC3, 0xD4], Array("zmie~".utf8),
    Array("8db42d694ccc418790edff439fe026bf".utf8),
  ]

  /// Refuses a file with such an end, where it cannot be told where it begins.
  static func refuseEnd(of view: SourceView) throws(Untraceable) {
    let end = try view.start(64, at: max(0, view.count - 64))
    if ends.contains(where: { end.firstRange(of: $0) != nil }) { throw Untraceable() }
  }
}

extension PictureSource {
  /// Whether a file ends as Samsung's phones end theirs.
  fileprivate var endsLikeSamsung: Bool {
    get throws(Untraceable) {
      let end = try bytes(max(0, count - 6)..<count)
      return end.suffix(4).elementsEqual("SEFT".utf8) || end.elementsEqual("QDIOBS".utf8)
    }
  }
}
