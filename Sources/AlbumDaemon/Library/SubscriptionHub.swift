internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer

/// Tells subscribers what changed (S24–S29). The journal is the queue: a subscription is a filter and a
/// place in it, and nothing is kept for a subscriber that reads slowly.
///
/// Subscribers that are told the same share every encoded delivery. What a limited app sees changes with the
/// entries of its viewer, and its filter goes along: it is always the view as of the subscription's place.
@EventLoopActor
final class SubscriptionHub {
  private let store: any LibraryReading
  private let access: LibraryAccess
  private let encoder: DeliveryEncoder
  private lazy var groups = SubscriptionGroups { [unowned self] in tell($0, isLate: $1) }
  private(set) var subscriptions: [ObjectIdentifier: Subscription] = [:]
  /// Those who are behind and take what they are sent, each with its place. Users take turns.
  private(set) var backlog = UserTurns<(subscription: Subscription, place: Place)>()
  private lazy var nextPage = DeferredCall(priority: 10) { [unowned self] in resumeNext() }

  init(store: any LibraryReading, access: LibraryAccess, encoder: DeliveryEncoder) {
    self.store = store
    self.access = access
    self.encoder = encoder
  }

  /// How many there are.
  var count: Int { subscriptions.count }

  /// How many groups are still to be told of what was committed.
  var untoldCount: Int { groups.waitingCount }

  /// The apps that have subscribed.
  var readers: Set<PeerIdentity> { Set(subscriptions.values.compactMap(\.reader.app)) }

  /// Begins a subscription: the starting token at once, then changes.
  func add(
    _ call: ServerCall, _ parameters: LibraryInterface.Subscribe.Parameters, _ named: Named,
    _ reader: LibraryAccess.Reader
  ) throws {
    let since = try issued(parameters.since)
    let start = since?.place ?? store.place
    let viewer = try access.viewer(reader)
    let wantsHidden = parameters.assets?.includeHidden ?? false
    let filter = Self.filter(try subject(parameters, named), viewer, reader, wantsHidden: wantsHidden)
    let subscription = Subscription(call, reader, filter, wantsHidden: wantsHidden)
    if let told = since?.hasLocation, told != reader.seesLocation, filter.subject != .albums {
      subscription.mustFetchAnew = true
    } else if let viewer, start < store.place {
      if let view = try store.viewers.view(of: viewer, at: start) {
        subscription.filter = ChangeFilter(
          filter.subject, view: view, viewer: filter.viewer, seesLocation: filter.seesLocation,
          includesHidden: filter.includesHidden)
      } else {
        subscription.mustFetchAnew = true
      }
    }
    subscriptions[ObjectIdentifier(call)] = subscription
    call.onEnd { [weak self] in self?.remove(subscription) }
    subscription.call.send(encoder.empty(at: start, for: subscription.filter), continues: true)
    resume(subscription, after: start)
  }

  /// Entries were committed: tells those who have been told everything before them, some at once and others in later turns
  /// of the loop.
  func publish(_ entries: [PlacedChange]) {
    var (views, waiting): ([ViewerID: LibraryView], [Subscription]) = ([:], [])
    // Nearly always none: then no view has changed, and nobody pays for those that can.
    if entries.contains(where: \.isOfView) {
      let viewChanges = entries.compactMap(\.viewChange)
      let reset = Set(viewChanges.lazy.filter { $0.step == .reset }.map(\.viewer))
      if !reset.isEmpty { waiting = takeOut(reset) }
      views = access.views(of: Set(viewChanges.map(\.viewer)))
    }
    for group in groups.publish(entries, views: views) {
      for subscription in group.all {
        leave(subscription)
        goOn(subscription, after: group.place)
      }
    }
    for (index, subscription) in waiting.enumerated() {
      if index < SubscriptionGroups.atOnce {
        resume(subscription, after: store.place)
      } else {
        goOn(subscription, after: store.place)
      }
    }
  }

  private func tell(_ group: SubscriptionGroup, isLate: Bool) {
    let toldAll = group.tell(by: encoder, isLate: isLate, byNow: byNow) { subscription, delivery in
      fallBehind(subscription, at: delivery.previous.place)
      subscription.filter = delivery.previous.filter
    }
    if !toldAll { startAnew(group.all) }
  }

  /// What apps may see has changed: subscriptions of those that may see nothing any more end. What else has
  /// changed is in the journal.
  func authorizationChanged(_ concerns: (LibraryAccess.Reader) -> Bool = { _ in true }) {
    for subscription in Array(subscriptions.values) where concerns(subscription.reader) {
      review(subscription)
    }
  }

  // MARK: Parameters

  private func subject(
    _ parameters: LibraryInterface.Subscribe.Parameters, _ named: Named
  ) throws -> ChangeFilter.Subject {
    if parameters.albums ?? false {
      guard parameters.assets == nil else { throw InvalidParameter(parameter: "albums") }
      return .albums
    }
    return .assets(
      albums: (named.albums?.directories).map { Set($0) }, ids: named.ids,
      smart: SmartAlbums(named.albums?.smart ?? []))
  }

  /// What a token says (S27).
  private func issued(_ token: String?) throws -> ChangeTokens.Issued? {
    guard let token else { return nil }
    guard let issued = store.tokens.issued(token), try store.journal.covers(issued.place) else {
      throw LibraryInterface.TokenExpired()
    }
    return issued
  }

