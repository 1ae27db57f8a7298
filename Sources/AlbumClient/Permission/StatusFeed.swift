internal import AlbumAPI

/// What the daemon's `Monitor` tells, through its restarts: after each, all statuses come again.
final class StatusFeed: WaitingFeed {
  /// What is known of the statuses.
  enum Event: Hashable, Sendable {
    /// A level's status.
    case status(AuthorizationInterface.Monitor.Reply)
    /// Nobody tells: what was known may have changed.
    case unknown
  }

  private let socket: DaemonSocket
  private var absence: Absence
  private var monitor: AlbumStream<AuthorizationInterface.Monitor>?

  init(_ socket: DaemonSocket, stop: WakeSignal) {
    self.socket = socket
    absence = Absence(socket, stop: stop)
  }

  func next() throws(AlbumError) -> Event? {
    while !absence.isStopped {
      do throws(AlbumError) {
        if monitor == nil { monitor = try socket.connect().monitor() }
        guard let monitor else { continue }
        guard monitor.mayHaveReply || absence.wait(for: [monitor.descriptor])[0] else { continue }
        guard let reply = try monitor.next() else { throw AlbumError(endOf: monitor.place) }
        absence.isOver()
        absence.reset()
        return .status(reply)
      } catch {
        let wasThere = monitor != nil
        monitor = nil
        if wasThere { return .unknown }
        absence.pause()
      }
    }
    return nil
  }
}
