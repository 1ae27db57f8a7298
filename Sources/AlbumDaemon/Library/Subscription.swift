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

/// Subscribers that have been told everything so far, and are told the same.
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
  }

  let key: Key
  private(set) var filter: ChangeFilter
  private var members: [Subscription] = []

  init(_ key: Key, _ filter: ChangeFilter) {
    self.key = key
    self.filter = filter
  }

  var isEmpty: Bool { members.isEmpty }
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

  /// Tells every member, each delivery encoded once. Who does not take one falls behind at its place.
  ///
  /// - Parameter now: what they may see after these entries, where that differs.
  /// - Returns: whether they were told all there was to tell.
  func publish(
    _ entries: [PlacedChange], now: ViewByNow?, by encoder: DeliveryEncoder,
    fallBehind: (Subscription, DeliveryEncoder.Delivery) -> Void
  ) -> Bool {
    let deliveries = encoder.deliveries(of: entries, through: &filter, now: now, creator: key.creator)
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