  private static func filter(
    _ subject: ChangeFilter.Subject, _ viewer: Viewer?, _ reader: LibraryAccess.Reader, wantsHidden: Bool
  ) -> ChangeFilter {
    guard let viewer, !viewer.view.seesEverything else {
      return ChangeFilter(
        subject, view: .everything, seesLocation: reader.seesLocation, includesHidden: wantsHidden)
    }
    return ChangeFilter(
      subject, view: viewer.view, viewer: viewer.id, seesLocation: reader.seesLocation)
  }

  private func key(_ subscription: Subscription) -> SubscriptionGroup.Key {
    subscription.group?.key ?? key(subscription.filter, subscription)
  }

  private func key(_ filter: ChangeFilter, _ subscription: Subscription) -> SubscriptionGroup.Key {
    .init(
      subject: filter.subject, viewer: filter.viewer,
      creator: access.creator(subscription.reader, of: filter.subject, filter.viewer),
      seesLocation: filter.seesLocation, includesHidden: filter.includesHidden,
      user: subscription.call.accountableUser)
  }

  // MARK: Life

  private func join(_ subscription: Subscription) {
    groups.add(subscription, key(subscription), at: store.place)
  }

  private func leave(_ subscription: Subscription) { groups.remove(subscription) }

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
  ///
  /// One page in a turn: what concerns nobody fills no socket, and a million such entries would keep everybody
  /// waiting.
  private func resume(_ subscription: Subscription, after start: Place) {
    var place = start
    while place < store.place || subscription.mustFetchAnew {
      guard !subscription.call.isOver else { return }
      guard subscription.call.isDrained else { return fallBehind(subscription, at: place) }
      guard place == start else { return goOn(subscription, after: place) }
      do {
        place = try sendNext(subscription, after: place)
      } catch { return subscription.call.fail(error) }
    }
    // Writing to it can end it; what joins after its end would stay for good.
    if !subscription.call.isOver { join(subscription) }
  }

  /// Others have their turn first.
  private func goOn(_ subscription: Subscription, after place: Place) {
    backlog.append((subscription, place), of: subscription.call.accountableUser)
    nextPage.arm()
  }

  private func resumeNext() {
    guard let (subscription, place) = backlog.popFirst() else { return }
    if !backlog.isEmpty { nextPage.arm() }
    if subscriptions[ObjectIdentifier(subscription.call)] != nil { resume(subscription, after: place) }
  }

  /// - Returns: the place after what was sent.
  private func sendNext(_ subscription: Subscription, after place: Place) throws -> Place {
    let viewer = try access.viewer(subscription.reader)
    guard !subscription.mustFetchAnew,
      case .changes(let entries) = try store.journal.changes(after: place, limit: DeliveryEncoder.limit)
    else { return fetchAnew(subscription, viewer) }
    let deliveries = encoder.deliveries(
      of: entries, through: &subscription.filter,
      now: subscription.filter.viewer == nil ? nil : (viewer?.view).map(byNow),
      creator: key(subscription).creator)
    for delivery in deliveries.messages { subscription.call.send(delivery.message, continues: true) }
    return deliveries.isLost ? fetchAnew(subscription, viewer) : entries.last?.place ?? store.place
  }

  private func byNow(_ view: LibraryView) -> ViewByNow { ViewByNow(view) { [store] in store.hides($0) } }

  /// Its place is no longer in the journal, or what it sees is another selection: it is told so once (S28).
  private func fetchAnew(_ subscription: Subscription, _ viewer: Viewer?) -> Place {
    subscription.mustFetchAnew = false
    subscription.filter = Self.filter(
      subscription.filter.subject, viewer, subscription.reader, wantsHidden: subscription.wantsHidden)
    subscription.call.send(
      encoder.empty(at: store.place, for: subscription.filter, hasIncrementalChanges: false),
      continues: true)
    return store.place
  }

  /// These cannot be told what came: out of their groups, and on from the end of the journal.
  private func startAnew(_ subscriptions: [Subscription]) {
    let live = subscriptions.filter { $0.group != nil }
    for subscription in subscriptions {
      leave(subscription)
      subscription.mustFetchAnew = true
    }
    // Who is behind resumes by itself.
    for subscription in live { resume(subscription, after: store.place) }
  }

  /// Takes the subscribers out whose view is another altogether.
  ///
  /// - Returns: those to be resumed.
  private func takeOut(_ viewers: Set<ViewerID>) -> [Subscription] {
    subscriptions.values.filter { subscription in
      guard let viewer = try? access.viewer(subscription.reader), viewers.contains(viewer.id) else {
        return false
      }
      subscription.mustFetchAnew = true
      let isLive = subscription.group != nil
      leave(subscription)
      return isLive
    }
  }

  private func review(_ subscription: Subscription) {
    do {
      let old = key(subscription)
      subscription.reader = try access.reader(subscription.call)
      let viewer = try access.viewer(subscription.reader)
      // One that acted as the owner, and may not any more, sees something else, which no entry tells.
      let new = key(
        Self.filter(
          subscription.filter.subject, viewer, subscription.reader, wantsHidden: subscription.wantsHidden),
        subscription)
      if new != old { startAnew([subscription]) }
    } catch { subscription.call.fail(error) }
  }
}
