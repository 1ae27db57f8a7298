internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import VarlinkServer

/// Asks an owner to confirm what an app is about to do (S33), once, and waits for the answer.
@EventLoopActor
final class OwnerConfirmation {
  private var waiting: CheckedContinuation<AuthorizationCenter.Reply?, Never>?

  private init() {}

  /// Returns when an owner agrees.
  ///
  /// - Throws: `UserRefused` for every other answer (S11: it is about this call alone, and nothing is
  ///   remembered); `RequestError` when it cannot be asked; `CancellationError` when the caller has gone.
  static func ask(
    _ question: OwnerQuestion, for app: PeerIdentity, _ call: ServerCall, by center: AuthorizationCenter,
    identity: @escaping @EventLoopActor () -> PeerIdentity?
  ) async throws {
    let confirmation = OwnerConfirmation()
    let reply = await withCheckedContinuation { continuation in
      confirmation.waiting = continuation
      let requester = center.ask(question, app: app, asksItself: true, identity: identity) {
        confirmation.finish($0)
      }
      call.onEnd {
        center.gone(requester)
        confirmation.finish(nil)
      }
    }
    switch reply {
    case .answer(let answer, _)?:
      guard answer.choice == .allow else { throw LibraryInterface.UserRefused() }
    case .failure(let error)?: throw error
    case .status?, .stored?: throw LibraryInterface.UserRefused()
    case nil: throw CancellationError()
    }
  }

  private func finish(_ reply: AuthorizationCenter.Reply?) {
    waiting?.resume(returning: reply)
    waiting = nil
  }
}
