internal import EventLoop

/// Something that is made once for all who want it now, and no further when the last of them has gone.
@EventLoopActor
final class SharedMaking<Value: Sendable> {
  typealias Made = Result<Value, PictureFailure>

  private var made: Made?
  private var wanting = 0
  private var waiting: [Int: CheckedContinuation<Made?, Never>] = [:]
  private var next = 0
  private var task: Task<Void, Never>?

  /// - Parameter make: begins now, in a task that is cancelled when nobody wants it any more.
  init(_ make: @escaping @EventLoopActor () async -> Made) {
    task = Task.onLoop { [weak self] in
      let made = await make()
      self?.end(made)
    }
  }

  /// One more wants it; ``leave()`` is to follow.
  func enter() { wanting += 1 }

  /// What was made; nil where the task that waits was cancelled before.
  func result() async -> Made? {
    next += 1
    let mine = next
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Looked at within: waiting may begin with a turn of the loop, in which it is made.
        if made != nil || Task.isCancelled { return continuation.resume(returning: made) }
        waiting[mine] = continuation
      }
    } onCancel: {
      Task { @EventLoopActor in waiting.removeValue(forKey: mine)?.resume(returning: nil) }
    }
  }

  /// One that has entered wants it no more.
  ///
  /// - Returns: whether it was the last.
  func leave() -> Bool {
    wanting -= 1
    guard wanting == 0 else { return false }
    if made == nil { task?.cancel() }
    return true
  }

  private func end(_ made: Made) {
    self.made = made
    task = nil
    let all = waiting.sorted { $0.key < $1.key }
    waiting = [:]
    for (_, continuation) in all { continuation.resume(returning: made) }
  }
}
