/// How a lazy result differs after a change. PhotoKit: `PHFetchResultChangeDetails`.
///
/// To bring a list from the old result to the new one, apply, in this order: the removals, the insertions, and the changes. **Differs**
/// from ``FetchResultChangeDetails``: it has places and no assets, which are read when they are looked at; and what goes
/// from one place to another is removed and inserted, so that there are no moves.
public struct LazyFetchResultChangeDetails: Sendable {
  /// The result as it was. PhotoKit: `fetchResultBeforeChanges`.
  public let fetchResultBeforeChanges: LazyFetchResult
  /// The result as it is, with the token of its state. PhotoKit: `fetchResultAfterChanges`.
  public let fetchResultAfterChanges: LazyFetchResult
  /// The ids of those whose content changed, not only what is known about them (S25). PhotoKit:
  /// `PHObjectChangeDetails.assetContentChanged`.
  public let contentChanged: Set<String>
  private let places: PlacesChanged?

  /// - Parameter places: nil for a change that nobody can tell in steps.
  init(
    before: LazyFetchResult, after: LazyFetchResult, places: PlacesChanged? = nil,
    contentChanged: Set<String> = []
  ) {
    fetchResultBeforeChanges = before
    fetchResultAfterChanges = after
    self.places = places
    self.contentChanged = contentChanged
  }

  /// Whether the rest says what changed; else show the new result from scratch. PhotoKit: `hasIncrementalChanges`.
  public var hasIncrementalChanges: Bool { places != nil }
  /// Places in the old result, ascending; nil without incremental changes. PhotoKit: `removedIndexes`.
  public var removedIndexes: [Int]? { places?.removed }
  /// Places in the new result, ascending; nil without incremental changes. PhotoKit: `insertedIndexes`.
  public var insertedIndexes: [Int]? { places?.inserted }
  /// Places in the new result, ascending, of content and of metadata alike; nil without incremental changes. PhotoKit:
  /// `changedIndexes`.
  public var changedIndexes: [Int]? { places?.changed }
}
