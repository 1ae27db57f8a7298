internal import EventLoop
internal import Glibc
internal import Linux
internal import VarlinkTransport

/// A listening socket on the loop.
///
/// When descriptors have run out it stops accepting until a connection ends: a level-triggered listener
/// would otherwise wake the loop for ever.
@EventLoopActor
final class Listener {
  private let socket: OwnedDescriptor
  private let take: @EventLoopActor (consuming OwnedDescriptor) -> Void
  private var source: IOSource?

  /// So many are taken before other sources have their turn.
  private static let batch = 64

  init(
    _ socket: consuming OwnedDescriptor, take: @escaping @EventLoopActor (consuming OwnedDescriptor) -> Void
  ) throws(SystemError) {
    self.socket = socket
    self.take = take
    source = try IOSource(self.socket.number, .readable) { [unowned self] _ in accept() }
  }

  /// Accepts again after descriptors had run out.
  func resume() {
    source?.wait(for: .readable)
  }

  private func accept() {
    do throws(SystemError) {
      for _ in 0..<Self.batch {
        guard let connection = try UnixSocket.accept(from: socket.number) else { return }
        take(connection)
      }
    } catch {
      source?.wait(for: [])
    }
  }
}
