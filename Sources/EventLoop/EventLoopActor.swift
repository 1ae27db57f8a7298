/// The isolation of everything that the daemon knows: one thread, the one that runs ``EventLoop``.
///
/// There are no locks behind it and no order but the loop's: what happens in a callback has happened
/// before the next begins.
@globalActor
public actor EventLoopActor {
  /// The actor.
  public static let shared = EventLoopActor()

  /// The loop's executor runs this actor's jobs.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    EventLoop.shared.asUnownedSerialExecutor()
  }

  /// Runs `operation` at once in a callback that the loop's thread is known to be in.
  ///
  /// Traps on any other thread: what `MainActor.assumeIsolated` does for the main actor.
  public static func assumeIsolated<Result: Sendable>(
    _ operation: @EventLoopActor () throws -> Result
  ) rethrows -> Result {
    EventLoop.shared.checkIsolated()
    return try withoutActuallyEscaping(operation) { isolated in
      // The isolation was just proved; the cast only drops it from the function's type.
      try unsafeBitCast(isolated, to: (() throws -> Result).self)()
    }
  }

  /// The same for a function that captures nothing, as a callback of C is one: no memory is asked for to hold it.
  static func assumeIsolated<Value>(with value: Value, _ operation: @escaping @EventLoopActor (Value) -> Void)
  {
    EventLoop.shared.checkIsolated()
    unsafeBitCast(operation, to: ((Value) -> Void).self)(value)
  }
}

extension EventLoopActor {
  /// Does something once whatever runs now has returned to the loop, in the order of the calls.
  ///
  /// This is how a completion is called: whoever gives one may be in the middle of writing what it then reads, and
  /// may not yet have what the call returns.
  @EventLoopActor
  public static func afterReturn(_ action: @escaping @EventLoopActor () -> Void) {
    Task { @EventLoopActor in action() }
  }

  /// Lets others have their turn, and goes on after them: what `Task.yield()` does for the pool.
  @EventLoopActor
  public static func giveWay() async {
    await withCheckedContinuation { continuation in
      Task { @EventLoopActor in continuation.resume() }
    }
  }
}

extension Task where Success == Void, Failure == Never {
  /// A task of the loop that waits for something: also what resumes it comes from the loop's queue, not from the
  /// pool of Swift's runtime, which a plain `Task` would wake.
  ///
  /// Such a task leaves the loop for a turn at an `await`, even where it stays on the actor (SE-0417). What it waits for may
  /// come in that turn: whether it has come is looked at within `withCheckedContinuation`, not before.
  @EventLoopActor
  @discardableResult
  public static func onLoop(_ operation: @escaping @EventLoopActor () async -> Void) -> Task {
    Task(executorPreference: EventLoop.shared.tasks, operation: operation)
  }

  /// The same, begun before this returns: it runs until it first waits.
  @EventLoopActor
  @discardableResult
  public static func onLoopNow(_ operation: sending @escaping @EventLoopActor () async -> Void) -> Task {
    Task.immediate(executorPreference: EventLoop.shared.tasks, operation: operation)
  }
}
