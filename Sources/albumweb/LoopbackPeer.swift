internal import AlbumWeb
internal import CLinux
internal import Glibc
internal import NIOCore
internal import Synchronization

/// Whose process is at the other end of a connection of this computer's (S61). A cookie that somebody else has come by is
/// of no use to him then: cookies know no ports, and a port is anybody's who takes it first.
enum LoopbackPeer {
  /// Whether sock_diag(7) has ever told of a socket here. Until then a kernel without it is asked for its table.
  private static let hasDiagnosis = Atomic(false)

  /// The user whose socket the other end is; nil where nobody has it any more, or it cannot be told.
  ///
  /// - Parameters:
  ///   - remote: the other end.
  ///   - local: this end.
  static func user(_ remote: SocketAddress?, _ local: SocketAddress?) -> UInt32? {
    guard let remote, let local, let theirs = SocketEnd(remote), let ours = SocketEnd(local),
      theirs.family == ours.family
    else { return nil }
    var uid: uid_t = 0
    if linux_tcp_owner(theirs.family, theirs.diagnosed, ours.diagnosed, &uid) == 0 {
      hasDiagnosis.store(true, ordering: .relaxed)
      return uid
    }
    // The table takes as long as there are sockets: it is read only where nothing else tells.
    guard !hasDiagnosis.load(ordering: .relaxed) else { return nil }
    return user(from: theirs.text, to: ours.text, in: theirs.family == AF_INET ? "tcp" : "tcp6")
  }

  private static func user(from local: String, to remote: String, in table: String) -> UInt32? {
    guard let file = fopen("/proc/self/net/\(table)", "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, CInt(line.count), file) != nil {
      let row = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if let uid = SocketTable.owner(row, from: local, to: remote) { return uid }
    }
    return nil
  }
}

/// One end of a connection.
struct SocketEnd {
  let family: CInt
  /// Of its address, the first first.
  let bytes: [UInt8]
  private let port: UInt16

  init?(_ address: SocketAddress) {
    guard let text = address.ipAddress, let port = address.port else { return nil }
    let size: Int
    switch address {
    case .v4: (family, size) = (AF_INET, 4)
    case .v6: (family, size) = (AF_INET6, 16)
    case .unixDomainSocket: return nil
    }
    var bytes = [UInt8](repeating: 0, count: size)
    guard inet_pton(family, text, &bytes) == 1 else { return nil }
    self.bytes = bytes
    self.port = UInt16(port)
  }

  var diagnosed: linux_tcp_end {
    var end = linux_tcp_end()
    end.port = port
    withUnsafeMutableBytes(of: &end.address) { $0.copyBytes(from: bytes) }
    return end
  }

  /// As the table has it: each four bytes as a number of the processor's, and the port.
  var text: String {
    let words = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<(start + 4)].withUnsafeBytes { Self.hexadecimal($0.loadUnaligned(as: UInt32.self), 8) }
    }
    return words.joined() + ":" + Self.hexadecimal(UInt32(port), 4)
  }

  private static func hexadecimal(_ number: UInt32, _ digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
