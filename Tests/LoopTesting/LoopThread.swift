public import EventLoop
internal import Foundation

/// The test process's one loop, run by a thread of its own for as long as the tests last.
public enum LoopThread {
  private static let isRunning: Bool = {
    Thread { _ = EventLoop.shared.run() }.start()
    return true
  }()

  /// Makes sure that the loop runs. To be called before anything waits for it.
  public static func start() {
    _ = isRunning
  }
}

extension EventLoopActor {
  /// Does something in a turn of the loop.
  public static func run<Result: Sendable>(
    _ body: @EventLoopActor () throws -> Result
  ) async rethrows -> Result {
    try await body()
  }
}
