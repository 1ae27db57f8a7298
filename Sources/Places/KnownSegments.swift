internal import PictureAPI

/// Segments of a JPEG for programs (APP0 to APP15), but those of Exif, XMP and Photoshop: what is known to say nothing of a
/// place stays, and what is somebody's own, which nobody here reads, becomes zeros.
///
/// So it need not be known of every maker what it writes there: thermal cameras, action cameras and phones write places.
struct KnownSegments {
  /// By marker, how those begin that stay: how it is shown (JFIF, JPEG XT, gain maps of ISO 21496-1), colours, where more pictures
  /// are, how well it was saved.
  private static let names: [UInt8: [String]] = [
    0xE0: ["JFIF\0", "JFXX\0"], 0xE2: ["ICC_PROFILE\0", "MPF\0", "urn:iso:std:iso:ts:21496:-1\0"],
    0xE8: ["SPIFF\0"], 0xED: ["Adobe_CM"], 0xEB: ["HDR_RI "], 0xEC: ["Ducky"], 0xEE: ["Adobe\0"],
  ]
  /// Of these nothing is searched: numbers, in which a mark would be one by chance.
  private static let numbers = ["ICC_PROFILE\0", "MPF\0"]
  /// What JUMBF's boxes may hold together (ISO/IEC 19566-5).
  private static let longest = 32 << 20

  /// A thermal camera's records.
  private var thermal: SourceView
  private var boxes: [SourceView] = []

  init(_ source: PictureSource) { thermal = SourceView(source, 0..<0) }

  /// Looks at a segment that is none of Exif, XMP and Photoshop.
  ///
  /// - Parameter start: how it begins.
  mutating func note(
    _ marker: UInt8, _ content: SourceView, _ start: [UInt8], _ found: inout FoundPlaces
  ) throws(Untraceable) {
    if marker == 0xEB, start.starts(with: "JP".utf8), content.count >= 16 { return boxes.append(content) }
    if marker == 0xE1, start.starts(with: "FLIR\0".utf8), content.count >= 8 {
      for piece in content.from(8).pieces { thermal.append(piece) }
      return
    }
    guard let name = Self.names[marker]?.first(where: { start.starts(with: $0.utf8) }) else {
      return try found.empty(content)
    }
    if Self.numbers.contains(name) { return }
    if Marks.isThere(in: try content.bytes()) { try found.empty(content) }
  }

  /// Looks at what is spread over segments.
  func finish(_ found: inout FoundPlaces) throws(Untraceable) {
    try ThermalRecords.find(in: thermal, &found)
    if try saysPlace() { for box in boxes { try found.empty(box) } }
  }

  /// Boxes are signed as a whole (C2PA), or nobody knows them: all of them go, or none. What is packed may say anything.
  private func saysPlace() throws(Untraceable) -> Bool {
    guard boxes.reduce(0, { $0 + $1.count }) <= Self.longest else { return true }
    var joined: [UInt8] = []
    // Before each part stand which it is, and the head of the box that it is of.
    for box in boxes { joined += try box.bytes().dropFirst(joined.isEmpty ? 8 : 16) }
    return Credentials.sayPlace(joined)
  }

  /// How a picture is coded, its tables and its size.
  private static let coding = Set(0xC0...0xCF as ClosedRange<UInt8>).union(0xDA...0xDF)

  /// Refuses a segment of something else with a mark. Of one that nobody knows, as a damaged scan has it, some readers skip the length,
  /// and others go on behind the marker: there must be no segment in it either.
  static func refuse(other marker: UInt8, _ content: SourceView) throws(Untraceable) {
    let bytes = try content.bytes()
    if Marks.isThere(in: bytes) { throw Untraceable() }
    if coding.contains(marker) { return }
    for index in bytes.indices.dropLast()
    where bytes[index] == 0xFF && (0xE0...0xEF).contains(bytes[index + 1]) {
      throw Untraceable()
    }
  }

  /// What somebody has written to a picture (COM) is theirs, but not what a device has that knows where it is.
  static func blank(comment: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    if Marks.sayCoordinates(try comment.bytes()) { try found.add(0..<comment.count, of: comment, .blanks) }
  }
}

/// Content credentials (C2PA), and other boxes of JUMBF.
enum Credentials {
  /// Vocabularies of metadata, in which a city is no mark; and what is packed, which may say anything.
  private static let vocabularies = ["exif:", "photoshop:", "Iptc4xmp", "brob"].map { Array($0.utf8) }

  /// Whether they may say a place.
  static func sayPlace(_ bytes: [UInt8]) -> Bool {
    Marks.isThere(in: bytes) || vocabularies.contains { bytes.firstRange(of: $0) != nil }
  }
}
