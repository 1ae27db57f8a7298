internal import EventLoop

/// Shares the time of the loop by user: who has a hundred connections gets no more of it than who has one.
///
/// Connections whose peers have sent something wait here, and get their turns round robin over users; users who had
/// nothing to ask a moment ago come before those who have more. A turn is a batch of calls that takes about
/// ``ServerConnection/slice``; after ``stretch`` the loop looks who else has come.
@EventLoopActor
final class Turns {
  /// Users with connections that wait, in one of these.
  private var new = UserLine()
  private var busy = UserLine()
  private var isServing = false
  private var isExpected = false
  private var isLater = false

  /// Microseconds until the loop looks again. Longer than a turn, so that looking is not most of the work.
  private static let stretch: UInt64 = 400

  /// A connection has something to be read: it gets its turn, at once if nobody else waits for one.
  ///
  /// - Parameter isAgain: whether it has just had one. Then it waits in any case.
  func add(_ connection: ServerConnection, isAgain: Bool = false) {
    if !isAgain, !isServing, isEmpty, !EventLoop.shared.isTurnShared {
      isServing = true
      connection.takeTurn()
      isServing = false
      if !isEmpty { serveLater() }
      return
    }
    let user = connection.user
    if !user.isReady {
      if isAgain { busy.append(user) } else { new.append(user) }
    }
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

  private var isEmpty: Bool { new.isEmpty && busy.isEmpty }

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
    if !isEmpty { serveLater() }
  }

  private func serveInTurn() {
    let end = EventLoop.shared.monotonicMicroseconds + Self.stretch
    // Each of the new ones has one turn before any of the busy ones, and that one at least.
    while let user = new.popFirst() { giveTurn(user) }
    while let user = busy.popFirst() {
      giveTurn(user)
      if EventLoop.shared.monotonicMicroseconds >= end { return }
    }
  }

  private func giveTurn(_ user: ServedUser) {
    let connection = user.popFirst()
    if user.isReady { busy.append(user) }
    connection?.takeTurn()
  }
}

/// Users in the order in which they came.
@EventLoopActor
private struct UserLine {
  private var users: [ServedUser] = []
  private var next = 0

  nonisolated init() {}

  var isEmpty: Bool { next == users.count }

  mutating func append(_ user: ServedUser) { users.append(user) }

  mutating func popFirst() -> ServedUser? {
    guard next < users.count else { return nil }
    let user = users[next]
    next += 1
    if next == users.count {
      users.removeAll(keepingCapacity: true)
      next = 0
    } else if next >= 256 {
      users.removeFirst(next)
      next = 0
    }
    return user
  }
}
