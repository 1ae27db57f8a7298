internal import EventLoop
internal import LibraryModel

/// Edits beneath roots whose file systems may not answer: what they do on disk is a job of the root's thread, and the loop
/// waits for none of it (docs/decisions/0060-roots-that-hang.md). Elsewhere it is done at once.
@EventLoopActor
final class EditsApart {
  private let disk: BeneathRoot
  private let roots: Roots
  private let turns: Turns
  private var (near, far) = (Line(), Line())

  /// Those that wait for the one edit that is under way.
  private struct Line {
    var isBusy = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

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

  /// Has one edit of several steps done at a time, and nothing compared meanwhile: what the disk has and the index does
  /// not, the edit itself is about to say. One of a root that may not answer keeps none of another waiting.
  func alone<Value>(
    _ directories: [DirectoryID], _ body: @EventLoopActor () async throws -> Value
  ) async throws -> Value {
    let line = root(of: directories) == nil ? \EditsApart.near : \EditsApart.far
    // Looked at within: waiting may begin with a turn of the loop, in which the one before is done.
    await withCheckedContinuation { waiting in
      // Whoever is done hands it on: it stays busy.
      if self[keyPath: line].isBusy { return self[keyPath: line].waiting.append(waiting) }
      self[keyPath: line].isBusy = true
      waiting.resume()
    }
    turns.hold()
    defer {
      turns.release()
      if self[keyPath: line].waiting.isEmpty {
        self[keyPath: line].isBusy = false
      } else {
        self[keyPath: line].waiting.removeFirst().resume()
      }
    }
    return try await body()
  }

  /// Does something on disk, on the thread of a root.
  ///
  /// - Parameters:
  ///   - directories: all that it touches.
  ///   - subject: for errors.
  /// - Throws: what `body` does; `offline` where the file system does not answer, undecided if `body` was begun.
  func run<Value: Sendable>(
    on apart: RootDisk, _ directories: [DirectoryID], in tree: DirectoryTree, _ subject: String,
    _ body: @escaping DiskStep<Value>
  ) async throws(LibraryFileError) -> Value {
    let places = PlacesBeneath(directories, disk.roots, tree)
    let attention = Attention()
    let looked = await apart.run { disk -> Looked<Result<Value, LibraryFileError>>? in
      guard attention.begin() else { return nil }
      disk.roots = places.roots
      disk.attention = attention
      defer { disk.endBatch() }
      return Looked(Result { () throws(LibraryFileError) in try body(disk, places.tree) }, disk)
    }
    guard let looked, let result = disk.take(looked) else {
      throw attention.giveUp() ? .undecided(subject) : LibraryFileError(.offline, subject: subject)
    }
    return try result.get()
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
