internal import EventLoop
internal import Linux

/// Calls of one user that take long on the loop, and so are served in slices: one of them at a time goes on.
///
/// What runs between two turns of connections is a queue of jobs. With a slice of each of a user's hundred calls in it, who
/// waits for something in that queue would wait for a hundred slices each time. So a user has one slice there.
@EventLoopActor
final class Slices {
  /// The call that goes on.
  private weak var holder: ServerCall?
  private(set) var waiting = FirstInFirstOut<(ServerCall, CheckedContinuation<Void, Never>)>()
  private var isExpected = false
  /// The one that goes on waits for something itself, which may take long: nobody waits for that.
  private lazy var overdue = Timer { [unowned self] in
    holder = nil
    next()
  }

  /// So long a slice may take, and longer where none other waits.
  private static let patience = Duration.milliseconds(20)

  nonisolated init() {}

  /// Ends the slice of a call, and waits for its next one.
  func giveWay(_ call: ServerCall) async {
    if holder === call { holder = nil }
    await withCheckedContinuation { continuation in
      waiting.append((call, continuation))
      expectNext()
    }
  }

  /// A call is over, or waits for something else.
  func ended(_ call: ServerCall) {
    guard holder === call else { return }
    holder = nil
    expectNext()
  }

  /// Behind what is in the queue: others have their turn in between.
  private func expectNext() {
    guard holder == nil else { return overdue.armUnlessArmed(after: Self.patience) }
    guard !isExpected else { return }
    isExpected = true
    Task { [self] in
      isExpected = false
      next()
    }
  }

  private func next() {
    guard holder == nil else { return }
    overdue.disarm()
    while let (call, continuation) = waiting.popFirst() {
      continuation.resume()
      // Who is over has nothing to do but to end.
      guard !call.isOver else { continue }
      holder = call
      if !waiting.isEmpty { overdue.arm(after: Self.patience) }
      return
    }
  }
}

extension ServerCall {
  /// Lets others have their turn, and goes on after them, as the only call of its user that does so: what a call does that
  /// takes long on the loop, between two slices of it.
  public func giveWay() async { await connection.user.slices.giveWay(self) }

  /// Does a part of what takes long, after others had their turn: it is time of the user's (``TimeShare``).
  public func spending<Value>(_ body: () throws -> Value) rethrows -> Value {
    let begun = EventLoop.shared.monotonicMicroseconds
    defer {
      let now = EventLoop.shared.monotonicMicroseconds
      connection.user.share.spend(now - begun, until: now)
    }
    return try body()
  }

  /// What comes next takes no time of the loop, such as waiting for the peer: another call of its user may go on.
  public func endSlice() { connection.user.slices.ended(self) }
}
