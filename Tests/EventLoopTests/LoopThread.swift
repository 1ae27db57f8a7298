import EventLoop
import Foundation

/// The process's loop, run by a thread of its own for as long as the tests last.
enum LoopThread {
  private static let isRunning: Bool = {
    Thread { _ = EventLoop.shared.run() }.start()
    return true
  }()

  /// Makes sure that the loop runs.
  static func start() {
    _ = isRunning
  }
}
