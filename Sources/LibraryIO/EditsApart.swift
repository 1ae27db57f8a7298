internal import EventLoop
internal import LibraryModel
internal import Linux
internal import Synchronization

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
  ///   - after: what follows `body`.
  /// - Throws: what `body` does; `offline` where the file system does not answer, undecided if `body` was begun.
  func run<Value: Sendable>(
    on apart: RootDisk, for user: UInt32?, _ directories: [DirectoryID], in tree: DirectoryTree,
    _ subject: String, after: AfterStep<Value>, _ body: @escaping DiskStep<Value>
  ) async throws(LibraryFileError) -> Value {
    let places = PlacesBeneath(directories, disk.roots, tree)
    let attention = Attention()
    let (deadline, thread, patience) = (EditDeadline.present, apart.thread, RootDisk.patience.microseconds)
    let told = Told<Value>()
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
      let done = disk.done
      // Nothing of what was listed or opened before it is of use.
      disk.endBatch()
      guard case .success(let value) = result else { return Looked(Done(result: result, found: [:]), disk) }
      // It is done: from here on only a file system that does not answer at all counts as one.
      deadline?.wait()
      func finish(_ found: [Location: DiskAnswer]) -> Bool {
        told.done.withLock { $0 = Done(result: result, found: found) }
        return attention.finish()
      }
      let names = after.names(value)
      let wanted = Set(names)
      // What it has itself said of all names is told where they cannot be looked at.
      let known = done.filter { wanted.contains($0.key) }
      let needsLooks = !names.allSatisfy { known[$0] != nil }
      var isTold = !needsLooks && finish(known)
      let found = known.merging(
        Self.look(at: isTold || needsLooks ? names : [], disk, places.tree, thread, patience)
      ) { known, found in [.unknown, .offline].contains(found) ? known : found }
      if needsLooks { isTold = finish(found) }
      let last = Result { () throws(LibraryFileError) in
        guard isTold else {
          try after.undo?(value, disk, places.tree)
          throw LibraryFileError(.offline, subject: subject)
        }
        try after.check(value, disk, places.tree) { found[$0] }
        return value
      }
      return Looked(Done(result: last, found: found), disk)
    }
    deadline?.goOn()
    // What the edit looks at next need not wait for a rest of before.
    if looked != nil { thread.mayBeAskedAgain() }
    // What was done is told later only.
    disk.exactNames.listings.removeAll()
    let done: Done<Value>
    if let looked {
      guard let answered = disk.take(looked) else { throw LibraryFileError(.offline, subject: subject) }
      done = answered
    } else {
      let hasBegun = attention.giveUp()
      guard !attention.isLost, let answered = told.done.withLock({ $0 }) else {
        throw hasBegun ? .undecided(subject) : LibraryFileError(.offline, subject: subject)
      }
      done = answered
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

  /// Looks at what a step has done. Nobody is told anything meanwhile, so what cannot be looked at in time is for the loop to ask
  /// for.
  private nonisolated static func look(
    at names: [Location], _ disk: BeneathRoot, _ tree: DirectoryTree, _ thread: RootThread,
    _ patience: UInt64
  ) -> [Location: DiskAnswer] {
    var found: [Location: DiskAnswer] = [:]
    let end = Clock.monotonic + patience
    for name in names where found[name] == nil && Clock.monotonic < end {
      thread.noteProgress()
      found[name] = disk.look(at: name, in: tree)
    }
    return found
  }

  /// What a step did, and what it found then.
  fileprivate struct Done<Value: Sendable>: Sendable {
    let result: Result<Value, LibraryFileError>
    let found: [Location: DiskAnswer]
  }
}

/// What a job has done, as its thread says before it looks at that.
private final class Told<Value: Sendable>: Sendable {
  let done = Mutex<EditsApart.Done<Value>?>(nil)
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
