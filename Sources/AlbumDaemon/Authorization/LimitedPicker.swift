internal import Authorization
internal import EventLoop

/// The limited picker (S20): the owner changes what a limited app may see.
@EventLoopActor
struct LimitedPicker {
  let center: AuthorizationCenter
  let app: PeerIdentity
  /// Whether the app has asked for it; else it is the automatic one (S21).
  let asksItself: Bool
  let visibility: any AssetVisibility
  /// Who that is by the manifests in force.
  let identity: @EventLoopActor () -> PeerIdentity?
  /// Told what has come of it, or why the owner could not be asked; never before ``present()`` has returned.
  let done: @EventLoopActor (Result<Outcome, RequestError>) -> Void

  /// What has come of it.
  struct Outcome {
    /// The assets that are newly selected.
    var added: [String] = []
    /// Whether the owner decided nothing (S11).
    var isPutOff = false
  }

  private var key: RecordKey { app.record(.readWrite) }

  /// Shows the picker. In any other status than limited it does nothing.
  ///
  /// - Returns: the name by which to say that nobody waits for it any more.
  func present() -> AuthorizationCenter.Requester? {
    guard center.decisions.status(of: key).status == .limited else { return finish(.success(Outcome())) }
    guard app.mayBeGranted(.readWrite) else {
      return finish(
        .failure(.usageDescriptionMissing(appID: app.appID, .readWrite, manifest: app.manifestFile)))
    }
    let before = center.decisions.selection(of: key)
    return center.ask(.limitedPicker(before), app: app, asksItself: asksItself, identity: identity) { reply in
      switch reply {
      case .answer(let answer, let author): take(answer, before, by: author)
      case .failure(let error): done(.failure(error))
      case .status, .stored: done(.success(Outcome()))
      }
    }
  }

  /// Nobody is asked.
  private func finish(_ result: Result<Outcome, RequestError>) -> AuthorizationCenter.Requester? {
    EventLoopActor.afterReturn { [done] in done(result) }
    return nil
  }

  private func take(_ answer: AuthorizationAnswer, _ before: Selection, by author: AccessEvent.Author) {
    guard answer.choice != .notNow else { return done(.success(Outcome(isPutOff: true))) }
    center.picked(answer, insteadOf: before, for: key, by: author) { reply in
      switch reply {
      // What is in a shared album is selected, and never seen (S19).
      case .stored:
        tell(answer.selection?.subtracting(before).assets ?? [])
      case .failure(let error): done(.failure(error))
      case .status, .answer: done(.success(Outcome()))
      }
    }
  }

  private func tell(_ added: Set<String>) {
    // Whoever did not ask is not told, and nothing is looked up for it.
    guard asksItself, !added.isEmpty else { return done(.success(Outcome())) }
    Task.onLoopNow {
      let visible = await visibility.visible(added, to: app)
      done(.success(Outcome(added: visible.sorted())))
    }
  }
}
