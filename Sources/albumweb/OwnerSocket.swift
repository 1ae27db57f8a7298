internal import Glibc
internal import Linux
internal import VarlinkTransport

/// Where `albumctl page` asks (S60, S61): a Unix socket in a directory that only this user may enter. Whoever connects and is
/// this user, or root, is answered. Anybody else is told nothing.
final class OwnerSocket: Sendable {
  private let listener: OwnedDescriptor
  private let byteLimit: Int
  private let reply: @Sendable (String) async -> String

  /// - Parameters:
  ///   - path: where; its directory is made.
  ///   - byteLimit: how long the line is, at most, that whoever connects says; 0 where nothing is said.
  ///   - reply: the answer to that line, shorter than any socket's buffer.
  /// - Throws: ``Linux/SystemError``; EADDRINUSE where another page listens there.
  init(path: String, byteLimit: Int = 0, reply: @escaping @Sendable (String) async -> String)
    throws(SystemError)
  {
    self.byteLimit = byteLimit
    self.reply = reply
    if let slash = path.lastIndex(of: "/") { _ = mkdir(String(path[..<slash]), 0o700) }
    // Left behind by one that was killed; where somebody listens, that remains.
    do throws(SystemError) { _ = try UnixSocket.connect(to: path) } catch {
      if error.code == ECONNREFUSED { _ = unlink(path) }
    }
    listener = try UnixSocket.listen(at: path, mode: 0o600)
  }

  /// Begins to answer.
  func start() { ThreadReserve.shared.run { [self] in work() } }

  private func work() {
    while true {
      var request = pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)
      _ = poll(&request, 1, -1)
      do throws(SystemError) {
        if let peer = try UnixSocket.accept(from: listener.number) { answer(peer.take()) }
      } catch {
        // Out of descriptors: until there are some.
        usleep(100_000)
      }
    }
  }

  /// Whether a process sees users, processes and files as this one does.
  private static func isOutside(_ pid: pid_t) -> Bool {
    func number(_ path: String) -> UInt64? {
      var status = stat()
      return stat(path, &status) == 0 ? UInt64(status.st_ino) : nil
    }
    return ["user", "pid", "mnt"].allSatisfy { kind in
      number("/proc/self/ns/\(kind)").map { $0 == number("/proc/\(pid)/ns/\(kind)") } ?? false
    }
  }

  private func answer(_ number: CInt) {
    guard let peer = try? PeerCredentials(of: number), peer.uid == geteuid() || peer.uid == 0 else {
      Log.refusal("Somebody else asked for a way into the page.", of: .entries)
      close(number)
      return
    }
    // Who is this user in a sandbox is no owner (docs/decisions/0014).
    guard peer.uid != geteuid() || Self.isOutside(peer.pid) else {
      Log.refusal("A sandbox asked for a way into the page.", of: .entries)
      close(number)
      return
    }
    let asked = line(from: number)
    Task.onLoops { [self] in
      let text = await reply(asked)
      _ = text.withCString { send(number, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      close(number)
    }
  }

  /// What is said within a second: only the owner's own programs come so far, and one that says nothing keeps those waiting.
  private func line(from number: CInt) -> String {
    var bytes: [UInt8] = []
    let end = Clock.sinceBoot + 1_000_000
    while bytes.count < byteLimit, bytes.last != UInt8(ascii: "\n") {
      let left = Int64(end) - Int64(Clock.sinceBoot)
      var request = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
      guard left > 0, poll(&request, 1, CInt(left / 1000 + 1)) > 0 else { break }
      let more = [UInt8](unsafeUninitializedCapacity: byteLimit - bytes.count) { buffer, count in
        count = max(0, recv(number, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT)))
      }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes.last == UInt8(ascii: "\n") ? String(decoding: bytes.dropLast(), as: UTF8.self) : ""
  }
}
