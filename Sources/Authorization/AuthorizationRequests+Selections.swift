// What limited apps may see: changed by an owner, in settings or in a picker, and by what they add themselves.
extension AuthorizationRequests {
  /// Changes what apps may see when they are limited; what was decided about them stays as it is. All of it is
  /// changed or nothing: where a policy decides about one of them, an owner cannot (rule S37).
  ///
  /// - Parameter author: the owner.
  package mutating func changeSelection(
    of keys: [RecordKey], by changes: [SelectionChange], author: AccessEvent.Author, for manager: Requester
  ) -> [Action] {
    if let locked = lock(of: keys, for: manager) { return [locked] }
    let selected = keys.flatMap { key in changes.map { AuthorizationChange.select(key, $0) } }
    if selected.isEmpty { return [.reply(manager, .stored())] }
    return store(selected, by: author, for: .manager(manager), settling: [:])
  }

  /// What an app has added joins its selection (rule S18). That is no change of an owner's: it counts beneath a
  /// policy too, and is there when the policy goes (rule S6).
  package mutating func extendSelection(
    of key: RecordKey, by assets: Set<String>, for requester: Requester
  ) -> [Action] {
    if assets.isEmpty { return [.reply(requester, .stored())] }
    return store(
      [.select(key, .add(Selection(assets: assets)))], by: nil, for: .manager(requester), settling: [:])
  }

  /// An owner has answered the limited picker (rule S20): another selection, or full access for as long as the
  /// limited one was given. The reply is the status where nothing is changed: the grant may have ended while the
  /// picker was open, or be another; and one that is on its way to disk counts more than this answer.
  ///
  /// - Parameter before: the selection that the owner was shown. What the app has added meanwhile stays its own
  ///   (rule S18).
  package mutating func picked(
    _ answer: AuthorizationAnswer, insteadOf before: Selection, for key: RecordKey,
    by author: AccessEvent.Author, for requester: Requester, at now: Timestamp
  ) -> [Action] {
    let effective = authorizations.status(of: key, at: now)
    let unchanged: [Action] = [.reply(requester, .status(effective))]
    guard effective.status == .limited, !isBeingDecided(key), let status = answer.choice.decided,
      case .decision(let decision) = effective.origin
    else { return unchanged }
    guard let after = answer.selection else {
      let other = Decision(
        status, decidedAt: now, duration: decision.duration, includesLocation: decision.includesLocation)
      guard let record = try? AuthorizationRecord(key, other) else { return unchanged }
      return set([record], by: author, for: requester)
    }
    let (added, removed) = (after.subtracting(before), before.subtracting(after))
    if added.isEmpty, removed.isEmpty { return unchanged }
    return changeSelection(of: [key], by: [.remove(removed), .add(added)], author: author, for: requester)
  }

  /// What an owner has picked, and allowed the app to see from now on, joins the selection of a limited app that says
  /// what for (rules S14, S23). No other app has one, and it is told that nothing is in the way.
  package mutating func join(
    _ assets: Set<String>, to app: PeerIdentity, by author: AccessEvent.Author, for requester: Requester,
    at now: Timestamp
  ) -> [Action] {
    let key = app.record(.readWrite)
    guard authorizations.status(of: key, at: now).status == .limited, app.mayBeGranted(.readWrite),
      !assets.isEmpty
    else { return [.reply(requester, .stored())] }
    let change = SelectionChange.add(Selection(assets: assets))
    return changeSelection(of: [key], by: [change], author: author, for: requester)
  }
}
