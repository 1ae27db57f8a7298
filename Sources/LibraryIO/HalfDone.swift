package import EventLoop
internal import LibraryModel

/// Brings to its end what a crash, or a root that went offline, has left half done of what was written down.
@EventLoopActor
package final class HalfDone {
  private let records: DeletionRecords
  private let deletions: Deletions
  private let restorations: Restorations
  private let replacements: Replacements
  private let removals: Removals
  private let assetMoves: AssetMoves

  init(
    _ records: DeletionRecords, _ deletions: Deletions, _ restorations: Restorations,
    _ replacements: Replacements, _ removals: Removals, _ assetMoves: AssetMoves
  ) {
    self.records = records
    self.deletions = deletions
    self.restorations = restorations
    self.replacements = replacements
    self.removals = removals
    self.assetMoves = assetMoves
  }

  /// Completes what is not under way. What cannot be completed, because its root is offline, is left for the next call;
  /// a failure leaves everything as it is.
  ///
  /// - Returns: whether nothing half done is left.
  @discardableResult
  package func complete() throws -> Bool {
    var isComplete = true
    for record in try records.abandoned() {
      do { try complete(record) } catch is LibraryFileError { isComplete = false }
    }
    return isComplete
  }

  private func complete(_ record: DeletedAsset) throws {
    switch record.state {
    case .deleted: return
    case .deleting: try deletions.complete(record)
    case .restoring: try restorations.complete(record)
    case .replacing: try replacements.complete(record)
    case .removing: try removals.complete(record)
    case .moving: try assetMoves.complete(record)
    }
  }
}
