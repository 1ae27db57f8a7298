/// The names under which a browser may speak of the page: another one in `Host` is DNS rebinding, another one in
/// `Origin` another page (S61).
package struct SiteNames: Hashable, Sendable {
  /// Whether what a browser sends is encrypted on its way.
  package let isSecure: Bool
  /// What links begin with, such as `http://127.0.0.1:7575`.
  package let address: String
  /// The same, by a name that nobody guesses: what browsers are let in by. At a loopback address they send a cookie to every
  /// port, so to any program of this computer; but to no other name (docs/decisions/0127-a-name-nobody-guesses.md).
  package let ownAddress: String
  private let hosts: Set<String>

  /// Of a loopback address.
  ///
  /// - Parameter label: what nobody guesses, for beneath `localhost`, which browsers know to be this computer (RFC 6761,
  ///   section 6.3).
  package init(host: String, port: Int, label: HostLabel) {
    let hosts = [
      "\(host == "::1" ? "[::1]" : host):\(port)", "localhost:\(port)", "\(label.text).localhost:\(port)",
    ]
    isSecure = false
    address = "http://\(hosts[0])"
    ownAddress = "http://\(hosts[2])"
    // Browsers leave the usual port out.
    self.hosts = Set(hosts + (port == 80 ? hosts.map { String($0.dropLast(3)) } : []))
  }

  /// Of what a web server before it is called: `https://photos.example.org`.
  ///
  /// - Returns: nil for what is no such address.
  package init?(origin: String) {
    guard let scheme = ["https://", "http://"].first(where: origin.hasPrefix) else { return nil }
    let host = origin.dropFirst(scheme.count).lowercased()
    guard !host.isEmpty, host.utf8.count <= 255, host.utf8.allSatisfy(Self.mayBeInHost) else { return nil }
    isSecure = scheme == "https://"
    address = scheme + host
    ownAddress = address
    hosts = [host]
  }

  /// Whether a `Host` is one of them. More than one `Host`, or none, is none.
  package func isHost(_ values: [String]) -> Bool {
    values.count == 1 && hosts.contains(values[0].lowercased())
  }

  /// Whether an `Origin` is one of them.
  package func isOrigin(_ value: String) -> Bool {
    let scheme = isSecure ? "https://" : "http://"
    return value.hasPrefix(scheme) && hosts.contains(value.dropFirst(scheme.count).lowercased())
  }

  private static func mayBeInHost(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
      UInt8(ascii: "-"), UInt8(ascii: ":"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
