internal import PictureAPI

/// Places in a packet of XMP (ISO 16684-1): attributes and elements by what they are called, whatever the prefix.
///
/// They are overwritten with spaces, which is what separates attributes and elements: what is left is well-formed. A packet
/// that is not, is overwritten whole; others may be more lenient with it than this is.
enum XMPPlaces {
  /// The longest packet that is looked at.
  private static let longest = 32 << 20

  static func find(in view: SourceView, _ found: inout FoundPlaces) throws(Untraceable) {
    guard view.count <= longest else { throw Untraceable() }
    let text = try view.bytes()
    // In two or four bytes a character, as XMP may be and nobody writes it.
    let isWide =
      text.starts(with: [0xFE, 0xFF]) || text.starts(with: [0xFF, 0xFE]) || text.prefix(64).contains(0)
    var scanner = XMPScanner(text)
    if !isWide, scanner.scan() {
      for range in scanner.places { try found.add(range, of: view, .blanks) }
    } else if text.contains(where: { $0 != 0x20 }) {
      try found.add(0..<view.count, of: view, .blanks)
    }
  }

  /// Whether a name without its prefix is that of a place: `exif:GPSLatitude`, `photoshop:City`,
  /// `Iptc4xmpCore:Location`, `Iptc4xmpExt:LocationCreated`, `drone-dji:GpsLatitude` and their like.
  ///
  /// - Parameter prefix: of the name; empty where it has none.
  static func isPlace(_ name: ArraySlice<UInt8>, prefix: ArraySlice<UInt8> = []) -> Bool {
    if XMPVocabularies.prefixes.contains(String(decoding: prefix, as: UTF8.self)) { return true }
    let name = String(decoding: name, as: UTF8.self)
    if names.contains(name) || XMPVocabularies.names.contains(name) { return true }
    let lower = name.lowercased()
    return ["gps", "geotate", "geologicalcontext"].contains { lower.hasPrefix($0) }
      || ["latitude", "longitude", "longtitude", "altitude", "location"].contains { lower.contains($0) }
  }

  private static let names: Set = [
    "City", "State", "Country", "CountryCode", "CountryName", "ProvinceState", "Sublocation", "SubLocation",
    "WorldRegion", "ProvinceName", "ProvinceCode", "PlaceName", "GeoTag", "Geotag",
    // W3C's Basic Geo: `geo:lat`.
    "lat", "long", "lon", "lng",
  ]
}

/// Goes through XML once, as far as a place can be in it.
private struct XMPScanner {
  private let text: [UInt8]
  private var at = 0
  /// Open elements, and where the outermost one begins that is a place.
  private var open: [ArraySlice<UInt8>] = []
  private var placeStart: (depth: Int, start: Int)?
  /// Where the last tag of an element ended. Comments and the like are within a text.
  private var textStart = 0
  private(set) var places: [Range<Int>] = []

  init(_ text: [UInt8]) { self.text = text }

  /// - Returns: whether it is well-formed as far as elements and attributes go.
  mutating func scan() -> Bool {
    while at < text.count {
      guard text[at] == UInt8(ascii: "<") else {
        at += 1
        continue
      }
      let isTag = !has("<!") && !has("<?")
      if isTag, !has("</") { look(at: textStart..<at) }
      guard markup() else { return false }
      if isTag || open.isEmpty { textStart = at }
    }
    return open.isEmpty
  }

  private func has(_ mark: String) -> Bool { text[at...].starts(with: mark.utf8) }

  /// Past what is no element. Where something in it looks like one, its end may be that of another: readers that are
  /// more lenient find elements in there.
  private mutating func skip(past end: String) -> Bool {
    guard let range = text.firstRange(of: Array(end.utf8), from: at),
      !text[(at + 1)..<range.lowerBound].contains(UInt8(ascii: "<"))
    else { return false }
    at = range.upperBound
    return true
  }

