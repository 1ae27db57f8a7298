internal import EventLoop

/// Of what a user asks for one is done at a time, and the others wait: what each holds meanwhile must not add up.
@EventLoopActor
final class OneOfEachUser {
  /// Those that wait, of each user who has one under way.
  private var waiting: [UInt32: [CheckedContinuation<Void, Never>]] = [:]

  nonisolated init() {}

  /// How many wait.
  var waitingCount: Int { waiting.values.reduce(0) { $0 + $1.count } }

  /// Does something when it is its turn.
  func run<Value>(for user: UInt32, _ body: () async throws -> Value) async rethrows -> Value {
    await withCheckedContinuation { continuation in
      guard waiting[user] == nil else {
        waiting[user]?.append(continuation)
        return
      }
      waiting[user] = []
      continuation.resume()
    }
    defer { next(user) }
    return try await body()
  }

  private func next(_ user: UInt32) {
    guard var rest = waiting[user], !rest.isEmpty else { return waiting[user] = nil }
    let first = rest.removeFirst()
    waiting[user] = rest
    first.resume()
  }
}
