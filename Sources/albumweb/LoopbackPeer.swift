internal import Glibc
internal import NIOCore

/// Whose process is at the other end of a connection of this computer's (S61): the kernel's table says it (proc(5),
/// `net/tcp`). A cookie that somebody else has come by is of no use to him then: cookies know no ports, and a port is
/// anybody's who takes it first.
enum LoopbackPeer {
  /// Whether it is this user's process, or root's.
  ///
  /// - Parameters:
  ///   - remote: the other end.
  ///   - local: this end.
  static func isOwn(_ remote: SocketAddress?, _ local: SocketAddress?) -> Bool {
    guard let theirs = remote.flatMap(entry), let ours = local.flatMap(entry), theirs.table == ours.table,
      let uid = uid(from: theirs.text, to: ours.text, in: "/proc/self/net/\(theirs.table)")
    else { return false }
    return uid == geteuid() || uid == 0
  }

  /// The user of the row of the other end.
  private static func uid(from local: String, to remote: String, in path: String) -> UInt32? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 512)
    while fgets(&line, CInt(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let columns = text.split(whereSeparator: \.isWhitespace)
      // sl local_address rem_address st tx_queue:rx_queue tr:tm->when retrnsmt uid
      guard columns.count > 7, columns[1] == local, columns[2] == remote else { continue }
      return UInt32(columns[7])
    }
    return nil
  }

  /// An address as the table has it: each four bytes as a number of the processor's, and the port.
  private static func entry(_ address: SocketAddress) -> (table: String, text: String)? {
    guard let text = address.ipAddress, let port = address.port else { return nil }
    let (table, family, count) =
      switch address {
      case .v4: ("tcp", AF_INET, 4)
      case .v6: ("tcp6", AF_INET6, 16)
      case .unixDomainSocket: ("", AF_UNIX, 0)
      }
    var bytes = [UInt8](repeating: 0, count: 16)
    guard count > 0, inet_pton(family, text, &bytes) == 1 else { return nil }
    bytes.removeLast(16 - count)
    let words = stride(from: 0, to: bytes.count, by: 4).map { start in
      bytes[start..<(start + 4)].withUnsafeBytes { hexadecimal($0.loadUnaligned(as: UInt32.self), 8) }
    }
    return (table, words.joined() + ":" + hexadecimal(UInt32(port), 4))
  }

  private static func hexadecimal(_ number: UInt32, _ digits: Int) -> String {
    let text = String(number, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