  private mutating func markup() -> Bool {
    let start = at
    if has("<!--") { return skip(past: "-->") }
    if has("<![CDATA[") {
      at += 8
      return skip(past: "]]>")
    }
    if has("<?") { return skip(past: "?>") }
    // A document type can give names to anything.
    if has("<!") { return false }
    if has("</") { return endTag() }
    return startTag(start)
  }

  private mutating func name() -> ArraySlice<UInt8> {
    let start = at
    while at < text.count, !Self.endsName.contains(text[at]) { at += 1 }
    return text[start..<at]
  }

  private static let endsName = Set(" \t\r\n/>=<\"'".utf8)

  private mutating func skipSpace() -> Bool {
    let start = at
    while at < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[at]) { at += 1 }
    return at > start
  }

  private mutating func endTag() -> Bool {
    let content = textStart..<at
    at += 2
    let name = name()
    _ = skipSpace()
    guard at < text.count, text[at] == UInt8(ascii: ">"), let last = open.popLast(), last == name else {
      return false
    }
    at += 1
    if placeStart == nil, XMPVocabularies.pictures.contains(String(decoding: Self.local(last), as: UTF8.self))
    {
      lookAtPicture(last)
    }
    look(at: content)
    close()
    return true
  }

  /// What somebody, or a program, has written about it.
  private mutating func look(at content: Range<Int>) {
    if placeStart == nil, Marks.sayCoordinates(text[content]) { places.append(content) }
  }

  /// An element ends here that may be a picture as text.
  private mutating func lookAtPicture(_ name: ArraySlice<UInt8>) {
    guard let start = text[name.endIndex..<at].firstIndex(of: UInt8(ascii: ">")),
      let end = text[start..<at].lastIndex(of: UInt8(ascii: "<"))
    else { return }
    if end > start, XMPVocabularies.saysPlace(picture: text[(start + 1)..<end]) {
      places.append(name.startIndex - 1..<at)
    }
  }

  /// An element ends here.
  private mutating func close() {
    guard let place = placeStart, open.count == place.depth else { return }
    places.append(place.start..<at)
    placeStart = nil
  }

  private mutating func startTag(_ start: Int) -> Bool {
    at += 1
    let element = name()
    guard !element.isEmpty else { return false }
    if placeStart == nil, Self.isPlace(element) { placeStart = (open.count, start) }
    while true {
      let hasSpace = skipSpace()
      guard at < text.count else { return false }
      if text[at] == UInt8(ascii: ">") {
        at += 1
        open.append(element)
        return open.count <= 256
      }
      if has("/>") {
        at += 2
        close()
        return true
      }
      guard hasSpace, attribute() else { return false }
    }
  }

  private mutating func attribute() -> Bool {
    let start = at
    let attribute = name()
    guard !attribute.isEmpty else { return false }
    _ = skipSpace()
    guard at < text.count, text[at] == UInt8(ascii: "=") else { return false }
    at += 1
    _ = skipSpace()
    guard at < text.count, text[at] == UInt8(ascii: "\"") || text[at] == UInt8(ascii: "'") else {
      return false
    }
    let quote = text[at]
    at += 1
    guard let end = text[at...].firstIndex(of: quote) else { return false }
    let value = text[at..<end]
    guard !value.contains(UInt8(ascii: "<")) else { return false }
    at = end + 1
    // Names of namespaces may be like those of places, and are none.
    guard placeStart == nil, !attribute.starts(with: "xmlns".utf8) else { return true }
    let isPicture = XMPVocabularies.pictures.contains(String(decoding: Self.local(attribute), as: UTF8.self))
    if Self.isPlace(attribute) || isPicture && XMPVocabularies.saysPlace(picture: value)
      || Marks.sayCoordinates(value)
    {
      places.append(start..<at)
    }
    return true
  }

  private static func isPlace(_ name: ArraySlice<UInt8>) -> Bool {
    let local = Self.local(name)
    return XMPPlaces.isPlace(local, prefix: name[..<local.startIndex].dropLast())
  }

  private static func local(_ name: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
  }
}
