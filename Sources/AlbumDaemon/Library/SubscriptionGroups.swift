internal import EventLoop
internal import LibraryModel
internal import Linux

/// The groups of those who are told at once, and which of them are still to be told of what was committed.
///
/// All of them are to be told of each commit, and one user may have a hundred: some are told in a turn of the loop, users in
/// turns (docs/decisions/0135-telling-in-turns.md).
@EventLoopActor
final class SubscriptionGroups {
  private var groups: [SubscriptionGroup.Key: [SubscriptionGroup]] = [:]
  /// Those that have something to be told, each once.
  private var waiting = UserTurns<SubscriptionGroup>()
  private(set) var waitingCount = 0
  private var isTelling = false
  private var isExpected = false
  /// Tells one of them a page; whether others had their turn since it was committed.
  private let tell: @EventLoopActor (SubscriptionGroup, Bool) -> Void

  /// So many groups are told in one turn, of so many members together, and of so many changes.
  nonisolated static let atOnce = 8
  private static let membersAtOnce = 32
  private static let changesAtOnce = 2 * DeliveryEncoder.limit

  init(tell: @escaping @EventLoopActor (SubscriptionGroup, Bool) -> Void) { self.tell = tell }

  /// One that was told everything joins those who were told the same.
  ///
  /// - Parameter place: the end of the journal.
  func add(_ subscription: Subscription, _ key: SubscriptionGroup.Key, at place: Place) {
    // Those that are still to be told something have not been told as much as this one.
    let joined = groups[key]?.first { $0.untoldCount == 0 && $0.count < SubscriptionGroup.most }
    let group = joined ?? SubscriptionGroup(key, subscription.filter, at: place)
    group.add(subscription)
    if joined == nil { groups[key, default: []].append(group) }
  }

  /// One leaves its group, if it is in one, and takes its filter along.
  func remove(_ subscription: Subscription) {
    guard let group = subscription.group else { return }
    group.remove(subscription)
    guard group.isEmpty else { return }
    groups[group.key]?.removeAll { $0 === group }
    if groups[group.key]?.isEmpty ?? false { groups[group.key] = nil }
  }

  /// Entries were committed: some are told of them at once, the others in later turns.
  ///
  /// - Parameter views: what those see after them whose view they change.
  /// - Returns: those that have too much to be told by now: it is in the journal as well.
  func publish(_ entries: [PlacedChange], views: [ViewerID: LibraryView]) -> [SubscriptionGroup] {
    guard !entries.isEmpty else { return [] }
    let isFirst = waiting.isEmpty
    var late: [SubscriptionGroup] = []
    for group in groups.values.lazy.joined() {
      if group.untoldCount > 0, group.untoldCount + entries.count > Self.mostUntold {
        late.append(group)
        continue
      }
      let waits = group.untoldCount > 0
      group.expect(entries, view: group.filter.viewer.flatMap { views[$0] })
      if !waits { append(group) }
    }
    // Where others wait already, a turn is to come.
    if isFirst { tellSome(isLate: false) }
    return late
  }

  /// Entries that a group may have to be told, before it is left to the journal.
  nonisolated static let mostUntold = 16 * DeliveryEncoder.limit

  private func append(_ group: SubscriptionGroup) {
    waiting.append(group, of: group.key.user)
    waitingCount += 1
  }

  private func tellSome(isLate: Bool) {
    // Who is told may end, and what ends may lead to anything.
    guard !isTelling else { return }
    isTelling = true
    var (members, changes) = (0, 0)
    for _ in 0..<Self.atOnce {
      guard members < Self.membersAtOnce, changes < Self.changesAtOnce, let group = waiting.popFirst() else {
        break
      }
      waitingCount -= 1
      // All its members may have left meanwhile.
      if group.isEmpty { continue }
      members += group.count
      changes += group.untoldCount
      tell(group, isLate)
      changes -= group.untoldCount
      if group.untoldCount > 0, !group.isEmpty { append(group) }
    }
    isTelling = false
    if !waiting.isEmpty { expectNext() }
  }

  /// Requests and events have their turn in between.
  private func expectNext() {
    guard !isExpected else { return }
    isExpected = true
    Task { [weak self] in
      self?.isExpected = false
      self?.tellSome(isLate: true)
    }
  }
}
