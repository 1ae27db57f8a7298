internal import Glibc
internal import Inotify
internal import LibraryModel
internal import Linux

extension LibraryMonitor {
  /// How many listings may be under way, or wait to be compared: what bounds the memory of a scan.
  static var listingsInFlight: Int { 16 }

  /// Lists every directory of every root that is online.
  func scanEverything() {
    statistics.scans += 1
    // What was listed before may lack what the kernel dropped since.
    forgetListings()
    toList.removeAll()
    isToBeListed.removeAll()
    unscanned = Set(librarian.tree.all.lazy.map(\.id))
    for root in roots where root.offline == nil { list(root.directory, descends: true) }
    isScanning = true
    updateState()
  }

  /// Forgets what was listed and is not yet compared.
  func forgetListings() {
    for listing in listings { reducer.endListing(listing.directory) }
    listings.removeAll()
    if let directory = reconciliation?.directory { reducer.endListing(directory) }
    reconciliation = nil
  }

  /// Lists what a scan has not come by: a directory that was moved meanwhile, from where it was still to be
  /// listed to where all was listed already, or one whose parent's listing was not trusted about it.
  func listUnscanned() {
    for directory in unscanned where librarian.tree[directory] != nil { list(directory, descends: false) }
    unscanned.removeAll()
  }

  /// Has a directory watched and listed; with all beneath it, if it `descends`.
  func list(_ directory: DirectoryID, descends: Bool) {
    if let known = isToBeListed[directory] {
      if descends, !known { isToBeListed[directory] = true }
      return
    }
    isToBeListed[directory] = descends
    toList.append((directory, descends))
  }

  var mayList: Bool { inFlight.count + listings.count < LibraryMonitor.listingsInFlight }

  /// Gives the lister something to do.
  ///
  /// - Returns: whether any listing was begun.
  func startListings() -> Bool {
    var any = false
    while mayList, let next = toList.popLast() {
      let descends = isToBeListed.removeValue(forKey: next.directory) ?? next.descends
      guard librarian.tree[next.directory] != nil else { continue }
      if let earlier = inFlight[next.directory] {
        listAgain.insert(next.directory)
        inFlight[next.directory] = earlier || descends
        continue
      }
      start(next.directory, descends: descends)
      any = true
    }
    return any
  }

  /// Watches first, lists then: what comes in between is told twice, and that is harmless (race 1).
  private func start(_ directory: DirectoryID, descends: Bool) {
    unscanned.remove(directory)
    var descends = descends
    // An earlier listing that is not yet compared to its end gives way to this one.
    if let position = listings.firstIndex(where: { $0.directory == directory }) {
      descends = listings.remove(at: position).descends || descends
    }
    if let reconciliation, reconciliation.directory == directory {
      descends = reconciliation.isDescending || descends
      self.reconciliation = nil
    }
    reducer.endListing(directory)
    switch disk.directory(directory, in: librarian.tree) {
    case .offline: return
    case .elsewhere: lost.insert(directory)
    case .failed(let error): failed(directory, error)
    case .descriptor(let descriptor):
      do {
        try watch(directory, descriptor)
        reducer.beginListing(directory)
        let readable = try OwnedDescriptor(
          openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), call: "openat")
        inFlight[directory] = descends
        // It is where the tree has it.
        lost.remove(directory)
        sought.remove(directory)
        lister?.list(directory, readable)
      } catch {
        failed(directory, error)
      }
    }
  }

  private func failed(_ directory: DirectoryID, _ error: SystemError) {
    reducer.endListing(directory)
    switch error.code {
    case ENOENT, ENOTDIR, ESTALE: lost.insert(directory)
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
    let descends = inFlight.removeValue(forKey: directory) ?? false
    let isStale = listAgain.remove(directory) != nil
    switch result {
    case _ where isStale: list(directory, descends: descends)
    case .failed(let error): failed(directory, error)
    case .listing(let listing, let isWhole):
      statistics.listings += 1
      if !isWhole {
        noteUnreadable(directory)
      } else if unreadable.remove(directory) != nil {
        isStateStale = true
      }
      listings.append((directory, listing, descends))
    }
    // Not at once: several of these come together, and requests have their turn between two slices.
    scheduleTurn()
  }

  /// Compares a little of a listing with the index. What events have spoken of since is not taken from the
  /// listing, which is older.
  func reconcile() throws {
    if reconciliation == nil, !listings.isEmpty {
      let next = listings.removeFirst()
      guard let node = librarian.tree[next.directory] else { return reducer.endListing(next.directory) }
      reconciliation = Reconciliation(
        of: next.directory, with: next.listing, descends: next.descends,
        isEmpty: node.assetCount == 0 && node.movieCount == 0)
    }
    guard let directory = reconciliation?.directory else { return }
    reconciliation?.touched = reducer.namesTouched(in: directory)
    let isDone = try reconciliation?.advance(librarian, limit: 64) ?? true
    deferred.append(librarian.duties.doubts)
    librarian.duties.doubts = Doubts()
    // A bound on memory: whatever a mass deletion left behind, its files will hardly turn up again.
    if deferred.count > 1 << 17 { doubts.append(deferred.takeFirst()) }
    // While it still says whether known directories are listed as well.
    try takeDuties()
    if isDone {
      reducer.endListing(directory)
      reconciliation = nil
    }
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
      removalMark = queue.taken + queue.pending
      removalAwaited = removalAwaited ?? monotonicMicroseconds()
    }
    if duties.mountsChanged {
      librarian.duties.mountsChanged = false
      updateState()
    }
    if !duties.moved.isEmpty {
      for moved in duties.moved {
        for directory in lost where librarian.tree.contains(directory, beneath: moved) {
          lost.remove(directory)
          list(directory, descends: true)
        }
      }
      librarian.duties.moved.removeAll()
    }
    if !duties.list.isEmpty {
      let descends = reconciliation?.isDescending ?? false
      for directory in duties.list {
        disk.forget(directory)
        list(directory, descends: descends)
      }
      librarian.duties.list.removeAll()
    }
    if duties.doubts.count > 0 {
      doubts.append(duties.doubts)
      librarian.duties.doubts = Doubts()
    }
    if !duties.unresolved.isEmpty {
      // Where only a name gave an error, nothing need be sought.
      lost.formUnion(duties.unresolved.subtracting(disk.troubled))
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
    // What was sought and is still lost will hardly be found by seeking at once.
    seekDelay =
      lost.isSubset(of: sought)
      ? min(seekDelay * 2, LibraryMonitor.lastTroubleDelay) : LibraryMonitor.firstSeekDelay
    sought = lost
    for directory in lost {
      var next: DirectoryID? = directory
      search: while let id = next {
        switch disk.directory(id, in: librarian.tree) {
        case .descriptor:
          list(id, descends: true)
          break search
        case .offline: break search
        case .elsewhere, .failed: next = librarian.tree[id]?.parent
        }
      }
    }
    // Found or not: what a listing was not trusted about may be the way to it.
    unscanned.formUnion(lost)
    lost.removeAll()
    disk.endBatch()
    turn()
  }
}
