internal import EventLoop
internal import Varlink

extension PicturePool {
  /// The same as ``ask(_:_:about:_:completion:)``, waited for. Where the task that waits is cancelled nobody wants the answer
  /// any more, and it is `unavailable`.
  ///
  /// - Parameters:
  ///   - file: open until this returns.
  ///   - read: what the answer says.
  func answer<Method: VarlinkMethod, Value: Sendable>(
    to method: Method.Type, _ parameters: Method.Parameters, about file: CInt, _ demand: PictureDemand,
    read: @escaping @EventLoopActor (Outcome<Method>) -> Result<Value, PictureFailure>
  ) async -> Result<Value, PictureFailure> {
    let waiting = WaitingForPicture<Value>()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(returning: .failure(.unavailable)) }
        waiting.continuation = continuation
        waiting.job = ask(method, parameters, about: file, demand) { waiting.end(read($0)) }
      }
    } onCancel: {
      Task { @EventLoopActor in
        guard let job = waiting.job, waiting.continuation != nil else { return }
        cancel(job)
        waiting.end(.failure(.unavailable))
      }
    }
  }
}

/// Somebody who waits for an answer.
@EventLoopActor
private final class WaitingForPicture<Value: Sendable> {
  var continuation: CheckedContinuation<Result<Value, PictureFailure>, Never>?
  var job: PicturePlan.JobID?

  func end(_ result: Result<Value, PictureFailure>) {
    continuation?.resume(returning: result)
    continuation = nil
  }
}
