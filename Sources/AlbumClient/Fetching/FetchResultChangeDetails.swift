/// How a result differs after a change. PhotoKit: `PHFetchResultChangeDetails`.
///
/// To bring a list from the old result to the new one, apply, in this order: the removals, the insertions,
/// the changes, and the moves one after the other.
public struct FetchResultChangeDetails<Object: PhotoObject>: Sendable {
  /// The result as it was. PhotoKit: `fetchResultBeforeChanges`.
  public let fetchResultBeforeChanges: FetchResult<Object>
  /// The result as it is, with the token of its state. PhotoKit: `fetchResultAfterChanges`.
  public let fetchResultAfterChanges: FetchResult<Object>
  /// Whether the rest says what changed; else show the new result from scratch. PhotoKit:
  /// `hasIncrementalChanges`.
  public let hasIncrementalChanges: Bool
  /// The ids of those whose content changed, not only what is known about them (S25). PhotoKit:
  /// `PHObjectChangeDetails.assetContentChanged`.
  public let contentChanged: Set<String>
  private let difference: ListDifference?

  /// - Parameter difference: nil for one that nobody wants in steps.
  init(
    before: FetchResult<Object>, after: FetchResult<Object>, difference: ListDifference?,
    contentChanged: Set<String>
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    hasIncrementalChanges = difference != nil
    self.contentChanged = difference == nil ? [] : contentChanged
    self.difference = difference
  }

  /// Details of a change that nobody can tell in steps.
  init(before: FetchResult<Object>, fetchedAnew after: FetchResult<Object>) {
    self.init(before: before, after: after, difference: nil, contentChanged: [])
  }

  /// The difference of two results; without incremental changes where too many of too many have moved. PhotoKit:
  /// `init(from:to:changedObjects:)`.
  ///
  /// - Parameters:
  ///   - changedObjects: what changed, also where that cannot be seen in the results.
  ///   - contentChanged: the ids of those whose content changed.
  public init(
    from before: FetchResult<Object>, to after: FetchResult<Object>, changedObjects: [Object] = [],
    contentChanged: Set<String> = []
  ) {
    var places: [String: Int] = [:]
    for (place, object) in after.objects.enumerated() { places[object.localIdentifier] = place }
    let destinations = before.objects.map { places[$0.localIdentifier] }
    var changed = Set(
      contentChanged.union(changedObjects.map(\.localIdentifier)).compactMap { places[$0] })
    for (old, place) in zip(before.objects, destinations) {
      if let place, after.objects[place] != old { changed.insert(place) }
    }
    self.init(
      before: before, after: after,
      difference: ListDifference(
        destinations: destinations, count: after.count,
        changed: changed.intersection(destinations.compactMap { $0 })),
      contentChanged: contentChanged)
  }
}

extension FetchResultChangeDetails {
  /// Places in the old result, ascending; nil without incremental changes. PhotoKit: `removedIndexes`;
  /// **differs**, as all of these: an array instead of an `IndexSet`, which is Foundation's.
  public var removedIndexes: [Int]? { difference?.removed }
  /// What was removed, as it was. PhotoKit: `removedObjects`.
  public var removedObjects: [Object] { (removedIndexes ?? []).map { fetchResultBeforeChanges[$0] } }

  /// Places in the result after the removals, ascending; nil without incremental changes. PhotoKit:
  /// `insertedIndexes`.
  public var insertedIndexes: [Int]? { difference?.inserted }
  /// What was inserted, in the order of the indexes. PhotoKit: `insertedObjects`.
  public var insertedObjects: [Object] { objects(at: insertedIndexes) }

  /// Places in the result after removals and insertions, ascending; nil without incremental changes. Of
  /// content and of metadata alike. PhotoKit: `changedIndexes`.
  public var changedIndexes: [Int]? { difference?.changed }
  /// What changed, as it is now, in the order of the indexes. PhotoKit: `changedObjects`.
  public var changedObjects: [Object] { objects(at: changedIndexes) }

  /// Whether some are in another order, after all the rest was applied. PhotoKit: `hasMoves`.
  public var hasMoves: Bool { difference?.moves.isEmpty == false }

  /// Calls `body` for each move, in the order in which they are to be applied: take the object out at the
  /// first place and put it in at the second. PhotoKit: `enumerateMoves(_:)`.
  public func enumerateMoves(_ body: (_ from: Int, _ to: Int) throws -> Void) rethrows {
    for move in difference?.moves ?? [] { try body(move.from, move.to) }
  }

  private func objects(at places: [Int]?) -> [Object] {
    guard let difference, let places else { return [] }
    return places.map { fetchResultAfterChanges[difference.intermediate[$0]] }
  }
}
