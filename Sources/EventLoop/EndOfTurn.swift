internal import Linux
/// What is done when the handlers of all that was ready at the same time have run.
@EventLoopActor
final class EndOfTurn {
  private(set) var isAwaited = false
  private var actions: [@EventLoopActor () -> Void] = []

  nonisolated init() {}

  /// So many wait for each other at most.
  private static let limit = 16

  /// Runs the handlers of one turn, and then what they have put off. Within another turn, that waits for its end.
  func follows(_ handlers: () -> Void) {
    let isWithin = isAwaited
    isAwaited = true
    handlers()
    isAwaited = isWithin
    if !isWithin { run() }
  }

  func add(_ action: @escaping @EventLoopActor () -> Void) {
    guard isAwaited else { return action() }
    actions.append(action)
    if actions.count == Self.limit { run() }
  }

  private func run() {
    guard !actions.isEmpty else { return }
    let due = actions
    actions.removeAll(keepingCapacity: true)
    for action in due { action() }
  }
}

extension EventLoop {
  /// Whether other descriptors were ready together with the one that is being handled.
  @EventLoopActor
  public var isTurnShared: Bool { endOfTurn.isAwaited }

  /// Treats what is done here as ready together: what it puts off is done after it.
  @EventLoopActor
  public func together(_ body: () -> Void) {
    endOfTurn.follows(body)
  }

  /// CLOCK_MONOTONIC in microseconds, this very moment.
  public var monotonicMicroseconds: UInt64 { Clock.monotonic }

  /// Does something once all that was ready together has been handled; at once where ``isTurnShared`` is false.
  /// Sixteen such actions do not wait for more.
  @EventLoopActor
  public func atEndOfTurn(_ action: @escaping @EventLoopActor () -> Void) {
    endOfTurn.add(action)
  }
}
