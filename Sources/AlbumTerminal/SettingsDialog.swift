package import AlbumAPI
package import Words

/// Everything about one app on one page, to look at and to change, without the terminal: keys and the
/// daemon's news go in, actions and a screen come out.
///
/// An app has a line for each user and access level. Nothing shows as changed before the daemon says so.
package struct SettingsDialog: Sendable {
  /// What the shell does next.
  package enum Action: Hashable, Sendable {
    /// Decide; then ``done()`` or ``failed(_:)``.
    case set(ManagerInterface.SetAuthorization.Parameters)
    /// Change whether the app learns where photos were taken; then ``done()`` or ``failed(_:)``.
    case setLocation(ManagerInterface.SetLocation.Parameters)
    /// Forget a decision; then ``done()`` or ``failed(_:)``.
    case reset(ManagerInterface.Reset.Parameters)
    /// Show the picker with what the app sees; then ``done()``, ``left()`` or ``failed(_:)``.
    case select(ManagerInterface.App)
    /// The person leaves.
    case end
  }

  /// A line to change: one access level of one user's app.
  struct Row: Hashable, Sendable {
    let app: ManagerInterface.App
    let grant: ManagerInterface.Grant

    /// What it can be changed to: nothing where a policy decides (S37), and adding is never limited (S1).
    var choices: [AuthorizationInterface.AuthorizationStatus] {
      if grant.policy != nil { return [] }
      return grant.accessLevel == .addOnly ? [.authorized, .denied] : [.authorized, .limited, .denied]
    }

    /// Whether the owner can change if the app learns where photos were taken: it may read, and says what for or has
    /// it from before it had to say so (S55).
    var hasLocationSwitch: Bool {
      guard grant.policy == nil, let location = grant.location else { return false }
      return location || app.locationUsageDescription != nil
    }

    /// Whether both are the same user's and level's, as they were at different times.
    func isAbout(the other: Row) -> Bool {
      app.uid == other.app.uid && grant.accessLevel == other.grant.accessLevel
    }
  }

  enum State: Hashable, Sendable {
    case choosing
    case choosingDuration(AuthorizationInterface.AuthorizationStatus)
    case choosingTime(AuthorizationInterface.AuthorizationStatus)
    case confirmingReset
    case sending
  }

  /// The app.
  package let appID: String
  let words: Words
  private(set) var rows: [Row] = []
  /// What it did last for each of its users, the oldest first.
  package private(set) var log: [ManagerInterface.AccessLogEntry] = []
  /// The line that keys change; none where it has gone, until another is chosen.
  private(set) var position: Int? = 0
  private(set) var state = State.choosing
  /// What the last change came to.
  private(set) var message: String?

  /// Entries of the log that are kept of each user: one who is busy does not push out the others'.
  private static let logLimit = 50

  /// A page that was told nothing yet.
  package init(appID: String, words: Words = .english) {
    self.appID = appID
    self.words = words
  }

  // MARK: News

  /// How the app stands now: one for each of its users.
  package mutating func show(_ apps: [ManagerInterface.App]) {
    let here = row
    rows = apps.filter { $0.id == appID }.flatMap { app in app.grants.map { Row(app: app, grant: $0) } }
    guard let here else { return }
    position = rows.firstIndex { $0.isAbout(the: here) }
    guard position == nil, state != .choosing, state != .sending else { return }
    // What was begun was about a line that has gone: the next key must not decide about another.
    state = .choosing
    message = words[.leftAsItWas]
  }

  /// Entries of the log, the oldest first. One that comes again takes the place of the earlier.
  package mutating func note(_ entries: [ManagerInterface.AccessLogEntry]) {
    for entry in entries where entry.appId == appID {
      log.removeAll { $0.id == entry.id }
      log.append(entry)
      let same = log.indices.filter { log[$0].uid == entry.uid }
      if same.count > Self.logLimit { log.remove(at: same[0]) }
    }
  }

  /// The daemon has done it.
  package mutating func done() {
    guard case .sending = state else { return }
    state = .choosing
    message = words[.done]
  }

  /// The person changed nothing.
  package mutating func left() {
    guard case .sending = state else { return }
    state = .choosing
    message = words[.leftAsItWas]
  }

  /// The daemon has not.
  package mutating func failed(_ reason: String) {
    guard case .sending = state else { return }
    state = .choosing
    message = reason
  }

  // MARK: Keys

  /// The line that keys change.
  var row: Row? { position.flatMap { rows.indices.contains($0) ? rows[$0] : nil } }

  /// A key was pressed.
  ///
  /// - Parameter now: from which spans of time are counted.
  package mutating func press(_ key: Key, now: Instant) -> [Action] {
    switch state {
    case .sending: return []
    case .choosing: return choose(key)
    case .choosingDuration(let status): return chooseDuration(key, status)
    case .choosingTime(let status): return chooseTime(key, status, now)
    case .confirmingReset: return confirmReset(key)
    }
  }

  private mutating func choose(_ key: Key) -> [Action] {
    message = nil
    switch key {
    case .character("q"), .escape: return [.end]
    case .up, .character("k"): position = max(0, (position ?? 0) - 1)
    case .down, .character("j"): position = max(0, min(rows.count - 1, position.map { $0 + 1 } ?? 0))
    case .character("a"): begin(.authorized)
    case .character("s"): begin(.limited)
    case .character("d"): begin(.denied)
    case .character("e"): return select()
    case .character("l"): return switchLocation()
    // Also where nothing was decided: what was put off too often may be asked again.
    case .character("r"): if row != nil { state = .confirmingReset }
    case .character, .enter, .backspace, .left, .right, .pageUp, .pageDown, .home, .end, .tab: break
    }
    return []
  }

  /// Begins to change what a limited app sees.
  private mutating func select() -> [Action] {
    guard let row else { return [] }
    guard row.grant.status == .limited else {
      message = words[.nothingSelected]
      return []
    }
    state = .sending
    return [.select(row.app)]
  }

  private mutating func switchLocation() -> [Action] {
    guard let row else { return [] }
    guard row.hasLocationSwitch else {
      message =
        row.grant.policy.map { words[.policyDecides, ["policy": $0]] } ?? words[.noLocationToSwitch]
      return []
    }
    state = .sending
    return [.setLocation(.init(appId: appID, uid: row.app.uid, location: row.grant.location != true))]
  }

  /// Begins a change of the line, if it can be made.
  private mutating func begin(_ status: AuthorizationInterface.AuthorizationStatus) {
    guard let row else { return }
    if row.choices.contains(status) {
      state = .choosingDuration(status)
    } else {
      message = row.grant.policy.map { words[.policyDecides, ["policy": $0]] } ?? words[.addingIsNotLimited]
    }
  }

  private mutating func chooseDuration(
    _ key: Key, _ status: AuthorizationInterface.AuthorizationStatus
  ) -> [Action] {
    switch key {
    case .character("a"): return send(status, expires: nil)
    case .character("t"): state = .choosingTime(status)
    case .escape: state = .choosing
    case .character, .enter, .backspace, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab:
      break
    }
    return []
  }

  private mutating func chooseTime(
    _ key: Key, _ status: AuthorizationInterface.AuthorizationStatus, _ now: Instant
  ) -> [Action] {
    if key == .escape {
      state = .choosingDuration(status)
      return []
    }
    guard let span = TimeSpan.allCases.first(where: { key == .character($0.key) }),
      let expires = Instant(argument: span.rawValue, now: now)
    else { return [] }
    return send(status, expires: expires)
  }

  private mutating func confirmReset(_ key: Key) -> [Action] {
    state = .choosing
    guard key == .character("y"), let row else { return [] }
    state = .sending
    return [.reset(.init(appId: appID, uid: row.app.uid, accessLevel: row.grant.accessLevel))]
  }

  private mutating func send(
    _ status: AuthorizationInterface.AuthorizationStatus, expires: Instant?
  ) -> [Action] {
    guard let row else { return [] }
    state = .sending
    return [
      .set(
        .init(
          appId: appID, uid: row.app.uid, accessLevel: row.grant.accessLevel, status: status, expires: expires
        ))
    ]
  }
}
