internal import AlbumAPI
internal import AlbumClient
internal import Glibc
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
    // Gone a moment ago.
    var isLost = false
    var backoff = Backoff(bound: 30_000)
    let path = SocketPath.find(explicit: socket)
    let arrival = try? SocketArrival(path: path)
    while true {
      if stream == nil, !isRefused, !isLost {
        stream = try? AlbumConnection(socket: socket).serveSettings(origin: origin)
        counts = false
      }
      var requests = [
        pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stream?.descriptor ?? arrival?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
      ]
      // A daemon that starts makes its socket first.
      let isWaiting = stream == nil && !isRefused && access(path, F_OK) == 0
      let delay = stream?.mayHaveReply == true ? 0 : isWaiting ? backoff.delay() : -1
      _ = poll(&requests, 2, CInt(delay))
      isLost = false
      if requests[0].revents != 0 {
        signal.acknowledge()
        isRefused = false
      }
      guard let open = stream else {
        if requests[1].revents != 0 {
          arrival?.acknowledge()
          backoff.reset()
          isRefused = false
        }
        continue
      }
      guard requests[1].revents != 0 || open.mayHaveReply else { continue }
      do throws(AlbumError) {
        // The first says that it counts. Another one comes where more pages have come since: theirs do.
        if try open.next() == nil || counts {
          stream = nil
          isRefused = true
        }
        counts = true
        backoff.reset()
      } catch {
        stream = nil
        isLost = error.code == .connectionLost
        isRefused = !isLost
      }
    }
  }
}
