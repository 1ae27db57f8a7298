internal import EventLoop
internal import LibraryModel
internal import Linux

/// What is done for a request, between two turns of the monitor. Each call is over when it returns: on disk as far as
/// the kernel goes, in the index, and told. What inotify says later is no news.
@EventLoopActor
final class BetweenTurns {
  /// Opens and looks beneath the roots.
  let disk: BeneathRoot
  private let batches: LibraryBatch
  let scan: Scan
  private let turns: Turns
  private let apart: EditsApart
  private var endsTogether = false

  init(_ disk: BeneathRoot, _ batches: LibraryBatch, _ scan: Scan, _ turns: Turns, _ roots: Roots) {
    self.disk = disk
    apart = EditsApart(disk, roots, turns)
    self.batches = batches
    self.scan = scan
    self.turns = turns
  }

  /// The links and assets that the index has.
  var files: any FileRows { batches.files }
  /// What was deleted.
  var deleted: any DeletedRows { batches.deleted }
  /// What was edited.
  var edits: any EditRows { batches.edits }
  /// What compares it with the disk. It writes inside ``change(_:)`` only.
  var librarian: Librarian { batches.librarian }
  /// The directories of the library.
  var tree: DirectoryTree { librarian.directories.tree }

  /// - Throws: ``LibraryUnwritable``.
  func requireWritable() throws { try batches.requireWritable() }

  /// Changes the index, and tells of it, in a batch of its own.
  ///
  /// - Throws: what `body` does, or the database's error; then nothing of it is kept.
  func change<Value>(_ body: (Librarian, any LibraryDatabase) throws -> Value) throws -> Value {
    try requireWritable()
    return try turns.alone {
      disk.endBatch()
      defer { disk.endBatch() }
      do {
        let librarian = librarian
        librarian.context.now = Clock.monotonic
        librarian.context.time = RealTime.nanoseconds
        let value = try batches.write { try body(librarian, $0) }
        try scan.doDuties()
        try batches.commit()
        scan.askForTurn()
        return value
      } catch {
        batches.fail(error)
        throw error
      }
    }
  }

  /// Commits what was written but put off, so that it can be brought to disk.
  func settle() throws { try batches.settle() }

  /// Does something on disk, in directories that are opened for it, and keeps none open.
  func atDisk<Value: ~Copyable>(
    _ body: (DirectoryTree) throws(LibraryFileError) -> Value
  ) throws(LibraryFileError) -> Value {
    if !turns.isUnderWay { disk.endBatch() }
    defer {
      if !turns.isUnderWay {
        disk.endBatch()
        scan.askForTurn()
      }
    }
    return try body(tree)
  }

  /// Whether what is in these directories is done on the thread of a root.
  func isApart(_ directories: [DirectoryID]) -> Bool { apart.isApart(directories) }

  /// An edit of several steps in these directories, some of which may take a while (``onDisk(_:_:_:)``).
  ///
  /// - Parameter mayBegin: asked when it is this edit's turn, and nothing of it has been done (0144).
  func editing<Value>(
    _ directories: [DirectoryID], mayBegin: MayBegin, _ body: @EventLoopActor () async throws -> Value
  ) async throws -> Value {
    let uncertain = uncertain(directories)
    if !uncertain.isEmpty { await scan.takeIn() }
    return try await apart.alone(directories, for: mayBegin.user) {
      if !uncertain.isEmpty { await recognize(uncertain) }
      try mayBegin()
      return try await body()
    }
  }

  /// The same as ``atDisk(_:)``, where that may take a while: a step of the edit that is under way, or of what the daemon does
  /// by itself.
  ///
  /// - Parameters:
  ///   - directories: all that it touches.
  ///   - subject: for errors.
  ///   - after: what follows `body`, in these directories.
  func onDisk<Value: Sendable>(
    _ directories: [DirectoryID], _ subject: String, after: AfterStep<Value> = AfterStep(),
    _ body: @escaping DiskStep<Value>
  ) async throws(LibraryFileError) -> Value {
    try await onDisk(for: nil, directories, subject, after: after, body)
  }

  /// The same, of a question: users take turns with those.
  ///
  /// - Parameter user: who asks; nil as above.
  /// - Throws: `offline` also where this user asks for too much already.
  func onDisk<Value: Sendable>(
    for user: UInt32?, _ directories: [DirectoryID], _ subject: String,
    after: AfterStep<Value> = AfterStep(), _ body: @escaping DiskStep<Value>
  ) async throws(LibraryFileError) -> Value {
    guard let root = apart.root(of: directories) else {
      return try atDisk { tree throws(LibraryFileError) in
        let value = try body(disk, tree)
        try after.check(value, disk, tree) { disk.look(at: $0, in: tree) }
        return value
      }
    }
    defer { scan.askForTurn() }
    return try await apart.run(on: root, for: user, directories, in: tree, subject, after: after, body)
  }

  /// Only looks. Requests that come together share the directories that they opened.
  func looking<Value: ~Copyable, Failure: Error>(
    _ body: (DirectoryTree) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    defer { endWithOthers() }
    return try body(tree)
  }

  /// A directory is not where the tree has it.
  func lose(_ directory: DirectoryID) {
    scan.lose(directory)
    scan.askForTurn()
  }

  private func endWithOthers() {
    guard !turns.isUnderWay, !endsTogether else { return }
    endsTogether = true
    EventLoop.shared.atEndOfTurn { [self] in
      endsTogether = false
      disk.closeDirectories()
      scan.askForTurn()
    }
  }
}
