internal import EventLoop
internal import LibraryModel
internal import Storage
internal import VarlinkServer

/// One subscriber.
@EventLoopActor
final class Subscription {
  let call: ServerCall
  /// Who reads.
  var reader: LibraryAccess.Reader
  /// Whether it asks for hidden assets: it is told of them as long as it sees the whole library (S91).
  let wantsHidden: Bool
  /// What it is told, as of its place; while it is told together with others, its group has it.
  var filter: ChangeFilter
  /// What it sees is not what it was told of: it must be told so.
  var mustFetchAnew = false
  /// Those who are told together with it; `nil` while it is behind.
  fileprivate(set) weak var group: SubscriptionGroup?
  /// Where it stands in its group.
  fileprivate var index = 0

  init(
    _ call: ServerCall, _ reader: LibraryAccess.Reader, _ filter: ChangeFilter, wantsHidden: Bool = false
  ) {
    self.wantsHidden = wantsHidden
    self.call = call
    self.reader = reader
    self.filter = filter
  }
}

/// Subscribers of one user that have been told the same so far, and are told the same: a few of them, so that telling all is
/// nothing that others wait for.
///
/// What was committed last they may have still to be told (``SubscriptionGroups``).
@EventLoopActor
final class SubscriptionGroup {
  /// What they have in common. Those of one viewer see the same at the end of the journal, and those of nobody
  /// in particular see everything; of albums, each app is told which it has created.
  struct Key: Hashable {
    let subject: ChangeFilter.Subject
    let viewer: ViewerID?
    let creator: ViewerKey?
    let seesLocation: Bool
    let includesHidden: Bool
    /// Whose turn it is when they are told.
    let user: UInt32
  }

  /// Members at most.
  static let most = 32

  let key: Key
  private(set) var filter: ChangeFilter
  private var members: [Subscription] = []
  /// What they have been told of ends here.
  private(set) var place: Place
  /// What they are still to be told: every commit is kept once, whoever is still to be told of it.
  private var untold: [ArraySlice<PlacedChange>] = []
  private(set) var untoldCount = 0
  /// What they see after the last of it, where that differs.
  private var view: LibraryView?

  init(_ key: Key, _ filter: ChangeFilter, at place: Place) {
    self.key = key
    self.filter = filter
    self.place = place
  }

  var isEmpty: Bool { members.isEmpty }
  var count: Int { members.count }
  /// Its members, in no order.
  var all: [Subscription] { members }

  func add(_ subscription: Subscription) {
    subscription.index = members.count
    subscription.group = self
    members.append(subscription)
  }

  /// Removes a member, which takes the filter along; the last takes its place.
  func remove(_ subscription: Subscription) {
    guard subscription.group === self else { return }
    subscription.group = nil
    subscription.filter = filter
    let last = members.removeLast()
    guard last !== subscription else { return }
    last.index = subscription.index
    members[subscription.index] = last
  }

  /// Entries were committed, of which they are to be told.
  ///
  /// - Parameter view: what they see after these, where that differs.
  func expect(_ entries: [PlacedChange], view: LibraryView?) {
    untold.append(entries[...])
    untoldCount += entries.count
    if let view { self.view = view }
  }

  /// A page of what is to be told.
  private func nextPage() -> [PlacedChange] {
    guard let first = untold.first else { return [] }
    var page = Array(first.prefix(DeliveryEncoder.limit))
    var taken = 0
    if page.count < first.count { untold[0] = first.dropFirst(page.count) } else { taken = 1 }
    while taken > 0, taken < untold.count, page.count + untold[taken].count <= DeliveryEncoder.limit {
      page += untold[taken]
      taken += 1
    }
    untold.removeFirst(taken)
    untoldCount -= page.count
    return page
  }

  /// Tells every member a page of what is to be told, each delivery encoded once. Who does not take one falls behind at its
  /// place.
  ///
  /// - Parameters:
  ///   - isLate: whether others had their turn since it was committed: more may have happened to what they see.
  ///   - byNow: what is seen by now, of a view.
  /// - Returns: whether they were told all there was to tell.
  func tell(
    by encoder: DeliveryEncoder, isLate: Bool, byNow: (LibraryView) -> ViewByNow,
    fallBehind: (Subscription, DeliveryEncoder.Delivery) -> Void
  ) -> Bool {
    let entries = nextPage()
    let present = view ?? (isLate && key.viewer != nil ? filter.view : nil)
    let deliveries = encoder.deliveries(
      of: entries, through: &filter, now: present.map(byNow), creator: key.creator)
    place = entries.last?.place ?? place
    if untoldCount == 0 { view = nil }
    for delivery in deliveries.messages {
      for member in members {
        if member.call.isDrained {
          member.call.send(delivery.message, continues: true)
        } else {
          fallBehind(member, delivery)
        }
      }
    }
    return !deliveries.isLost
  }
}
