internal import EventLoop
internal import Linux
internal import VarlinkTransport

/// A connection that has ended, with descriptors in it that its peer has not read. They are in flight until it has, or is gone
/// (``UnreadDescriptors``), and for as long the connection counts: whoever ends one has no more of them than before.
@EventLoopActor
final class PartedSocket {
  /// Its place in the quota.
  let slot: UserSlot
  private var socket: OwnedDescriptor?
  private var unread: UnreadDescriptors
  private let done: @EventLoopActor (PartedSocket) -> Void
  private lazy var retry = Retry.forPeer { [unowned self] in look() }

  /// - Parameters:
  ///   - socket: of which both directions are shut down.
  ///   - done: told when everything was read, never before this returns.
  init(
    _ socket: consuming OwnedDescriptor, _ unread: UnreadDescriptors, _ slot: UserSlot,
    done: @escaping @EventLoopActor (PartedSocket) -> Void
  ) {
    self.socket = consume socket
    self.unread = unread
    self.slot = slot
    self.done = done
    retry.later()
  }

  /// The socket, once.
  func take() -> OwnedDescriptor? { socket.take() }

  private func look() {
    guard let number = socket?.number else { return }
    unread.peerHolds(UnixSocket.unreadMemory(of: number))
    if unread.count > 0 { retry.later() } else { done(self) }
  }
}
