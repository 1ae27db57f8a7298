internal import EventLoop
internal import Linux

/// Shares the time of the loop by user: who has a hundred connections gets no more of it than who has one.
///
/// Connections whose peers have sent something wait here, and get their turns round robin over users; users who had
/// nothing to ask a moment ago come before those who have more. A turn is a batch of calls that takes about
/// ``ServerConnection/slice``; after ``stretch`` the loop looks who else has come. Who has had more than its ``TimeShare``
/// rests while others ask.
@EventLoopActor
final class Turns {
  /// Users with connections that wait, in one of these.
  private var new = FirstInFirstOut<ServedUser>()
  private var busy = FirstInFirstOut<ServedUser>()
  /// How many these are.
  private var waiting = 0
  /// Users with connections that wait, who have had their share.
  private var resting: [ServedUser] = []
  private lazy var end = Timer { [unowned self] in endRest() }
  private var latest = LatestTurns()
  private var isServing = false
  private var isExpected = false
  private var isLater = false

  /// Microseconds until the loop looks again. Longer than a turn, so that looking is not most of the work.
  private static let stretch: UInt64 = 400

  /// A connection has something to be read: it gets its turn, at once if nobody else waits for one.
  ///
  /// - Parameter isAgain: whether it has just had one. Then it waits in any case.
  func add(_ connection: ServerConnection, isAgain: Bool = false) {
    let user = connection.user
    if !isAgain, !isServing, waiting == 0, !EventLoop.shared.isTurnShared, !user.isReady {
      let now = EventLoop.shared.monotonicMicroseconds
      if !mustRest(user, at: now) {
        isServing = true
        take(connection, of: user, at: now)
        isServing = false
        if waiting > 0 { serveLater() }
        return
      }
    }
    if !user.isReady { wait(user, isNew: !isAgain) }
    user.append(connection)
    guard !isServing, !isExpected else { return }
    guard !isAgain, EventLoop.shared.isTurnShared else { return serveLater() }
    // All that is ready together first says so: the order in which the kernel tells of it is nobody's turn.
    isExpected = true
    EventLoop.shared.atEndOfTurn { [self] in
      isExpected = false
      serve()
    }
  }

  private func wait(_ user: ServedUser, isNew: Bool = false) {
    if isNew { new.append(user) } else { busy.append(user) }
    waiting += 1
  }

  /// In the loop's next iteration, after the jobs and before the descriptors: not as a deferred source, which would always
  /// come before those of its priority.
  private func serveLater() {
    guard !isLater else { return }
    isLater = true
    Task { [weak self] in
      self?.isLater = false
      self?.serve()
    }
  }

  private func serve() {
    guard !isServing else { return }
    isServing = true
    EventLoop.shared.together { serveInTurn() }
    isServing = false
    if waiting > 0 { serveLater() }
  }

  private func serveInTurn() {
    let end = EventLoop.shared.monotonicMicroseconds + Self.stretch
    // Each of the new ones has one turn before any of the busy ones, and that one at least.
    while let user = new.popFirst() {
      waiting -= 1
      giveTurn(user)
    }
    while let user = busy.popFirst() {
      waiting -= 1
      giveTurn(user)
      if EventLoop.shared.monotonicMicroseconds >= end { return }
    }
  }

  private func giveTurn(_ user: ServedUser) {
    let now = EventLoop.shared.monotonicMicroseconds
    guard !mustRest(user, at: now) else {
      user.isResting = true
      resting.append(user)
      return end.armUnlessArmed(after: Self.rest, accuracy: .microseconds(100))
    }
    let connection = user.popFirst()
    if user.isReady { wait(user) }
    if let connection { take(connection, of: user, at: now) }
  }

  private func take(_ connection: ServerConnection, of user: ServedUser, at begun: UInt64) {
    connection.takeTurn(at: begun)
    let now = EventLoop.shared.monotonicMicroseconds
    user.share.spend(now - begun, until: now)
    latest.note(user.id, at: now)
  }

  // MARK: Rest

  /// How often it is looked whose rest is over.
  private static let rest = Duration.milliseconds(1)

  private func mustRest(_ user: ServedUser, at now: UInt64) -> Bool {
    user.share.rest(at: now) != nil && latest.isContended(for: user.id, at: now)
  }

  private func endRest() {
    let users = resting
    resting = []
    let now = EventLoop.shared.monotonicMicroseconds
    for user in users {
      user.isResting = mustRest(user, at: now)
      if user.isResting { resting.append(user) } else { wait(user) }
    }
    if !resting.isEmpty { end.arm(after: Self.rest, accuracy: .microseconds(100)) }
    if waiting > 0 { serve() }
  }
}

/// Who has asked for something of late.
private struct LatestTurns {
  private var user: UInt32 = .max
  private var time: UInt64 = 0
  /// When somebody else had a turn last.
  private var timeOfOthers: UInt64 = 0

  /// Microseconds for which somebody counts as one who asks.
  private static let memory: UInt64 = 1_000_000

  mutating func note(_ user: UInt32, at now: UInt64) {
    if user != self.user { timeOfOthers = time }
    self.user = user
    time = now
  }

  /// Whether somebody else than this user has asked for something.
  func isContended(for user: UInt32, at now: UInt64) -> Bool {
    let last = user == self.user ? timeOfOthers : time
    return last != 0 && now &- last < Self.memory
  }
}
