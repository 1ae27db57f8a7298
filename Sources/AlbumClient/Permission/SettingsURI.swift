/// Where a desktop opens the owner's settings: `albumd:settings`, or an app's, `albumd:settings/APP`. Whoever opens one learns
/// nothing of the page, and nothing is granted by it (docs/decisions/0128-settings.md).
package struct SettingsURI: Hashable, Sendable {
  /// The app's id as it stands in it, one part of a path; nil for all settings.
  package let app: String?

  /// The most bytes of one.
  package static let limit = 2048
  private static let beginning = "albumd:settings"

  /// Reads one; nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.count <= Self.limit, text.hasPrefix(Self.beginning) else { return nil }
    let rest = text.dropFirst(Self.beginning.count)
    if rest.isEmpty {
      app = nil
      return
    }
    let part = rest.dropFirst()
    guard rest.hasPrefix("/"), Self.isPart(part) else { return nil }
    app = String(part)
  }

  /// The page's path to it, for a user's app.
  package func path(uid: UInt32) -> String { app.map { "/apps/\($0)/\(uid)" } ?? "/apps" }

  /// One part of a path that leads to no other place (RFC 3986, sections 3.3 and 5.2.4).
  private static func isPart(_ text: Substring) -> Bool {
    let bytes = Array(text.utf8)
    var (index, isDots) = (0, true)
    while index < bytes.count {
      var byte = bytes[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, let high = digit(bytes[index + 1]), let low = digit(bytes[index + 2])
        else {
          return false
        }
        byte = high << 4 | low
        guard byte >= 0x20, byte != 0x7F else { return false }
        index += 2
      } else if !isUnreserved(byte) {
        return false
      }
      if byte != UInt8(ascii: ".") { isDots = false }
      index += 1
    }
    return !isDots
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    default: nil
    }
  }
}
