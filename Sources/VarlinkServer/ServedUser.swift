internal import EventLoop
internal import Linux

/// What one user holds of the server, and whose turn it is among that user's connections.
///
/// The habit of dbus-broker's `util/user.h`: whatever a peer can make the daemon hold is counted against
/// its user, because a process is free to make more processes but not more users. The time of the loop is shared by
/// user as well (``Turns``).
@EventLoopActor
final class ServedUser {
  /// Who it is: a user id, or the one to whom a range of subordinate ids belongs.
  let id: UInt32
  /// Connections, counted until everything that worked for them is gone.
  var connections = 0
  /// Bytes of messages that were received in part, and of replies that were not taken yet.
  private(set) var heldBytes = 0
  /// The time that was spent for it, on the loop and by what works for the loop.
  var share = TimeShare()
  /// Whether it has had its share: its connections that wait for their turn are not looked at meanwhile.
  var isResting = false
  /// Connections that wait for their turn, in their order.
  private var ready = FirstInFirstOut<ServerConnection>()
  /// Whether there are such.
  private(set) var isReady = false
  /// Those of its calls that are served in slices.
  let slices = Slices()
  /// Reads what is long, one after the other.
  let thread = SerialThread()

  private let ledger: HeldBytes

  init(_ id: UInt32, _ ledger: HeldBytes) {
    self.id = id
    self.ledger = ledger
  }

  /// A connection holds so many bytes more, or fewer.
  func hold(_ bytes: Int) {
    heldBytes += bytes
    ledger.total += bytes
  }

  /// A connection waits for its turn, once.
  func append(_ connection: ServerConnection) {
    ready.append(connection)
    isReady = true
  }

  /// The one whose turn it is.
  func popFirst() -> ServerConnection? {
    let first = ready.popFirst()
    isReady = !ready.isEmpty
    return first
  }
}

/// What all users hold together.
@EventLoopActor
final class HeldBytes {
  fileprivate(set) var total = 0

  nonisolated init() {}
}

/// A connection's place in its user's quota. What still works on a call holds memory and descriptors of the
/// peer's, and so does what waits for their close(2): it counts until then.
@EventLoopActor
final class UserSlot {
  let user: ServedUser
  private weak var server: VarlinkServer?

  /// A place that was taken.
  init(_ user: ServedUser, of server: VarlinkServer) {
    self.user = user
    self.server = server
  }

  isolated deinit {
    server?.released(user)
  }
}
