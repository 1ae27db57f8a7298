internal import EventLoop
internal import LibraryModel
internal import VarlinkServer

/// One subscriber.
@EventLoopActor
final class Subscription {
  let call: ServerCall
  var reader: LibraryAccess.Reader
  var filter: ChangeFilter
  /// What it sees is not what it was told of: it must be told so.
  var mustFetchAnew = false
  /// Those who are told together with it; `nil` while it is behind.
  fileprivate(set) weak var group: SubscriptionGroup?
  /// Where it stands in its group.
  fileprivate var index = 0

  init(_ call: ServerCall, _ reader: LibraryAccess.Reader, _ filter: ChangeFilter) {
    self.call = call
    self.reader = reader
    self.filter = filter
  }
}

/// Subscribers with equal filters that have been told everything so far.
@EventLoopActor
final class SubscriptionGroup {
  let filter: ChangeFilter
  private var members: [Subscription] = []

  init(_ filter: ChangeFilter) {
    self.filter = filter
  }

  var isEmpty: Bool { members.isEmpty }

  func add(_ subscription: Subscription) {
    subscription.index = members.count
    subscription.group = self
    members.append(subscription)
  }

  /// Removes a member; the last takes its place.
  func remove(_ subscription: Subscription) {
    guard subscription.group === self else { return }
    subscription.group = nil
    let last = members.removeLast()
    guard last !== subscription else { return }
    last.index = subscription.index
    members[subscription.index] = last
  }

  /// Tells every member, each delivery encoded once. Who does not take one falls behind at its place.
  func publish(
    _ changes: [PlacedChange], by encoder: DeliveryEncoder,
    fallBehind: (Subscription, Place) -> Void
  ) {
    for delivery in encoder.deliveries(of: changes, through: filter) {
      for member in members {
        if member.call.isDrained {
          member.call.send(delivery.message, continues: true)
        } else {
          fallBehind(member, delivery.previous)
        }
      }
    }
  }
}
