internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
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
    var wait = LinkWait(socket: socket, signal)
    while true {
      let isWanted = isWanted.withLock { $0 }
      if !isWanted { stream = nil }
      if isWanted, stream == nil, wait.mayAsk {
        stream = try? AlbumConnection(socket: socket).accessLog(since: .now, follow: true)
      }
      guard wait.wait(for: stream, isWanted: isWanted).isNews, let open = stream else { continue }
      if (try? open.next()) == nil {
        stream = nil
        wait.lost()
      } else {
        wait.heard()
      }
      // The first reply as well: something may have been noted since the page was made.
      tell()
    }
  }
}
