internal import Linux
internal import AlbumAPI
internal import Sentences

/// Changes one by one, on a thread that waits: through restarts of the daemon, and through times when the
/// app may not read. Each is told once (S26).
final class ChangeFeed: WaitingFeed {
  fileprivate struct Subscription {
    let assets: AlbumStream<SubscribeToAssets>
    let albums: AlbumStream<SubscribeToAlbums>
  }

  fileprivate enum State {
    /// Not connected.
    case away
    /// Not allowed to subscribe; told when it is (S29).
    case unauthorized(AlbumStream<AuthorizationInterface.Monitor>)
    case subscribed(Subscription)
  }

  private let lanes: CallLanes
  private let endsWhenExpired: Bool
  private var position: FeedPosition
  private var state = State.away { didSet { begun = .now } }
  /// When the state began.
  private var begun = ContinuousClock.now
  /// Who is looked at first: the one that did not tell last.
  private var first = FeedPosition.Subject.assets
  private var access = FeedAccess()
  private var absence: Absence

  /// What went on for so long did not fail at once: whatever comes next is another failure.
  private static let steady = Duration.seconds(5)

  /// - Parameters:
  ///   - since: where to go on; from now when nil.
  ///   - endsWhenExpired: throw `tokenExpired` rather than tell that changes were lost.
  ///   - stop: ends the waiting for good.
  init(_ lanes: CallLanes, since: PersistentChangeToken?, endsWhenExpired: Bool, stop: WakeSignal) {
    self.lanes = lanes
    absence = Absence(lanes.socket, stop: stop)
    self.endsWhenExpired = endsWhenExpired
    position = FeedPosition(since)
  }

  /// Waits for the next change.
  ///
  /// - Returns: nil when it was stopped.
  /// - Throws: `tokenExpired`, if it is to end then.
  func next() throws(AlbumError) -> PhotoChange? {
    while !absence.isStopped {
      if let (status, token) = access.takeRefusal() {
        return PhotoChange(lanes, withoutAccess: status, token: token)
      }
      if let (subjects, token) = position.takeLost() {
        return PhotoChange(
          lanes, assets: .init(hasIncrementalChanges: !subjects.contains(.assets)),
          albums: .init(hasIncrementalChanges: !subjects.contains(.albums)), token: token,
          authorizationStatus: takeGrant())
      }
      do throws(AlbumError) {
        switch state {
        case .away: state = .subscribed(try subscribe())
        case .unauthorized(let monitor): try awaitPermission(monitor)
        case .subscribed(let subscription):
          guard let change = try receive(subscription) else { break }
          absence.reset()
          return change
        }
      } catch { try recover(from: error) }
    }
    return nil
  }

  /// What was granted, if access is what came: it may have come back before anybody was told of it.
  private func takeGrant() -> AuthorizationStatus? {
    let wasRefused = access.isRefused
    if let known = access.takeGrant() { return known }
    return wasRefused ? try? lanes.socket.connect().status(of: .readWrite).status : nil
  }

  private func subscribe() throws(AlbumError) -> Subscription {
    Subscription(
      assets: try lanes.socket.connect().assetChanges(since: position[.assets]),
      albums: try lanes.socket.connect().albumChanges(since: position[.albums]))
  }

  private func awaitPermission(
    _ monitor: AlbumStream<AuthorizationInterface.Monitor>
  ) throws(AlbumError) {
    guard monitor.mayHaveReply || absence.wait(for: [monitor.descriptor])[0] else { return }
    guard let reply = try monitor.next() else { throw AlbumError(endOf: monitor.place) }
    guard reply.accessLevel == .readWrite, reply.status.isUsable else { return }
    access.granted(reply.status)
    state = .away
  }

  // MARK: Deliveries

  private func receive(_ subscription: Subscription) throws(AlbumError) -> PhotoChange? {
    let ready = awaitDelivery(subscription)
    // In turn: what never ends of the one must not keep the other waiting.
    for subject in [first, first.other] where ready.contains(subject) {
      if let change = try receive(subject, of: subscription) { return change }
    }
    return nil
  }

  private func receive(
    _ subject: FeedPosition.Subject, of subscription: Subscription
  ) throws(AlbumError) -> PhotoChange? {
    switch subject {
    case .assets:
      let delivery = try next(of: subscription.assets, .assets)
      let changes = ObjectChanges<Asset>(delivery)
      guard let token = advance(.assets, to: delivery.token), !changes.isEmpty else { return nil }
      return PhotoChange(lanes, assets: changes, token: token)
    case .albums:
      let delivery = try next(of: subscription.albums, .albums)
      let changes = ObjectChanges<Album>(delivery)
      guard let token = advance(.albums, to: delivery.token), !changes.isEmpty else { return nil }
      return PhotoChange(lanes, albums: changes, token: token)
    }
  }

  /// Waits until something can be read, and says of what.
  private func awaitDelivery(_ subscription: Subscription) -> Set<FeedPosition.Subject> {
    let wanted = FeedPosition.Subject.allCases.filter(position.wants)
    var ready = Set(wanted.filter { subscription.mayHaveReply($0) })
    let isReadable = absence.wait(
      for: wanted.map { subscription.descriptor($0) }, milliseconds: ready.isEmpty ? nil : 0)
    for (subject, isReadable) in zip(wanted, isReadable) where isReadable { ready.insert(subject) }
    return ready
  }

  private func next<Method>(
    of stream: AlbumStream<Method>, _ subject: FeedPosition.Subject
  ) throws(AlbumError) -> Method.Reply {
    do throws(AlbumError) {
      guard let delivery = try stream.next() else { throw AlbumError(endOf: stream.place) }
      return delivery
    } catch {
      if error.code == .tokenExpired, !endsWhenExpired { position.lose(subject) }
      throw error
    }
  }

  private func advance(_ subject: FeedPosition.Subject, to token: String) -> PersistentChangeToken? {
    absence.isOver()
    first = subject.other
    position.advance(subject, to: token)
    return position.token
  }

  // MARK: Being away

  /// Whatever keeps the feed from going on may be over some time; only a token that is of no use is not.
  ///
  /// Waits before it is tried again, and longer each time: until a change was told, or it went well for
  /// a while. That a subscription begins says nothing yet.
  private func recover(from error: AlbumError) throws(AlbumError) {
    if error.code == .tokenExpired, endsWhenExpired { throw error }
    if !state.isAway, begun.duration(to: .now) >= Self.steady { absence.reset() }
    state = .away
    // What is shown is told at once that it may not be.
    if error.code == .notAuthorized, access.refused(error.status ?? .denied, &position) { return }
    absence.pause()
    guard error.code == .notAuthorized else { return }
    // Where that fails too, subscribing fails in the same way, and is next.
    if let monitor = try? lanes.socket.connect().monitor() {
      state = .unauthorized(monitor)
    }
  }
}

extension ChangeFeed.Subscription {
  fileprivate func descriptor(_ subject: FeedPosition.Subject) -> CInt {
    switch subject {
    case .assets: assets.descriptor
    case .albums: albums.descriptor
    }
  }

  fileprivate func mayHaveReply(_ subject: FeedPosition.Subject) -> Bool {
    switch subject {
    case .assets: assets.mayHaveReply
    case .albums: albums.mayHaveReply
    }
  }
}

extension ChangeFeed.State {
  fileprivate var isAway: Bool {
    switch self {
    case .away: true
    case .unauthorized, .subscribed: false
    }
  }
}

extension AlbumError {
  /// A stream that has no end ended.
  init(endOf place: String) {
    self.init(.connectionLost, "albumd ended the stream.", place: place)
  }
}
