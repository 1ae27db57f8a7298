internal import Glibc
internal import Linux
internal import VarlinkTransport

/// Where `albumctl page` asks for a link (S61): a Unix socket in a directory that only this user may enter. Whoever
/// connects and is this user, or root, is told one, in two lines: for programs, by the loopback address, and for browsers, by
/// the name that nobody guesses. Anybody else is told nothing.
final class EntrySocket: Sendable {
  private let listener: OwnedDescriptor
  private let link: @Sendable () async -> [String]

  /// - Parameters:
  ///   - path: where; its directory is made.
  ///   - link: makes one.
  /// - Throws: ``Linux/SystemError``; EADDRINUSE where another page listens there.
  init(path: String, link: @escaping @Sendable () async -> [String]) throws(SystemError) {
    self.link = link
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
      Log.warning("Somebody else asked for a way into the page.")
      close(number)
      return
    }
    // Who is this user in a sandbox is no owner (docs/decisions/0014).
    guard peer.uid != geteuid() || Self.isOutside(peer.pid) else {
      Log.warning("A sandbox asked for a way into the page.")
      close(number)
      return
    }
    Task.onLoops { [self] in
      let text = await link().map { $0 + "\n" }.joined()
      // Shorter than any socket's buffer.
      _ = text.withCString { send(number, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      close(number)
    }
  }
}
