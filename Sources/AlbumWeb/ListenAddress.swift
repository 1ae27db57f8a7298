/// Where the page is served: a Unix socket or a loopback address, and nothing else unless it has a certificate (S61).
package enum ListenAddress: Hashable, Sendable {
  /// A path.
  case unix(String)
  /// 127.0.0.0/8 or ::1, and a port; 0 is any free one.
  case loopback(host: String, port: Int)
  /// An address that other computers reach, or all of this one's, and a port: with a certificate only.
  case network(host: String, port: Int)

  /// Why an address is none to listen on.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence.
    package let description: String
  }

  /// Reads `unix:PATH`, `127.0.0.1:PORT` or `[::1]:PORT`; with a certificate any `ADDRESS:PORT` or `[ADDRESS]:PORT`.
  package init(_ text: String, hasCertificate: Bool) throws(Problem) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst("unix:".count)
      guard path.hasPrefix("/"), path.utf8.count <= 107 else {
        throw Problem(description: "\(path) is no absolute path of a socket (107 bytes at most).")
      }
      self = .unix(String(path))
      return
    }
    guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]),
      0...65_535 ~= port
    else { throw Problem(description: "\(text) is no address: unix:PATH, 127.0.0.1:PORT or [::1]:PORT.") }
    let host = String(text[..<colon])
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    let bare = isBracketed ? String(host.dropFirst().dropLast()) : host
    if isBracketed ? bare == "::1" : Self.isLoopback(bare) {
      self = .loopback(host: bare, port: port)
    } else if hasCertificate, isBracketed ? Self.isNumeric6(bare) : Self.isNumeric(bare) {
      self = .network(host: bare, port: port)
    } else {
      throw Problem(
        description: hasCertificate
          ? "\(host) is no address of numbers, such as 0.0.0.0, 192.168.1.2 or [::]."
          : """
          \(host) is no loopback address. The page is shown to this computer only; to others with a certificate \
          (see --certificate), or by a web server that has one and speaks to the page at unix:PATH (see --origin).
          """)
    }
  }

  /// What may be in an address of version 6 (RFC 4291, section 2.2); whether it is one is seen when it is listened at.
  private static func isNumeric6(_ host: String) -> Bool {
    host.utf8.count <= 45 && host.contains(":")
      && host.utf8.allSatisfy { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") || Self.isHexadecimal($0) }
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
      UInt8(ascii: "A")...UInt8(ascii: "F"):
      true
    default: false
    }
  }

  /// Four numbers, of which the first is 127 (RFC 1122, section 3.2.1.3). No name: who answers for a name is another
  /// question.
  private static func isLoopback(_ host: String) -> Bool { isNumeric(host) && host.hasPrefix("127.") }

  private static func isNumeric(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4
      && parts.allSatisfy { part in
        (1...3) ~= part.utf8.count && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
          && UInt8(part) != nil
      }
  }
}
