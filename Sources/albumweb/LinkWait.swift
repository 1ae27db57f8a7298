internal import AlbumClient
internal import Glibc
internal import Linux

/// What a thread that holds a line to the daemon waits with: for what comes on it, for a daemon that comes back, and for
/// whoever has something to say to the thread.
struct LinkWait {
  /// What was waited for.
  struct Came {
    /// Something came on the line.
    var isNews = false
    /// A daemon's socket has come.
    var isArrival = false
    /// The thread was called.
    var isCall = false
  }

  private let signal: WakeSignal
  private let path: String
  private let arrival: SocketArrival?
  private var backoff = Backoff(bound: 30_000)
  /// Whether the daemon may be asked now. Who has refused, or hung up, is not asked again in the same turn: it takes a
  /// connection and hangs up as often as it is asked.
  private(set) var mayAsk = true

  init(socket: String?, _ signal: WakeSignal) {
    self.signal = signal
    path = SocketPath.find(explicit: socket)
    arrival = try? SocketArrival(path: path)
  }

  /// The daemon has said something on the line.
  mutating func heard() { backoff.reset() }

  /// The daemon has ended the line.
  mutating func lost() { mayAsk = false }

  /// Waits.
  ///
  /// - Parameters:
  ///   - line: what is open; nil for none.
  ///   - isWanted: whether one is to be opened, when there is none.
  mutating func wait<Method>(for line: AlbumStream<Method>?, isWanted: Bool) -> Came {
    var requests = [
      pollfd(fd: signal.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: line?.descriptor ?? arrival?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
    ]
    // A daemon that starts makes its socket first; one that refuses is asked again later. One that has hung up is asked once
    // more where there is no socket either: that it has gone is told by that.
    let isWaiting = line == nil && isWanted && (!mayAsk || access(path, F_OK) == 0)
    let holdsNews = line?.mayHaveReply == true
    let delay = holdsNews ? 0 : isWaiting ? backoff.delay() : -1
    _ = poll(&requests, 2, CInt(delay))
    mayAsk = true
    var came = Came(isCall: requests[0].revents != 0)
    if came.isCall { signal.acknowledge() }
    if line != nil {
      came.isNews = requests[1].revents != 0 || holdsNews
    } else if requests[1].revents != 0 {
      came.isArrival = true
      arrival?.acknowledge()
      backoff.reset()
    }
    return came
  }
}
