internal import Authorization
internal import EventLoop

/// The limited picker (S20): the owner changes what a limited app may see.
@EventLoopActor
struct LimitedPicker {
  let center: AuthorizationCenter
  let app: PeerIdentity
  /// Whether the app has asked for it; else it is the automatic one (S21).
  var asksItself = true
  /// Who that is by the manifests in force.
  var identity: (@EventLoopActor () -> PeerIdentity?)?
  /// Which of these assets the app sees.
  var visible: @EventLoopActor (Set<String>) -> Set<String> = { $0 }
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
    guard center.status(of: key).status == .limited else { return finish(.success(Outcome())) }
    guard app.mayBeGranted(.readWrite) else {
      return finish(
        .failure(.usageDescriptionMissing(appID: app.appID, .readWrite, manifest: app.manifestFile)))
    }
    let before = center.selection(of: key)
    return center.ask(.limitedPicker(before), app: app, asksItself: asksItself, identity: identity) { reply in
      switch reply {
      case .answer(let answer): take(answer, before)
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

  private func take(_ answer: AuthorizationAnswer, _ before: Selection) {
    guard answer.choice != .notNow else { return done(.success(Outcome(isPutOff: true))) }
    // The grant may have ended while the picker was open, or be another: then there is nothing to select for.
    // One that is on its way to disk counts more than this answer.
    guard center.status(of: key).status == .limited, !center.isBeingDecided(key),
      let status = answer.choice.decided, let decision = center.decisions[key]
    else {
      return done(.success(Outcome()))
    }
    let author = AccessEvent.Author(.agent, uid: answer.author)
    guard let after = answer.selection else { return grant(status, decision, by: author) }
    // The difference to what the owner was shown: what the app has added meanwhile stays its own (S18).
    let added = after.subtracting(before)
    let removed = before.subtracting(after)
    let changes = [SelectionChange.remove(removed), .add(added)]
    guard !added.isEmpty || !removed.isEmpty else { return done(.success(Outcome())) }
    center.changeSelection(of: [key], by: changes, author: author) { reply in
      // What is in a shared album is selected, and never seen (S19).
      finish(reply, visible(added.assets).sorted())
    }
  }

  /// Full access instead, for as long as the limited one was given.
  private func grant(_ status: DecidedStatus, _ decision: Decision, by author: AccessEvent.Author) {
    let new = Decision(status, decidedAt: .now, duration: decision.duration)
    guard let record = try? AuthorizationRecord(key, new) else { return done(.success(Outcome())) }
    center.set([record], by: author) { finish($0, []) }
  }

  private func finish(_ reply: AuthorizationCenter.Reply, _ added: [String]) {
    if case .failure(let error) = reply {
      done(.failure(error))
    } else {
      done(.success(Outcome(added: added)))
    }
  }
}
