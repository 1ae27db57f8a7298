/// Where the page is served: a Unix socket or a loopback address, and nothing else (S61).
package enum ListenAddress: Hashable, Sendable {
  /// A path.
  case unix(String)
  /// 127.0.0.0/8 or ::1, and a port; 0 is any free one.
  case loopback(host: String, port: Int)

  /// Why an address is none to listen on.
  package struct Problem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence.
    package let description: String
  }

  /// Reads `unix:PATH`, `127.0.0.1:PORT` or `[::1]:PORT`.
  package init(_ text: String) throws(Problem) {
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
    var host = String(text[..<colon])
    if host == "[::1]" { host = "::1" }
    guard host == "::1" || Self.isLoopback(host) else {
      throw Problem(
        description: """
          \(host) is no loopback address. The page is shown to this computer only; to others by a web server with a \
          certificate, which speaks to it at unix:PATH (see --origin).
          """)
    }
    self = .loopback(host: host, port: port)
  }

  /// Four numbers, of which the first is 127 (RFC 1122, section 3.2.1.3). No name: who answers for a name is another
  /// question.
  private static func isLoopback(_ host: String) -> Bool {
    let parts = host.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts[0] == "127"
      && parts.allSatisfy { part in
        (1...3) ~= part.utf8.count && part.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
          && UInt8(part) != nil
      }
  }
}
