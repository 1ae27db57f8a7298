internal import AlbumAPI
internal import AlbumClient
internal import Linux
internal import Synchronization

/// The daemon, as an owner sees it: calls wait on threads of their own, on a few connections that are kept (S45).
final class Daemon: Sendable {
  private let lanes: [Lane]
  /// For pictures, which take their time: no page waits behind them.
  private let slowLanes: [Lane]
  private let socket: String?

  init(socket: String?) {
    self.socket = socket
    lanes = (0..<2).map { _ in Lane(socket: socket) }
    slowLanes = (0..<4).map { _ in Lane(socket: socket) }
  }

  /// Asks with the owner's view of the library.
  ///
  /// - Parameter isSlow: whether it is about a picture.
  /// - Throws: ``AlbumClient/AlbumError``; ``Overloaded``.
  func ask<Value: Sendable>(
    isSlow: Bool = false, _ body: @escaping @Sendable (AlbumConnection) throws -> Value
  ) async throws -> Value {
    let lanes = isSlow ? slowLanes : lanes
    let lane = lanes.min { $0.waiting < $1.waiting } ?? lanes[0]
    return try await lane.ask(body)
  }

  /// Asks on a connection of its own: for what may wait long, or is an agent's answer.
  func askAlone<Value: Sendable>(
    _ body: @escaping @Sendable (AlbumConnection) throws -> Value
  ) async throws -> Value {
    let socket = socket
    return try await withCheckedThrowingContinuation { continuation in
      ThreadReserve.shared.run {
        continuation.resume(with: Result { try body(try AlbumConnection(socket: socket)) })
      }
    }
  }
}

/// More is asked of the page than it can pass on.
struct Overloaded: Error {}

/// One connection, and the calls that wait for it.
private final class Lane: Sendable {
  private static let limit = 256
  private let socket: String?
  private let thread = SerialThread()
  private let count = Atomic(0)
  /// Used by one block after the other, on the thread alone.
  private nonisolated(unsafe) var connection: AlbumConnection?

  init(socket: String?) { self.socket = socket }

  var waiting: Int { count.load(ordering: .relaxed) }

  func ask<Value: Sendable>(
    _ body: @escaping @Sendable (AlbumConnection) throws -> Value
  ) async throws -> Value {
    guard count.add(1, ordering: .relaxed).newValue <= Self.limit else {
      count.subtract(1, ordering: .relaxed)
      throw Overloaded()
    }
    return try await withCheckedThrowingContinuation { continuation in
      thread.async { [self] in
        let result = Result { try run(body) }
        count.subtract(1, ordering: .relaxed)
        continuation.resume(with: result)
      }
    }
  }

  /// The daemon may have been started again since the connection was made: then it is asked once more.
  private func run<Value>(_ body: (AlbumConnection) throws -> Value) throws -> Value {
    if let connection {
      do { return try keeping(connection, body) } catch let error as AlbumError
        where error.code == .connectionLost
      {}
    }
    let new = try AlbumConnection(socket: socket)
    try new.actAsOwner()
    return try keeping(new, body)
  }

  /// One that failed is not used again: replies of a stream may be left on it.
  private func keeping<Value>(
    _ connection: AlbumConnection, _ body: (AlbumConnection) throws -> Value
  ) throws -> Value {
    self.connection = nil
    let value = try body(connection)
    self.connection = connection
    return value
  }
}
