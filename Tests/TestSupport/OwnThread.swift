internal import Glibc
internal import Synchronization
public import Testing

/// Runs every test of a suite on a thread of its own, so that it may block in system calls without taking
/// a thread of Swift's pool. So many at a time, that the machine is not asked for a hundred daemons.
///
/// The wait for its turn counts in a test's time limit, which is one for the whole run therefore.
public struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  /// Tests of a suite as well.
  public var isRecursive: Bool { true }

  /// One for each case.
  public func scopeProvider(for test: Test, testCase: Test.Case?) -> Self? { testCase == nil ? nil : self }

  /// Runs a case on a thread of its own.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Gate.shared.enter()
    defer { Gate.shared.leave() }
    try await withTaskExecutorPreference(ThreadPerJob()) { try await function() }
  }
}

extension Trait where Self == OwnThread {
  /// Blocking tests, each on a thread.
  public static var blocking: Self { Self() }
}

/// Lets as many tests run as there are processors, in the order in which they came.
private final class Gate: Sendable {
  static let shared = Gate()

  private struct State {
    var free = max(2, sysconf(CInt(_SC_NPROCESSORS_ONLN)))
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  func enter() async {
    await withCheckedContinuation { continuation in
      let mayGo = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if mayGo { continuation.resume() }
    }
  }

  func leave() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
