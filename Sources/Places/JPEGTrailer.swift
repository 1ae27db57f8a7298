internal import PictureAPI

/// What phones append to a JPEG: a film (motion photos), blocks of their own (Samsung's), filling.
enum JPEGTrailer {
  /// More than that of anything else is not looked through.
  private static let most = 32 << 20

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
      guard view.count <= most else { throw Untraceable() }
      return try lookAtRest(view, &found)
    }
    let film = mark.lowerBound - 4
    try lookAtRest(view[0..<film], &found)
    let end = try ISOPlaces.find(inFilmAtStartOf: view.from(film), &found, depth: depth + 1)
    if film + end < view.count { try lookAtRest(view.from(film + end), &found) }
  }

  /// Blocks that are the makers' own: nothing in them is known to be a place, but for the country that a phone was in.
  private static func lookAtRest(_ view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    try Marks.refuse(view)
    let bytes = try view.bytes()
    try refuseData(bytes)
    let mark = Array("MCC_Data".utf8)
    var from = 0
    while let range = bytes.firstRange(of: mark, from: from) {
      from = range.upperBound
      let digits = bytes[from...].prefix { (0x30...0x39).contains($0) }
      if !digits.isEmpty { try found.add(from..<digits.endIndex, of: view, .zeros) }
    }
  }

  /// AXS's file container (AFCP) and FotoStation put IPTC's data behind a picture, whose numbers are no mark by themselves.
  private static func refuseData(_ bytes: [UInt8]) throws(Untraceable) {
    let isContainer = ["AXS!", "AXS*"].contains { bytes.firstRange(of: Array($0.utf8)) != nil }
    // Of ten bytes at the end, the last four.
    let isFotoStation = bytes.suffix(4).elementsEqual([0xA1, 0xB2, 0xC3, 0xD4])
    if isContainer || isFotoStation { throw Untraceable() }
  }
}
