// Grants that end by themselves, and the use that keeps them.
extension AuthorizationRequests {
  /// A process to which a decision was bound has ended, and so has the decision.
  package mutating func processExited(_ process: ProcessInstance) -> [Action] {
    forget(authorizations.bound(to: process), by: .init(.exit))
  }

  /// It is that late: decisions whose time is over are removed, and those that were not used for too long. Call at
  /// `authorizations.nextExpiry`.
  ///
  /// - Parameter inUse: the records that are made use of without a call.
  package mutating func expire(at now: Timestamp, inUse: some Sequence<RecordKey>) -> [Action] {
    let uses = used(inUse, at: now)
    let unused = authorizations.unused(at: now)
    let over = authorizations.expired(at: now).filter { !unused.contains($0) }
    return uses + forget(over, by: .init(.expiry)) + forget(unused, by: .init(.disuse))
  }

  /// An app makes use of a grant.
  ///
  /// - Returns: whether that is to be stored.
  package mutating func use(_ key: RecordKey, at now: Timestamp) -> Bool {
    authorizations.use(key, at: now)
  }

  /// Apps make use of what they were granted, and time beneath a policy is use (rule S6).
  package mutating func used(_ keys: some Sequence<RecordKey>, at now: Timestamp) -> [Action] {
    (keys + authorizations.beneathPolicies).filter { authorizations.use($0, at: now) }.map {
      .noteUse($0, at: now)
    }
  }

  /// The configuration says for how many days a grant may go unused; nil for ever. Call ``used(_:at:)`` afterwards,
  /// and before a policy goes: what was beneath it does not end with it.
  package mutating func unusedLimitChanged(days: Int?) {
    authorizations.expireUnusedAfterDays = days
  }

  /// These have ended by themselves, which counts and is told at once.
  private mutating func forget(_ keys: [RecordKey], by author: AccessEvent.Author) -> [Action] {
    if keys.isEmpty { return [] }
    let notes = keys.map { end(of: $0, by: author) }
    for key in keys { authorizations.end(key) }
    // What is on its way to disk is newer than what ends here, and must not be removed after it.
    let onDisk = keys.filter { settling[$0] == nil }
    let removal =
      onDisk.isEmpty ? [] : store(onDisk.map { .remove($0) }, by: nil, for: .nobody, settling: [:])
    return notes + removal + keys.map { .changed($0, from: nil) }
  }
}
