internal import EventLoop

/// Does for all who ask what need not be done for each: one run is under way, and at most one more is to follow, for all who
/// have asked meanwhile. Nobody is answered by a run that had begun before they asked.
@EventLoopActor
final class SharedRuns<Value: Sendable> {
  private let run: @EventLoopActor () async throws -> Value
  /// Who is answered by the next run.
  private(set) var waiting: [CheckedContinuation<Value, any Error>] = []
  private var isUnderWay = false

  init(_ run: @escaping @EventLoopActor () async throws -> Value) {
    self.run = run
  }

  /// What a run has come to that began after this was called.
  ///
  /// - Throws: what the run does.
  func next() async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      waiting.append(continuation)
      guard !isUnderWay else { return }
      isUnderWay = true
      Task.onLoop { [self] in
        while !waiting.isEmpty { await answerAll() }
        isUnderWay = false
      }
    }
  }

  private func answerAll() async {
    let asked = waiting
    waiting = []
    let result: Result<Value, any Error>
    do { result = .success(try await run()) } catch { result = .failure(error) }
    for continuation in asked { continuation.resume(with: result) }
  }
}
