internal import Linux
internal import AlbumAPI
internal import Varlink

/// What a method of the daemon that tells how something is goes on to tell, through its restarts: after each, all of it comes
/// again.
final class MonitorFeed<Method: VarlinkMethod>: WaitingFeed {
  /// What is known.
  enum Event: Sendable {
    /// It is so.
    case told(Method.Reply)
    /// Nobody tells: what was known may have changed.
    case unknown
  }

  private let socket: DaemonSocket
  private let begin: (AlbumConnection) throws(AlbumError) -> AlbumStream<Method>
  private var absence: Absence
  private var stream: AlbumStream<Method>?
  private var isKnown = true

  init(
    _ socket: DaemonSocket, stop: WakeSignal,
    _ begin: @escaping (AlbumConnection) throws(AlbumError) -> AlbumStream<Method>
  ) {
    self.socket = socket
    self.begin = begin
    absence = Absence(socket, stop: stop)
  }

  func next() throws(AlbumError) -> Event? {
    while !absence.isStopped {
      do throws(AlbumError) {
        if stream == nil { stream = try begin(socket.connect()) }
        guard let stream else { continue }
        guard stream.mayHaveReply || absence.wait(for: [stream.descriptor])[0] else { continue }
        guard let reply = try stream.next() else { throw AlbumError(endOf: stream.place) }
        absence.isOver()
        absence.reset()
        isKnown = true
        return .told(reply)
      } catch {
        stream = nil
        if isKnown {
          isKnown = false
          return .unknown
        }
        absence.pause()
      }
    }
    return nil
  }
}

/// The statuses of an app.
typealias StatusFeed = MonitorFeed<AuthorizationInterface.Monitor>

extension MonitorFeed where Method == AuthorizationInterface.Monitor {
  convenience init(_ socket: DaemonSocket, stop: WakeSignal) {
    self.init(socket, stop: stop) { connection throws(AlbumError) in try connection.monitor() }
  }
}
