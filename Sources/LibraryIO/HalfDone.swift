package import EventLoop
internal import LibraryModel

/// Brings to its end what a crash, or a root that went offline, has left half done of what was written down.
@EventLoopActor
package final class HalfDone {
  private let between: BetweenTurns
  private let records: DeletionRecords
  private let deletions: Deletions
  private let restorations: Restorations
  private let replacements: Replacements
  private let reversions: Reversions
  private let removals: Removals
  private let assetMoves: AssetMoves
  /// What is being ended beneath roots whose file systems may not answer; nil when nothing is.
  private(set) var rest: Task<Void, Never>?
  /// Whether that is about to look at what there is.
  private var willLook = false

  init(
    _ between: BetweenTurns, _ records: DeletionRecords, _ deletions: Deletions,
    _ restorations: Restorations, _ replacements: Replacements,
    _ reversions: Reversions, _ removals: Removals, _ assetMoves: AssetMoves
  ) {
    self.between = between
    self.records = records
    self.deletions = deletions
    self.restorations = restorations
    self.replacements = replacements
    self.reversions = reversions
    self.removals = removals
    self.assetMoves = assetMoves
  }

  /// Completes what is not under way. What cannot be completed, because its root is offline, is left for the next call;
  /// a failure leaves everything as it is. Beneath roots whose file systems may not answer it is only begun.
  ///
  /// - Returns: whether nothing half done is left.
  @discardableResult
  package func complete() throws -> Bool {
    var isComplete = true
    var isAnyApart = false
    for record in try records.abandoned() {
      guard !between.isApart(record.directories) else {
        (isComplete, isAnyApart) = (false, true)
        continue
      }
      do {
        let completed = try between.atDisk { tree throws(LibraryFileError) in
          try Self.complete(record, between.disk, tree)
        }
        try self.completed(record, completed)
      } catch is LibraryFileError { isComplete = false }
    }
    if isAnyApart { begin() }
    return isComplete
  }

  // MARK: Where a file system may not answer

  private func begin() {
    guard !willLook else { return }
    willLook = true
    let before = rest
    rest = Task { @EventLoopActor [weak self] in
      await before?.value
      await self?.completeApart()
    }
  }

  private func completeApart() async {
    willLook = false
    for record in (try? records.abandoned()) ?? [] where between.isApart(record.directories) {
      // What fails is left for the next call.
      try? await between.editing(record.directories, mayBegin: nobodyAsked) {
        guard try records.abandoned().contains(record) else { return }
        let completed = try await between.onDisk(record.directories, record.asset.filename.description) {
          (disk, tree) throws(LibraryFileError) in try Self.complete(record, disk, tree)
        }
        try self.completed(record, completed)
      }
    }
    if !willLook { rest = nil }
  }

  // MARK: One of them

  private enum Completed: Sendable {
    case deletion(Deletions.Completed)
    case restoration(Restorations.Completed)
    case replacement(Replacements.Completed)
    case reversion(FileFacts?)
    case removal(isOver: Bool)
    case relocation(isLeft: Bool)
  }

  /// What is to be done on disk; nil for what is not half done.
  private nonisolated static func complete(
    _ record: DeletedAsset, _ disk: BeneathRoot, _ tree: DirectoryTree
  ) throws(LibraryFileError) -> Completed? {
    switch record.state {
    case .deleted: nil
    case .deleting: .deletion(try Deletions.complete(record, disk, tree))
    case .restoring: .restoration(try Restorations.complete(record, disk, tree))
    case .replacing, .adjusting: .replacement(try Replacements.complete(record, disk, tree))
    case .reverting: .reversion(try Reversions.complete(record, disk, tree))
    case .removing: .removal(isOver: try Removals.complete(record, disk, tree))
    case .moving: .relocation(isLeft: try AssetMoves.complete(record, disk, tree))
    }
  }

  private func completed(_ record: DeletedAsset, _ completed: Completed?) throws {
    switch completed {
    case nil: return
    case .deletion(let completed): try deletions.completed(record, completed)
    case .restoration(let completed): try restorations.completed(record, completed)
    case .replacement(let completed): try replacements.completed(record, completed)
    case .reversion(let facts): try reversions.completed(record, facts)
    case .removal(let isOver): try removals.completed(record, isOver: isOver)
    case .relocation(let isLeft): try assetMoves.completed(record, isLeft: isLeft)
    }
  }
}
