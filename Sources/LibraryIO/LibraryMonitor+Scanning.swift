internal import Glibc
internal import Inotify
internal import LibraryModel
internal import Linux

// What the plan of the scan says, done: directories are watched, listed, and compared.
extension LibraryMonitor {
  /// Lists every directory of every root that is online.
  func scanEverything() {
    statistics.scans += 1
    forget(
      listings: plan.scan(
        Set(librarian.tree.all.lazy.map(\.id)),
        from: roots.filter { $0.offline == nil }.map(\.directory)))
    updateState()
  }

  /// Listings that are of no use any more.
  func forget(listings directories: [DirectoryID]) {
    for directory in directories { reducer.endListing(directory) }
    reconciliation = nil
  }

  /// Gives the lister something to do.
  func startListings() {
    while let next = plan.takeToList(isKnown: { librarian.tree[$0] != nil }) {
      if plan.compared == nil { reconciliation = nil }
      start(next)
    }
  }

  /// Watches first, lists then: what comes in between is told twice, and that is harmless (race 1).
  private func start(_ directory: DirectoryID) {
    reducer.endListing(directory)
    switch disk.directory(directory, in: librarian.tree) {
    case .offline: plan.notListed(directory)
    case .elsewhere:
      plan.notListed(directory)
      plan.lose(directory)
    case .failed(let error):
      plan.notListed(directory)
      failed(directory, error)
    case .descriptor(let descriptor):
      do {
        try watch(directory, descriptor)
        reducer.beginListing(directory)
        let readable = try OwnedDescriptor(
          openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "openat")
        plan.find(directory)
        lister?.list(directory, readable)
      } catch {
        plan.notListed(directory)
        failed(directory, error)
      }
    }
  }

  private func failed(_ directory: DirectoryID, _ error: SystemError) {
    reducer.endListing(directory)
    switch error.code {
    case ENOENT, ENOTDIR, ESTALE: plan.lose(directory)
    default: noteUnreadable(directory)
    }
  }

  /// A directory, or something in it, gives errors: nothing is concluded from that, and it is listed again now
  /// and then, because nothing need tell when it gives none.
  private func noteUnreadable(_ directory: DirectoryID) {
    guard unreadable.insert(directory).inserted else { return }
    noteTrouble()
    isStateStale = true
  }

  private func watch(_ directory: DirectoryID, _ descriptor: CInt) throws(SystemError) {
    guard let queue, let node = librarian.tree[directory] else { return }
    let number: Int32
    do {
      number = try queue.watch(descriptor)
    } catch  where error.code == ENOSPC {
      // Without a watch it is compared now and then; watches that become free are found by that (race 7).
      // Nor is a rename told of that goes from one such directory to another.
      librarian.expectsNewFiles = false
      if unwatched.insert(directory).inserted { isStateStale = true }
      return
    }
    if unwatched.remove(directory) != nil, unwatched.isEmpty { isStateStale = true }
    if let old = node.watch, old != number { unwatch(old) }
    librarian.setWatch(number, of: directory)
    if let other = reducer.watch(number, directory) {
      // That one has been replaced by this; where it is itself, if anywhere, its parent knows.
      librarian.setWatch(nil, of: other)
      if let location = librarian.tree.location(of: other) { reducer.hint(location, removal: true) }
    }
  }

  /// The lister is done with a directory.
  func listed(_ directory: DirectoryID, _ result: DirectoryLister.Result) {
    // Not at once: several of these come together, and requests have their turn between two slices.
    defer { scheduleTurn() }
    switch result {
    case .failed(let error):
      if plan.listed(directory, nil) { failed(directory, error) }
    case .listing(let listing, let isWhole):
      guard plan.listed(directory, listing) else { return }
      statistics.listings += 1
      if !isWhole {
        noteUnreadable(directory)
      } else if unreadable.remove(directory) != nil {
        isStateStale = true
      }
    }
  }

  /// Begins to compare a listing with the index.
  func compare(_ directory: DirectoryID, with listing: DirectoryListing, descends: Bool) {
    guard let node = librarian.tree[directory] else { return endComparing(directory) }
    reconciliation = Reconciliation(
      of: directory, with: listing, descends: descends,
      isEmpty: node.assetCount == 0 && node.movieCount == 0)
  }

  private func endComparing(_ directory: DirectoryID) {
    reducer.endListing(directory)
    plan.endComparing()
    reconciliation = nil
  }

  /// Compares a little of it. What events have spoken of since is not taken from the listing, which is older.
  func reconcile() throws {
    guard let directory = reconciliation?.directory else { return plan.endComparing() }
    reconciliation?.touched = reducer.namesTouched(in: directory)
    let isDone = try reconciliation?.advance(librarian, limit: 64) ?? true
    plan.putOff(librarian.duties.doubts)
    librarian.duties.doubts = Doubts()
    // While it still says whether known directories are listed as well.
    try takeDuties()
    if isDone { endComparing(directory) }
  }

  /// Does what the librarian left to do.
  func takeDuties() throws {
    let duties = librarian.duties
    if !duties.unwatch.isEmpty {
      for watch in duties.unwatch { unwatch(watch) }
      librarian.duties.unwatch.removeAll()
      disk.endBatch()
    }
    if duties.hasLeft, let queue {
      librarian.duties.hasLeft = false
      plan.left(told: queue.taken + queue.pending, now: monotonicMicroseconds())
    }
    if duties.mountsChanged {
      librarian.duties.mountsChanged = false
      updateState()
    }
    if !duties.moved.isEmpty {
      for moved in duties.moved { plan.listLost { librarian.tree.contains($0, beneath: moved) } }
      librarian.duties.moved.removeAll()
    }
    if !duties.list.isEmpty {
      for directory in duties.list { disk.forget(directory) }
      plan.list(found: duties.list)
      librarian.duties.list.removeAll()
    }
    if duties.doubts.count > 0 {
      plan.raise(duties.doubts)
      librarian.duties.doubts = Doubts()
    }
    if !duties.unresolved.isEmpty {
      // Where only a name gave an error, nothing need be sought.
      plan.lose(duties.unresolved.subtracting(disk.troubled))
      librarian.duties.unresolved.removeAll()
    }
    for directory in disk.troubled { noteUnreadable(directory) }
    disk.troubled.removeAll()
    if !duties.incomplete.isEmpty {
      for file in duties.incomplete { wait(for: file.location, file.evidence, hasWriter: file.hasWriter) }
      librarian.duties.incomplete.removeAll()
    }
  }

  /// Directories were not where the tree has them and no event has said why: the nearest directory above
  /// that is where it should be is listed, and tells.
  func seekLost() {
    let (lost, isNew) = plan.seek()
    // What was sought and is still lost will hardly be found by seeking at once.
    seekDelay =
      isNew ? LibraryMonitor.firstSeekDelay : min(seekDelay * 2, LibraryMonitor.lastTroubleDelay)
    for directory in lost {
      var next: DirectoryID? = directory
      search: while let id = next {
        switch disk.directory(id, in: librarian.tree) {
        case .descriptor:
          plan.list(id, descends: true)
          break search
        case .offline: break search
        case .elsewhere, .failed: next = librarian.tree[id]?.parent
        }
      }
    }
    disk.endBatch()
    turn()
  }
}
