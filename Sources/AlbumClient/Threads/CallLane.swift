internal import Linux

/// A connection with a thread that waits for its replies.
actor CallLane {
  private let thread: CallThread
  private let socket: DaemonSocket
  private var connection: AlbumConnection?

  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Connects when it is called for the first time.
  init(_ socket: DaemonSocket) throws(AlbumError) {
    self.socket = socket
    do throws(SystemError) { thread = try CallThread() } catch {
      throw AlbumError(outOfResources: error, place: socket.path)
    }
  }

  /// Runs a call that can be made twice without harm, on the kept connection. One that was lost since the
  /// last call, as in a restart of the daemon, is replaced.
  func repeatable<Result: Sendable & ~Copyable>(
    _ body: @Sendable (AlbumConnection) throws(AlbumError) -> Result
  ) throws(AlbumError) -> Result {
    if let kept = connection {
      do throws(AlbumError) { return try body(kept) } catch {
        guard error.code == .connectionLost else { throw noting(error) }
        connection = nil
      }
    }
    let fresh = try socket.connect()
    connection = fresh
    do throws(AlbumError) { return try body(fresh) } catch { throw noting(error) }
  }

  /// Runs calls once, on a connection of their own.
  ///
  /// - Parameter hangup: ends the connection when the caller's task is cancelled.
  func once<Result: Sendable>(
    _ hangup: Hangup, _ body: @Sendable (AlbumConnection) throws(AlbumError) -> Result
  ) throws(AlbumError) -> Result {
    let fresh = try socket.connect()
    try hangup.watch(fresh)
    return try body(fresh)
  }

  /// An error on the way leaves a connection of no further use.
  private func noting(_ error: AlbumError) -> AlbumError {
    if [.connectionLost, .protocolViolation, .outOfResources].contains(error.code) { connection = nil }
    return error
  }
}
