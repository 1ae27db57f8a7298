internal import Glibc
internal import Linux

/// Waits for the daemon where a feed cannot go on: longer each time, and no longer than until its socket comes.
struct Absence {
  private let socket: DaemonSocket
  private let stop: WakeSignal
  private var arrival: SocketArrival?
  private var backoff = Backoff(bound: 30_000)

  /// - Parameter stop: ends the waiting for good.
  init(_ socket: DaemonSocket, stop: WakeSignal) {
    self.socket = socket
    self.stop = stop
  }

  /// Whether nothing is to be waited for any more.
  var isStopped: Bool {
    var request = pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }

  /// Something came: the daemon is there.
  mutating func isOver() { arrival = nil }

  /// It goes well: the next failure is another one.
  mutating func reset() { backoff.reset() }

  /// Waits until it is worth trying again: while there is no socket, until it comes.
  mutating func pause() {
    // Before the look, so that no coming is missed.
    arrival = arrival ?? (try? SocketArrival(path: socket.path))
    if let arrival, !socketExists {
      repeat {
        // Before the first connection, there is more than one place where it may come.
        let bound = socket.isKnown ? nil : 10_000
        if wait(for: [arrival.descriptor], milliseconds: bound)[0] { arrival.acknowledge() }
      } while !socketExists && !isStopped
      return
    }
    // A new socket ends a long wait; at first it need not, for its directory may be a busy one.
    let delay = backoff.delay()
    let quiet = min(delay, 500)
    _ = wait(for: [], milliseconds: quiet)
    guard delay > quiet, let arrival else {
      _ = wait(for: [], milliseconds: delay - quiet)
      return
    }
    if wait(for: [arrival.descriptor], milliseconds: delay - quiet)[0] { arrival.acknowledge() }
  }

  /// Waits until one is readable, the time is over, or the feed is stopped.
  func wait(for descriptors: [CInt], milliseconds: Int? = nil) -> [Bool] {
    var requests = (descriptors + [stop.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&requests, nfds_t(requests.count), milliseconds.map { CInt(clamping: $0) } ?? -1)
    return requests.dropLast().map { $0.revents != 0 }
  }

  private var socketExists: Bool { access(socket.path, F_OK) == 0 }
}
