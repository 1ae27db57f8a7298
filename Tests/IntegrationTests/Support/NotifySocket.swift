import Glibc
import Linux

/// What the daemon tells its service manager (sd_notify(3)): an event for everything a test waits for.
final class NotifySocket {
  let path: String
  private let socket: OwnedDescriptor

  init(_ path: String) throws {
    self.path = path
    unlink(path)
    let type = CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    socket = try OwnedDescriptor(Glibc.socket(AF_UNIX, type, 0), call: "socket")
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(socket.number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard result == 0 else { throw SystemError("bind", subject: path) }
  }

  var descriptor: CInt { socket.number }

  /// The next message's assignments; `nil` when none is there.
  func next() -> [String: String]? {
    var buffer = [UInt8](repeating: 0, count: 8192)
    let count = recv(socket.number, &buffer, buffer.count, 0)
    guard count >= 0 else { return nil }
    var values: [String: String] = [:]
    for line in String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n") {
      let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2 { values[String(parts[0])] = String(parts[1]) }
    }
    return values
  }
}
