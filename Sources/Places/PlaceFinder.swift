internal import Glibc
package import PictureAPI

/// What of a file says where it was taken (S56): found without any library, in every format that is followed to its end.
package enum PlaceFinder {
  /// What to overwrite, so that the file says no place: in order, each byte once. Nothing where it says none.
  ///
  /// - Throws: ``Untraceable``.
  package static func overwritings(in source: PictureSource) throws(Untraceable) -> [Overwriting] {
    let found = try look(at: source)
    if found.isEmpty { return [] }
    // What is left says no place either, however it was put together.
    guard try look(at: source.overwritten(by: found)).isEmpty else { throw Untraceable() }
    return found
  }

  private static func look(at source: PictureSource) throws(Untraceable) -> [Overwriting] {
    var found = FoundPlaces()
    let file = SourceView(source)
    switch try Format(file) {
    case .jpeg: try JPEGPlaces.find(in: file, &found)
    case .tiff:
      try JPEGTrailer.refuseEnd(of: file)
      try TIFFPlaces.find(in: file, &found)
    case .png: try PNGPlaces.find(in: file, &found)
    case .webp: try WebPPlaces.find(in: file, &found)
    case .boxes: try ISOPlaces.find(in: file, &found)
    case .xmp: try XMPPlaces.find(in: file, &found)
    case nil: throw Untraceable()
    }
    return try found.inOrder()
  }

  /// What is followed, by how it begins: never by its name.
  private enum Format {
    case jpeg, png, webp
    /// And DNG, and most makers' RAW.
    case tiff
    /// HEIC, AVIF, MP4, QuickTime.
    case boxes
    /// A sidecar.
    case xmp

    init?(_ file: SourceView) throws(Untraceable) {
      let start = try file.start(12)
      func has(_ bytes: [UInt8], at offset: Int = 0) -> Bool { start.dropFirst(offset).starts(with: bytes) }
      func says(_ text: String, at offset: Int = 0) -> Bool { has(Array(text.utf8), at: offset) }
      if has([0xFF, 0xD8, 0xFF]) {
        self = .jpeg
      } else if TIFFPlaces.headers.contains(where: { has($0) }) {
        self = .tiff
      } else if has([0x89, 0x50, 0x4E, 0x47]) {
        self = .png
      } else if says("RIFF"), says("WEBP", at: 8) {
        self = .webp
      } else if ["ftyp", "moov", "mdat", "wide", "free", "skip", "pnot"].contains(where: { says($0, at: 4) })
      {
        self = .boxes
      } else if try Self.isXMP(file) {
        self = .xmp
      } else {
        return nil
      }
    }

    /// A packet of XMP, which may stand in a document of XML.
    private static func isXMP(_ file: SourceView) throws(Untraceable) -> Bool {
      var start = try file.start(1024)[...]
      if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
      if start.starts(with: "<x:xmpmeta".utf8) || start.starts(with: "<?xpacket".utf8) { return true }
      return start.starts(with: "<?xml".utf8)
        && Array(start).firstRange(of: Array("<x:xmpmeta".utf8)) != nil
    }
  }
}

