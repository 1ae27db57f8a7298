internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Synchronization

/// Hears when something is noted in the access log (S64): while a page shows the log, and again when the daemon is back.
///
/// A thread of its own waits for the daemon and for ``want(_:)``; while no page shows the log, for that alone.
final class LogLink: Sendable {
  private let socket: String?
  private let tell: @Sendable () -> Void
  private let isWanted = Mutex(false)
  private let signal: WakeSignal

  init(socket: String?, _ tell: @escaping @Sendable () -> Void) throws(SystemError) {
    self.socket = socket
    self.tell = tell
    signal = try WakeSignal()
  }

  /// Begins to wait.
  func start() { ThreadReserve.shared.run { [self] in work() } }

  /// Whether a page shows the log.
  func want(_ isWanted: Bool) {
    self.isWanted.withLock { $0 = isWanted }
    signal.wake()
  }

  private func work() {
    var stream: AlbumStream<ManagerInterface.ListAccessLog>?
    var backoff = Backoff(bound: 30_000)
    let path = SocketPath.find(explicit: socket)
    let arrival = try? SocketArrival(path: path)
    while true {
      let isWanted = isWanted.withLock { $0 }
      if !isWanted { stream = nil }
      if isWanted, stream == nil {
        stream = try? AlbumConnection(socket: socket).accessLog(since: .now, follow: true)
      }
      var requests = [
        pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(
          fd: stream?.descriptor ?? (isWanted ? arrival?.descriptor ?? -1 : -1),
          events: Int16(POLLIN), revents: 0),
      ]
      // A daemon that starts makes its socket first; one that refuses is asked again later.
      let isWaiting = stream == nil && isWanted && access(path, F_OK) == 0
      let delay = stream?.mayHaveReply == true ? 0 : isWaiting ? backoff.delay() : -1
      _ = poll(&requests, 2, CInt(delay))
      signal.acknowledge()
      guard let open = stream else {
        if requests[1].revents != 0 {
          arrival?.acknowledge()
          backoff.reset()
        }
        continue
      }
      guard requests[1].revents != 0 || open.mayHaveReply else { continue }
      do throws(AlbumError) {
        if try open.next() == nil { stream = nil }
        backoff.reset()
      } catch { stream = nil }
      // The first reply as well: something may have been noted since the page was made.
      tell()
    }
  }
}
