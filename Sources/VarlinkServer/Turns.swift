internal import EventLoop

/// Shares the time of the loop by user: who has a hundred connections gets no more of it than who has one.
///
/// Connections whose peers have sent something wait here, and get their turns round robin over users. A turn is a
/// batch of calls that takes about ``ServerConnection/slice``; after ``stretch`` the loop looks who else has come.
@EventLoopActor
final class Turns {
  /// Users with connections that wait. The first is next.
  private var ring: [ServedUser] = []
  private var next = 0
  private var isServing = false
  private var isExpected = false
  private var isLater = false

  /// Microseconds until the loop looks again. Longer than a turn, so that looking is not most of the work.
  private static let stretch: UInt64 = 500

  /// A connection has something to be read: it gets its turn, at once if nobody else waits for one.
  ///
  /// - Parameter isAgain: whether it has just had one. Then it waits in any case.
  func add(_ connection: ServerConnection, isAgain: Bool = false) {
    if !isAgain, !isServing, next == ring.count, !EventLoop.shared.isTurnShared {
      isServing = true
      connection.takeTurn()
      isServing = false
      if next < ring.count { serveLater() }
      return
    }
    let user = connection.user
    if !user.isReady { ring.append(user) }
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
    if next < ring.count { serveLater() }
  }

  private func serveInTurn() {
    let end = EventLoop.shared.monotonicMicroseconds + Self.stretch
    // Those that have had their turn wait behind those that have not.
    while next < ring.count {
      let user = ring[next]
      next += 1
      if next == ring.count || next >= 256 {
        ring.removeFirst(next)
        next = 0
      }
      let connection = user.popFirst()
      if user.isReady { ring.append(user) }
      connection?.takeTurn()
      if EventLoop.shared.monotonicMicroseconds >= end { return }
    }
  }
}
