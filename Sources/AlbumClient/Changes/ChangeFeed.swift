internal import AlbumAPI
internal import Glibc
internal import Linux

/// Changes one by one, on a thread that waits: through restarts of the daemon, and through times when the
/// app may not read. Each is told once (S26).
final class ChangeFeed {
  private struct Subscription {
    let assets: AlbumStream<SubscribeToAssets>
    let albums: AlbumStream<SubscribeToAlbums>
  }

  private enum State {
    /// Not connected.
    case away
    /// Not allowed to subscribe; told when it is (S29).
    case unauthorized(AlbumStream<AuthorizationInterface.Monitor>)
    case subscribed(Subscription)
  }

  private let lanes: CallLanes
  private let stop: WakeSignal
  private let endsWhenExpired: Bool
  private var position: FeedPosition
  private var state = State.away
  private var arrival: SocketArrival?
  private var backoff = Backoff(bound: 30_000)

  /// - Parameters:
  ///   - since: where to go on; from now when nil.
  ///   - endsWhenExpired: throw `tokenExpired` rather than tell that changes were lost.
  ///   - stop: ends the waiting for good.
  init(_ lanes: CallLanes, since: PersistentChangeToken?, endsWhenExpired: Bool, stop: WakeSignal) {
    self.lanes = lanes
    self.stop = stop
    self.endsWhenExpired = endsWhenExpired
    position = FeedPosition(since)
  }

  /// Waits for the next change.
  ///
  /// - Returns: nil when it was stopped.
  /// - Throws: `tokenExpired`, if it is to end then.
  func next() throws(AlbumError) -> PhotoChange? {
    while !isReady(stop.descriptor) {
      if let (subjects, token) = position.takeLost() {
        return PhotoChange(
          lanes, assets: .init(hasIncrementalChanges: !subjects.contains(.assets)),
          albums: .init(hasIncrementalChanges: !subjects.contains(.albums)), token: token)
      }
      do throws(AlbumError) {
        switch state {
        case .away: state = .subscribed(try subscribe())
        case .unauthorized(let monitor): try awaitPermission(monitor)
        case .subscribed(let subscription): if let change = try receive(subscription) { return change }
        }
      } catch { try recover(from: error) }
    }
    return nil
  }

  private func subscribe() throws(AlbumError) -> Subscription {
    let path = lanes.socketPath
    return Subscription(
      assets: try AlbumConnection(socket: path).assetChanges(since: position[.assets]),
      albums: try AlbumConnection(socket: path).albumChanges(since: position[.albums]))
  }

  private func awaitPermission(
    _ monitor: AlbumStream<AuthorizationInterface.Monitor>
  ) throws(AlbumError) {
    guard monitor.mayHaveReply || wait(for: [monitor.descriptor])[0] else { return }
    guard let reply = try monitor.next() else { throw AlbumError(endOf: monitor.place) }
    if reply.accessLevel == .readWrite, reply.status.isUsable { state = .away }
  }

  // MARK: Deliveries

  private func receive(_ subscription: Subscription) throws(AlbumError) -> PhotoChange? {
    let (assets, albums) = (subscription.assets, subscription.albums)
    let (wantsAssets, wantsAlbums) = (position.wants(.assets), position.wants(.albums))
    var ready = [wantsAssets && assets.mayHaveReply, wantsAlbums && albums.mayHaveReply]
    if !ready.contains(true) {
      // poll(2) ignores negative descriptors.
      ready = wait(for: [wantsAssets ? assets.descriptor : -1, wantsAlbums ? albums.descriptor : -1])
    }
    if ready[0] {
      let delivery = try next(of: assets, .assets)
      let changes = ObjectChanges<Asset>(delivery)
      if let token = advance(.assets, to: delivery.token), !changes.isEmpty {
        return PhotoChange(lanes, assets: changes, token: token)
      }
    }
    if ready[1] {
      let delivery = try next(of: albums, .albums)
      let changes = ObjectChanges<Album>(delivery)
      if let token = advance(.albums, to: delivery.token), !changes.isEmpty {
        return PhotoChange(lanes, albums: changes, token: token)
      }
    }
    return nil
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
    backoff.reset()
    arrival = nil
    position.advance(subject, to: token)
    return position.token
  }

  // MARK: Being away

  /// Whatever keeps the feed from going on may be over some time; only a token that is of no use is not.
  private func recover(from error: AlbumError) throws(AlbumError) {
    state = .away
    switch error.code {
    case .tokenExpired:
      if endsWhenExpired { throw error }
    case .notAuthorized:
      do throws(AlbumError) {
        state = .unauthorized(try AlbumConnection(socket: lanes.socketPath).monitor())
      } catch { pause() }
    default: pause()
    }
  }

  /// Waits until it is worth trying again.
  private func pause() {
    guard let arrival else {
      // From now on the socket's coming is noticed: try once more before waiting for it.
      arrival = try? SocketArrival(path: lanes.socketPath)
      if arrival == nil { _ = wait(for: [], milliseconds: backoff.delay()) }
      return
    }
    let exists = access(lanes.socketPath, F_OK) == 0
    let hasArrived = wait(for: [arrival.descriptor], milliseconds: exists ? backoff.delay() : nil)[0]
    if hasArrived { arrival.acknowledge() }
  }

  /// Waits until one is readable, the time is over, or the feed is stopped.
  private func wait(for descriptors: [CInt], milliseconds: Int? = nil) -> [Bool] {
    var requests = (descriptors + [stop.descriptor]).map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&requests, nfds_t(requests.count), milliseconds.map { CInt(clamping: $0) } ?? -1)
    return requests.dropLast().map { $0.revents != 0 }
  }

  private func isReady(_ descriptor: CInt) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}

extension AlbumError {
  /// A stream that has no end ended.
  fileprivate init(endOf place: String) {
    self.init(.connectionLost, "albumd ended the stream.", place: place)
  }
}
