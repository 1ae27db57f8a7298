/// Where a link that lets a browser in leads to (S61): the page, its apps, or one of them, and nowhere else, whatever the
/// link says.
package struct EntryPlace: Hashable, Sendable {
  /// A path of this page.
  package let path: String

  /// - Parameter wish: what the link says, if anything.
  package init(_ wish: String?) { path = wish.flatMap { Self.isPlace($0) ? $0 : nil } ?? "/" }

  private static func isPlace(_ path: String) -> Bool {
    if path == "/apps" { return true }
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    guard path.utf8.count <= 4096, parts.count == 4, parts[0].isEmpty, parts[1] == "apps", !parts[2].isEmpty,
      parts[2].utf8.allSatisfy(isInPart), UInt32(parts[3]) != nil, parts[3].utf8.allSatisfy(isDigit)
    else { return false }
    // A browser takes both for the folder above (URL Standard, "double-dot path segment").
    let plain = parts[2].lowercased().replacing("%2e", with: ".")
    return plain != "." && plain != ".."
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }

  private static func isInPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "-"),
      UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"):
      true
    default: isDigit(byte)
    }
  }
}