/// What says that bytes nobody here reads may hold a place: the marks by which others would know.
enum Marks {
  private static let marks =
    [
      "Exif\0", "ns.adobe.com/", "GPSL", "GPSI", "GPSV", "GPS5", "GPS9", "GPSU", "gps_", "GpsL", "gpsL",
      "atitude",
      "ATITUDE", "ongitude", "ONGITUDE", "loci", "location", "Location", "<x:xmpmeta", "8BIM", "ISO6709",
      "II*\0", "MM\0*", "ExifGPS",
      // What receivers say (NMEA 0183), and dash cameras write around it.
      "$GPRMC", "$GNRMC", "$GPGGA", "$GNGGA", "freeGPS ", "LIGOGPS",
    ].map { Array($0.utf8) } + [Array("\u{A9}xyz".unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })]
  /// More than that is not looked through.
  private static let most = 32 << 20

  /// Refuses bytes with such a mark.
  static func refuse(_ view: SourceView) throws(Untraceable) {
    guard view.count <= most else { throw Untraceable() }
    if isThere(in: try view.bytes()) { throw Untraceable() }
  }

  /// What is long enough to be no chance among many bytes: metadata, names of coordinates, what receivers say.
  static let long =
    [
      "Exif\0\0", "ns.adobe.com/", "<x:xmpmeta", "atitude", "ATITUDE", "ongitude", "ONGITUDE",
    ].map { Array($0.utf8) } + logged
  /// What dash cameras log (NMEA 0183, and their own blocks).
  static let logged = [
    "$GPRMC", "$GNRMC", "$GLRMC", "$GARMC", "$GBRMC", "$GPGGA", "$GNGGA", "$GLGGA", "$GAGGA", "$GBGGA",
    "freeGPS ", "LIGOGPSINFO",
  ].map { Array($0.utf8) }
  private static let piece = 1 << 20

  /// Whole files that layers are made of, in Photoshop's documents and, backwards, in TIFF: each may say anything.
  static let linkedFiles = ["8BIMlnkD", "8BIMlnkE", "8BIMlnk2", "8BIMlnk3"].flatMap { mark in
    [Array(mark.utf8), Array(mark.utf8.prefix(4).reversed()) + Array(mark.utf8.suffix(4).reversed())]
  }

  /// Empties what is long and has such a mark, or one of others.
  static func empty(
    _ view: SourceView, and others: [[UInt8]] = [], _ found: inout FoundPlaces
  ) throws(Untraceable) {
    if try isThere(long + others, in: view) { try found.empty(view) }
  }

  /// Whether one of these marks is there: of a view that may be long.
  static func isThere(_ marks: [[UInt8]], in view: SourceView) throws(Untraceable) -> Bool {
    var at = 0
    while at < view.count {
      // A mark may lie on the border of two pieces.
      let start = max(0, at - 32)
      let bytes = try view.start(piece + at - start, at: start)
      if !bytes.isZero, marks.contains(where: { bytes.firstRange(of: $0) != nil }) { return true }
      at += piece
    }
    return false
  }

  private static let coordinates = ["GPS", "atitude", "ATITUDE", "ongitude", "ONGITUDE"].map {
    Array($0.utf8)
  }

  /// Whether a text says coordinates by their names, in one or two bytes a character. "Location" alone is a word.
  static func sayCoordinates(_ text: [UInt8]) -> Bool {
    let narrow = text.contains(0) ? text.filter { $0 != 0 } : text
    return coordinates.contains { narrow.firstRange(of: $0) != nil }
  }

  /// The same of a text that may be bytes in letters, in which three of them are there by chance.
  static func sayCoordinates(_ text: ArraySlice<UInt8>) -> Bool {
    if text.count <= 4096 { return sayCoordinates(Array(text)) }
    let text = Array(text)
    return coordinates.contains { $0.count > 3 && text.firstRange(of: $0) != nil }
  }

  /// Whether there is one.
  static func isThere(in bytes: [UInt8]) -> Bool { marks.contains { bytes.firstRange(of: $0) != nil } }
}

extension [UInt8] {
  /// Where these bytes are first, from there on.
  func firstRange(of pattern: [UInt8], from start: Int = 0) -> Range<Int>? {
    guard let first = pattern.first, start >= 0, start <= count - pattern.count else { return nil }
    return withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress else { return nil }
      var offset = start
      while offset <= bytes.count - pattern.count {
        guard let found = memchr(base + offset, CInt(first), bytes.count - pattern.count - offset + 1) else {
          return nil
        }
        offset = UnsafeRawPointer(found) - base
        if memcmp(base + offset, pattern, pattern.count) == 0 { return offset..<offset + pattern.count }
        offset += 1
      }
      return nil
    }
  }
}
