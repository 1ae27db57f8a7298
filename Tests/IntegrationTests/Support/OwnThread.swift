import Foundation
import TestSupport
import Testing

/// Runs every test of a suite on a thread of its own, so that it may block in system calls without taking
/// a thread of Swift's pool. So many at a time, that the machine is not asked for a hundred daemons.
struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Gate.shared.enter()
    defer { Gate.shared.leave() }
    try await withTaskExecutorPreference(ThreadPerJob()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Blocking tests, each on a thread.
  static var blocking: Self { Self() }
}

/// Lets a bounded number of tests run.
private final class Gate: Sendable {
  static let shared = Gate()
  private let free = DispatchSemaphore(value: max(2, ProcessInfo.processInfo.activeProcessorCount))

  func enter() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [self] in
        free.wait()
        continuation.resume()
      }
    }
  }

  func leave() { free.signal() }
}
