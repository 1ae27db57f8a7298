internal import Authorization
internal import EventLoop
internal import Logging

// What owners change, in settings and in pickers, and what the configuration does.
extension AuthorizationCenter {
  /// An owner decides (S8): all of it, or nothing.
  func set(
    _ records: [AuthorizationRecord], by author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    perform(decisions.machine.set(records, by: author, for: newRequester(Call(reply: reply))))
  }

  /// Changes what limited apps may see, of all or of none; what was decided about them stays as it is (S22).
  func changeSelection(
    of keys: [RecordKey], by changes: [SelectionChange], author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(Call(reply: reply))
    perform(decisions.machine.changeSelection(of: keys, by: changes, author: author, for: requester))
  }

  /// An owner has answered the limited picker (S20).
  ///
  /// - Parameter before: the selection that the owner was shown.
  func picked(
    _ answer: AuthorizationAnswer, insteadOf before: Selection, for key: RecordKey,
    by author: AccessEvent.Author, reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(Call(reply: reply))
    perform(
      decisions.machine.picked(answer, insteadOf: before, for: key, by: author, for: requester, at: now))
  }

  /// What an owner has allowed an app to see of what was picked for it joins its selection, if it has one (S23).
  func join(
    _ assets: Set<String>, to app: PeerIdentity, by author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(Call(reply: reply))
    perform(decisions.machine.join(assets, to: app, by: author, for: requester, at: now))
  }

  /// Adds assets to what a limited app may see (S18); on disk, and seen, when this returns.
  func extendSelection(of key: RecordKey, by assets: Set<String>) async {
    let reply = await withCheckedContinuation { continuation in
      let requester = newRequester(Call { continuation.resume(returning: $0) })
      perform(decisions.machine.extendSelection(of: key, by: assets, for: requester))
    }
    // They are in the library all the same: told to try again, the app would add them twice.
    if case .failure(let error) = reply { log.error("A selection could not be stored: \(error)") }
  }

  /// An owner takes decisions back, and ends the pauses of that app and user; of all when nil.
  func reset(
    _ keys: [RecordKey], appID: String?, uid: UInt32?, by author: AccessEvent.Author,
    reply: @escaping @EventLoopActor (Reply) -> Void
  ) {
    let requester = newRequester(Call(reply: reply))
    perform(decisions.machine.reset(keys, appID: appID, uid: uid, by: author, for: requester))
  }

  /// The configuration was read again.
  func reload(policies: PolicySet, owners: OwnerRules, expireUnusedAfterDays: Int?) {
    decisions.machine.unusedLimitChanged(days: expireUnusedAfterDays)
    noteUses()
    let dropped = Set(agents.filter { !$0.value.mayActAsOwner() }.keys)
    perform(decisions.machine.ownersChanged(owners, dropping: dropped))
    // An app that is another by now may have one that is known no more forgotten, and which that is what was decided tells.
    let identities = calls.compactMapValues { $0.identity }.mapValues { $0() }
    perform(decisions.machine.identitiesChanged(identities, promptID: { .random() }))
    perform(decisions.machine.policiesChanged(policies, seen: apps.seen, at: now))
    expireDecisions()
  }
}
