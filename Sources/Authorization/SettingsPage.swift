/// Where an owner's settings are opened: what an app may be told of that (rule S15).
///
/// The page's own address at a loopback port, with the label that nobody guesses, is not among it
/// (docs/decisions/0128-settings.md).
package enum SettingsPage: Hashable, Sendable {
  /// By the desktop of the user whose page it is: `albumd:settings`.
  case desktop
  /// At an address with a certificate, such as `https://photos.example.org`.
  case origin(String)

  /// The most bytes of an origin.
  package static let originLimit = 255
  /// The most bytes of an address: what is longer leads to all settings, not to the app's.
  package static let addressLimit = 2048

  /// Such an origin as a peer says it: `https://`, a name or a number in lower case, and a port or none; nil for anything else.
  package init?(origin: String) {
    let scheme = "https://"
    guard origin.utf8.count <= Self.originLimit, origin.hasPrefix(scheme) else { return nil }
    let parts = origin.dropFirst(scheme.count).split(separator: ":", omittingEmptySubsequences: false)
    guard let host = parts.first, !host.isEmpty, host.utf8.allSatisfy(Self.isInName) else { return nil }
    guard !host.hasPrefix("."), !host.hasPrefix("-") else { return nil }
    if parts.count > 1 {
      guard parts.count == 2, (1...5) ~= parts[1].utf8.count, parts[1].utf8.allSatisfy(Self.isDigit) else {
        return nil
      }
    }
    self = .origin(origin)
  }

  /// Where the settings of an app are.
  ///
  /// - Parameter app: with the user who runs it.
  package func address(of app: AppKey) -> String {
    let (all, one) =
      switch self {
      case .desktop: ("albumd:settings", "albumd:settings/\(escaped(app.appID))")
      case .origin(let origin): ("\(origin)/apps", "\(origin)/apps/\(escaped(app.appID))/\(app.uid)")
      }
    return one.utf8.count <= Self.addressLimit ? one : all
  }

  private static func isInName(_ byte: UInt8) -> Bool {
    isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "z")) ~= byte || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "-")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")) ~= byte }
}

/// The text as one part of a path (RFC 3986, section 2.3).
private func escaped(_ text: String) -> String {
  var result = ""
  for byte in text.utf8 {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      result.unicodeScalars.append(Unicode.Scalar(byte))
    default:
      let digits = String(byte, radix: 16, uppercase: true)
      result += "%" + (digits.count == 1 ? "0" : "") + digits
    }
  }
  return result
}
