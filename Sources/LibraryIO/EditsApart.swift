internal import EventLoop
internal import LibraryModel
internal import Linux

/// Edits beneath roots whose file systems may not answer: what they do on disk is a job of the root's thread, and the loop
/// waits for none of it (docs/decisions/0060-roots-that-hang.md). Elsewhere it is done at once.
@EventLoopActor
final class EditsApart {
  private let disk: BeneathRoot
  private let roots: Roots
  private let turns: Turns
  /// Those of each such root, and of all others together.
  private var lines: [RootID?: Line] = [:]
  private typealias Line = EditLine<CheckedContinuation<Bool, Never>>

  init(_ disk: BeneathRoot, _ roots: Roots, _ turns: Turns) {
    self.disk = disk
    self.roots = roots
    self.turns = turns
  }

  /// The thread that is to be used for these directories; `nil` where all are known to answer.
  func root(of directories: [DirectoryID]) -> RootDisk? {
    for directory in directories {
      if let apart = roots.disk(of: directory) { return apart }
    }
    return nil
  }

  /// Whether any of these directories is beneath a root whose file system may not answer.
  func isApart(_ directories: [DirectoryID]) -> Bool { root(of: directories) != nil }

  /// Has one edit of several steps done at a time, of each user in turn, and nothing compared meanwhile: what the disk has
  /// and the index does not, the edit itself is about to say. One of a root that may not answer keeps none of another
  /// waiting.
  ///
  /// - Parameter user: whose turn it takes.
  /// - Throws: what `body` does; `busy` where too many of the same user's wait for the same root already.
  func alone<Value>(
    _ directories: [DirectoryID], for user: UInt32, _ body: @EventLoopActor () async throws -> Value
  ) async throws -> Value {
    let apart = Set(directories.compactMap(roots.idApart(of:))).sorted { $0.rawValue < $1.rawValue }
    let lines: [RootID?] = apart.isEmpty ? [nil] : apart
    var entered = 0
    defer { for line in lines[..<entered] { leave(line) } }
    // Always in the same order: no two wait for one another.
    for line in lines {
      try await enter(line, of: user, keepsOthers: entered > 0)
      entered += 1
    }
    guard !apart.isEmpty else {
      turns.hold()
      defer { turns.release() }
      return try await body()
    }
    await turns.holdAfterTurn()
    let deadline = EditDeadline { [roots] in for id in apart { roots.giveUp(id) } }
    defer {
      deadline.end()
      forgetLooks(of: deadline)
      turns.release()
    }
    return try await EditDeadline.$present.withValue(deadline) { try await body() }
  }

  private func enter(
    _ line: RootID?, of user: UInt32, keepsOthers: Bool
  ) async throws(LibraryFileError) {
    // Looked at within: waiting may begin with a turn of the loop, in which the one before is done.
    let isAllowed = await withCheckedContinuation { waiting in
      let place = lines[line, default: Line()].enter(
        waiting, of: user, isBounded: line != nil && user != noUser, keepsOthers: keepsOthers)
      switch place {
      case .first: waiting.resume(returning: true)
      case .waits: break
      case .refused: waiting.resume(returning: false)
      }
    }
    guard isAllowed else { throw LibraryFileError(.busy, subject: "an edit") }
  }

  private func leave(_ line: RootID?) {
    if let next = lines[line]?.leave() { next.resume(returning: true) } else { lines[line] = nil }
  }

  /// Does something on disk, on the thread of a root.
  ///
  /// - Parameters:
  ///   - user: who asks for it; nil where it is the daemon, or a step of the edit that is under way.
  ///   - directories: all that it touches.
  ///   - subject: for errors.
  ///   - names: what the index is about to follow, by what `body` has done: looked at there, since the loop does not wait
  ///     for long.
  /// - Throws: what `body` does; `offline` where the file system does not answer, undecided if `body` was begun.
  func run<Value: Sendable>(
    on apart: RootDisk, for user: UInt32?, _ directories: [DirectoryID], in tree: DirectoryTree,
    _ subject: String, thenLookAt names: @escaping @Sendable (Value) -> [Location],
    _ body: @escaping DiskStep<Value>
  ) async throws(LibraryFileError) -> Value {
    let places = PlacesBeneath(directories, disk.roots, tree)
    let attention = Attention()
    let (deadline, thread, patience) = (EditDeadline.present, apart.thread, RootDisk.patience.microseconds)
    deadline?.wait()
    // What was found before was before this.
    if let deadline { forgetLooks(of: deadline) }
    let looked = await apart.run(for: user) { disk -> Looked<Done<Value>>? in
      deadline?.goOn()
      guard attention.begin() else { return nil }
      disk.roots = places.roots
      disk.attention = attention
      defer { disk.endBatch() }
      let result = Result { () throws(LibraryFileError) in try body(disk, places.tree) }
      // Nothing of what was listed or opened before it is of use.
      disk.endBatch()
      var found: [Location: DiskAnswer] = [:]
      if case .success(let value) = result {
        // It is done: from here on only a file system that does not answer at all counts as one.
        deadline?.wait()
        let end = Clock.monotonic + patience
        // Nobody is told anything meanwhile, so the rest is for the loop to ask for.
        for name in names(value) where found[name] == nil && Clock.monotonic < end {
          thread.noteProgress()
          found[name] = disk.look(at: name, in: places.tree)
        }
      }
      return Looked(Done(result: result, found: found), disk)
    }
    deadline?.goOn()
    // What the edit looks at next need not wait for a rest of before.
    if looked != nil { thread.mayBeAskedAgain() }
    // What was done is told later only.
    disk.exactNames.listings.removeAll()
    guard let looked, let done = disk.take(looked) else {
      throw attention.giveUp() ? .undecided(subject) : LibraryFileError(.offline, subject: subject)
    }
    // Only within an edit: then no event is taken in before it is told.
    if let deadline {
      let found = done.found.filter { ![.unknown, .offline].contains($0.value) }
      deadline.lookedAt = Array(found.keys)
      disk.lookedAt.merge(found) { _, new in new }
    }
    return try done.result.get()
  }

  /// Those of edits of other roots, which are under way as well, stay.
  private func forgetLooks(of edit: EditDeadline) {
    for location in edit.lookedAt { disk.lookedAt[location] = nil }
    edit.lookedAt = []
  }

  /// What a step did, and what it found then.
  private struct Done<Value: Sendable>: Sendable {
    let result: Result<Value, LibraryFileError>
    let found: [Location: DiskAnswer]
  }
}

/// Something that is done on disk, in directories of a tree, on whatever thread.
typealias DiskStep<Value> = @Sendable (BeneathRoot, DirectoryTree) throws(LibraryFileError) -> Value

/// Where some directories are: their roots as far as they are online, and the directories down to them.
private struct PlacesBeneath: Sendable {
  let roots: [RootID: BeneathRoot.Expected]
  let tree: DirectoryTree

  init(_ directories: [DirectoryID], _ online: [RootID: BeneathRoot.Expected], _ tree: DirectoryTree) {
    self.tree = tree.chains(to: directories)
    let wanted = Set(directories.compactMap { tree[$0]?.root })
    roots = online.filter { wanted.contains($0.key) }
  }
}
