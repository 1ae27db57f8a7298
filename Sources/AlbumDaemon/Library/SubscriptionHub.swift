internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

/// Tells subscribers what changed (S24–S29). The journal is the queue: a subscription is a filter and a
/// place in it, and nothing is kept for a subscriber that reads slowly.
///
/// Subscribers with equal filters share every encoded delivery.
@EventLoopActor
final class SubscriptionHub {
  private let store: LibraryStore
  private let access: LibraryAccess
  private let encoder: DeliveryEncoder
  private var groups: [ChangeFilter: SubscriptionGroup] = [:]
  private var subscriptions: [ObjectIdentifier: Subscription] = [:]

  init(store: LibraryStore, access: LibraryAccess, encoder: DeliveryEncoder) {
    self.store = store
    self.access = access
    self.encoder = encoder
  }

  /// How many there are.
  var count: Int { subscriptions.count }

  /// The apps that have subscribed.
  var readers: Set<PeerIdentity> { Set(subscriptions.values.compactMap(\.reader.app)) }

  /// Begins a subscription: the starting token at once, then changes.
  func add(
    _ call: ServerCall, _ parameters: LibraryInterface.Subscribe.Parameters, _ reader: LibraryAccess.Reader
  ) throws {
    let start = try place(parameters.since)
    let filter = ChangeFilter(try subject(parameters), view: reader.view)
    let subscription = Subscription(call, reader, filter)
    subscriptions[ObjectIdentifier(call)] = subscription
    call.onEnd { [weak self] in self?.remove(subscription) }
    subscription.call.send(encoder.empty(at: start), continues: true)
    resume(subscription, after: start)
  }

  /// Changes were committed: tells those who have been told everything before them.
  ///
  /// Where these changes may have made an album a shared one (S19), those who see something else from now on
  /// are not told of them, but that they must fetch anew.
  func publish(_ changes: [PlacedChange], mayHaveChangedViews: Bool) {
    let waiting = mayHaveChangedViews ? subscriptions.values.filter { takeOut($0) } : []
    for group in groups.values { group.publish(changes, by: encoder) { self.fallBehind($0, at: $1) } }
    for subscription in waiting { resume(subscription, after: store.place) }
  }

  /// What apps may see has changed: each subscription goes on with what its caller may see now, or ends.
  func authorizationChanged(_ concerns: (LibraryAccess.Reader) -> Bool = { _ in true }) {
    for subscription in Array(subscriptions.values) where concerns(subscription.reader) {
      review(subscription)
    }
  }

  // MARK: Parameters

  private func subject(_ parameters: LibraryInterface.Subscribe.Parameters) throws -> ChangeFilter.Subject {
    if parameters.albums ?? false {
      guard parameters.assets == nil else { throw InvalidParameter(parameter: "albums") }
      return .albums
    }
    return .assets(
      albums: parameters.assets?.albums.map { Set($0.compactMap(store.ids.album)) },
      ids: parameters.assets?.ids.map { Set($0.compactMap(store.ids.asset)) })
  }

  /// The place of a token (S27).
  private func place(_ token: String?) throws -> Place {
    guard let token else { return store.place }
    guard let place = store.tokens.decode(token), try store.covers(place) else {
      throw LibraryInterface.TokenExpired()
    }
    return place
  }

  // MARK: Life

  private func join(_ subscription: Subscription) {
    if let group = groups[subscription.filter] {
      group.add(subscription)
    } else {
      let group = SubscriptionGroup(subscription.filter)
      group.add(subscription)
      groups[subscription.filter] = group
    }
  }

  private func leave(_ subscription: Subscription) {
    guard let group = subscription.group else { return }
    group.remove(subscription)
    if group.isEmpty { groups[group.filter] = nil }
  }

  private func remove(_ subscription: Subscription) {
    leave(subscription)
    subscriptions[ObjectIdentifier(subscription.call)] = nil
  }

  /// A subscriber has not taken what it was sent: it goes on from `place` when it has.
  private func fallBehind(_ subscription: Subscription, at place: Place) {
    leave(subscription)
    subscription.call.whenDrained { [weak self, weak subscription] in
      guard let self, let subscription, subscriptions[ObjectIdentifier(subscription.call)] != nil else {
        return
      }
      resume(subscription, after: place)
    }
  }

  /// Tells a subscriber what the journal holds after `place`, as far as it takes it; at the end of the
  /// journal it joins those who are told at once.
  private func resume(_ subscription: Subscription, after start: Place) {
    var place = start
    while place < store.place || subscription.mustFetchAnew {
      guard !subscription.call.isOver else { return }
      guard subscription.call.isDrained else { return fallBehind(subscription, at: place) }
      do {
        place = try sendNext(subscription, after: place)
      } catch { return subscription.call.fail(error) }
    }
    // Writing to it can end it; what joins after its end would stay for good.
    if !subscription.call.isOver { join(subscription) }
  }

  /// - Returns: the place after what was sent.
  private func sendNext(_ subscription: Subscription, after place: Place) throws -> Place {
    guard !subscription.mustFetchAnew,
      case .changes(let changes) = try store.changes(after: place, limit: DeliveryEncoder.limit)
    else {
      // Its place is no longer in the journal, or what it sees is another selection: it is told so once
      // (S28).
      subscription.mustFetchAnew = false
      subscription.call.send(encoder.empty(at: store.place, hasIncrementalChanges: false), continues: true)
      return store.place
    }
    for delivery in encoder.deliveries(of: changes, through: subscription.filter) {
      subscription.call.send(delivery.message, continues: true)
    }
    return changes.last?.place ?? store.place
  }

  private func review(_ subscription: Subscription) {
    if takeOut(subscription) { resume(subscription, after: store.place) }
  }

  /// Takes a subscriber out of its group when it may see something else than its group; it must fetch anew.
  /// One that may see nothing any more is told so, and its subscription ends.
  ///
  /// - Returns: whether it is out and to be resumed. Who is behind resumes by itself.
  private func takeOut(_ subscription: Subscription) -> Bool {
    do { subscription.reader = try access.reader(subscription.call) } catch {
      subscription.call.fail(error)
      return false
    }
    let view = subscription.reader.view
    guard view != subscription.filter.view else { return false }
    let wasBehind = subscription.group == nil
    leave(subscription)
    subscription.filter = ChangeFilter(subscription.filter.subject, view: view)
    subscription.mustFetchAnew = true
    return !wasBehind
  }
}
