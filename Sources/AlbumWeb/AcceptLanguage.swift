/// The languages that a browser's person reads, best first (RFC 9110, section 12.5.4).
package enum AcceptLanguage {
  /// Reads the header. At most sixteen are kept; a language that is refused (`q=0`) is none.
  package static func tags(_ header: String) -> [String] {
    var found: [(tag: String, weight: Double, place: Int)] = []
    for part in header.split(separator: ",").prefix(16) {
      let pieces = part.split(separator: ";").map { $0.drop { $0 == " " } }
      guard let tag = pieces.first.map({ $0.prefix { $0 != " " } }), !tag.isEmpty, tag.utf8.count <= 35,
        tag.utf8.allSatisfy(isPlain)
      else { continue }
      let weight = pieces.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
      if weight > 0 { found.append((String(tag), weight, found.count)) }
    }
    return found.sorted { ($1.weight, $0.place) < ($0.weight, $1.place) }.map(\.tag)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
