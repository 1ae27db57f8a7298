internal import EventLoop
internal import Linux
internal import VarlinkTransport

/// A listening socket on the loop.
///
/// When descriptors or memory have run out it stops accepting until a connection ends, or for a second: a
/// level-triggered listener would otherwise wake the loop for ever. While it may not accept, it waits to be resumed.
@EventLoopActor
final class Listener {
  private let socket: OwnedDescriptor
  private let mayAccept: @EventLoopActor () -> Bool
  private let take: @EventLoopActor (consuming OwnedDescriptor, UInt64) -> Void
  /// Since when connections may be waiting that were left for another turn.
  private var waitingSince: UInt64?
  private var source: IOSource?
  private lazy var retry = Timer { [unowned self] in resume() }

  /// So many are taken before other sources have their turn.
  private static let batch = 8

  init(
    _ socket: consuming OwnedDescriptor, mayAccept: @escaping @EventLoopActor () -> Bool,
    take: @escaping @EventLoopActor (consuming OwnedDescriptor, UInt64) -> Void
  ) throws(SystemError) {
    self.socket = socket
    self.mayAccept = mayAccept
    self.take = take
    // A service manager hands sockets over in blocking mode, where accept4(2) would wait for the next peer.
    try self.socket.makeNonBlocking()
    try UnixSocket.tellSenders(self.socket.number)
    source = try IOSource(self.socket.number, .readable) { [unowned self] _ in accept() }
  }

  isolated deinit {
    source?.cancel()
  }

  /// Accepts again after descriptors had run out, or it was not to accept.
  func resume() {
    source?.wait(for: .readable)
  }

  private func accept() {
    let earliest = waitingSince ?? EventLoop.shared.readySince
    waitingSince = earliest
    do throws(SystemError) {
      for _ in 0..<Self.batch {
        guard mayAccept() else { return source?.wait(for: []) ?? () }
        guard let connection = try UnixSocket.accept(from: socket.number) else {
          waitingSince = nil
          return
        }
        take(connection, earliest)
      }
    } catch {
      source?.wait(for: [])
      retry.arm(after: .seconds(1))
    }
  }
}
