internal import EventLoop

/// A connection's place in its user's quota. What still works on a call holds memory and descriptors of the
/// peer's, and so does what waits for their close(2): it counts until then.
@EventLoopActor
final class UserSlot {
  private let uid: UInt32
  private weak var server: VarlinkServer?

  /// A place that was taken.
  init(_ uid: UInt32, of server: VarlinkServer) {
    self.uid = uid
    self.server = server
  }

  isolated deinit {
    server?.released(uid)
  }
}
