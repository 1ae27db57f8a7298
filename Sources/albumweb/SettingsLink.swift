internal import AlbumAPI
internal import AlbumClient
internal import Linux

/// Tells the daemon where the owner's settings are opened, for as long as the page is there (S15): guides of apps lead to it.
///
/// A thread of its own waits for the daemon to go and to come back, and for nothing else.
final class SettingsLink: Sendable {
  private let socket: String?
  private let signal: WakeSignal

  init(socket: String?) throws(SystemError) {
    self.socket = socket
    signal = try WakeSignal()
  }

  /// Begins to tell it.
  ///
  /// - Parameter origin: the page's, where it has a certificate; else the desktop opens it.
  func start(origin: String?) { ThreadReserve.shared.run { [self] in work(origin) } }

  /// The daemon takes this program for an owner's: where it did not before, it is told again.
  func retry() {
    signal.wake()
  }

  private func work(_ origin: String?) {
    var stream: AlbumStream<ManagerInterface.ServeSettings>?
    // Not taken for an owner's, or of an older daemon: until something is different.
    var isRefused = false
    // Whether the daemon has said that it counts.
    var counts = false
    var wait = LinkWait(socket: socket, signal)
    while true {
      if stream == nil, !isRefused, wait.mayAsk {
        stream = try? AlbumConnection(socket: socket).serveSettings(origin: origin)
        counts = false
      }
      let came = wait.wait(for: stream, isWanted: !isRefused)
      if came.isCall || came.isArrival { isRefused = false }
      guard came.isNews, let open = stream else { continue }
      do throws(AlbumError) {
        // The first says that it counts. Another one comes where more pages have come since: theirs do.
        if try open.next() == nil || counts {
          stream = nil
          isRefused = true
        }
        counts = true
        wait.heard()
      } catch {
        stream = nil
        wait.lost()
        isRefused = error.code != .connectionLost
      }
    }
  }
}
