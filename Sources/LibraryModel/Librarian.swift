/// Compares the disk with the index, name by name, and makes the index agree.
///
/// Live events, scans, rescans and start-up all come down to ``FileComparison/examine(_:removal:_:)``: level-triggered,
/// so that a hint too many does nothing and any order of hints ends in the same index. Which asset keeps its id (S39)
/// depends on no order either: names whose files are not the ones that the index has are collected
/// (``Duties/doubts``), and decided about together when all is known that there is to know: here, by the evidence in
/// docs/decisions/0015-identity.md; first where a file is, then what its name is.
///
/// All calls of a batch are made inside one transaction of the index; ``finishBatch()`` ends it.
///
/// It is long because what a file in doubt is depends on all others that are: who had its name, who has it by now, and
/// whose names go round in a circle are one decision.
package final class Librarian {
  /// What its parts share.
  package let context: LibrarianContext
  /// The directories.
  package let directories: Directories
  /// Compares names.
  package let files: FileComparison
  /// Which movies, and which RAW, belong to which photo.
  package let parts: PhotoParts
  /// Which sidecars belong to which asset.
  package let sidecars: Sidecars
  /// Which assets stand for albums.
  package let keyPhotos: KeyPhotos
  /// In which order people have put what is in albums.
  package let customOrder: CustomOrder
  /// What is known of who writes.
  package let writers: WriterEvidence
  let index: any FileIndex
  let lookup: Lookup
  private let directoryComparison: DirectoryComparison
  /// Under which of very many names an asset was found last, until there are no doubts left.
  private var lastFound: [AssetID: Location] = [:]

  /// A librarian of an index and a disk.
  package init(index: LibraryIndex, disk: any LibraryDisk) {
    self.index = index.files
    context = LibrarianContext(index.journal)
    directories = Directories(index.directories, index.sharing, context)
    keyPhotos = KeyPhotos(index.keyPhotos, index.files, directories, context)
    context.keyPhotos = keyPhotos
    customOrder = CustomOrder(index.customOrder, index.files, directories, context)
    context.customOrder = customOrder
    lookup = Lookup(index.files, disk, directories, context)
    directoryComparison = DirectoryComparison(index.directories, directories, lookup, context)
    parts = PhotoParts(index.files, directories)
    sidecars = Sidecars(index.files, directories)
    writers = WriterEvidence(index.files, lookup, context)
    files = FileComparison(
      index.files, directories, directoryComparison, parts, sidecars, lookup, writers, context)
  }

  /// Writes what was gathered in memory. The transaction is committed next, and only then may anyone be
  /// told of the changes.
  ///
  /// - Returns: the changes of the batch.
  package func finishBatch() throws -> [PlacedChange] {
    try directories.writeCounts()
    return context.takeChanges()
  }

  /// Forgets where files were found: when there are no doubts left.
  package func forgetEvidence() {
    files.forgetEvidence()
    lastFound.removeAll()
    lookup.forgetGone()
    directoryComparison.forgetEvidence()
  }

  /// Whether files that get these names are nobody's but their bringer's: nothing that is there becomes part of them, nor they
  /// of that (S16).
  ///
  /// - Parameter locations: an asset's own, and those of its movie, its RAW and its sidecars, if it brings any.
  package func areFree(_ locations: [Location]) throws -> Bool {
    let files = locations.filter { !$0.name.isSidecar }
    return try locations.allSatisfy { location in
      guard location.name.isSidecar else {
        return try parts.isFree(location) && sidecars.isFree(location)
      }
      return try files.contains { try sidecars.isFree(location, beside: $0) }
    }
  }

  // MARK: What is told

  /// Follows a rename that an event told of.
  ///
  /// A file that is no longer at `target` either has gone on from there: that is still to be told. But hints
  /// about one name are taken together, so `origin` may have been looked at already as it is after all that
  /// is still to be told: what is there on disk is never taken away.
  package func moved(from origin: Location, to target: Location) throws {
    if let node = directories.tree.child(origin) {
      // The event is trusted about which directory it is, the disk about what both names are by now. One
      // that has come back already is left: what else is under the name it had meanwhile, is another.
      if lookup.identity(at: origin) != node.identity { try directoryComparison.moved(node, to: target) }
      try files.examine(target, removal: false, .renamed)
      return try files.examine(origin, removal: false, .none)
    }
    // What a movie or a sidecar is depends on what is beside it: it is looked at anew where it is now.
    guard let row = try index.link(at: origin), row.resource == .main, !target.name.isSidecar,
      lookup.identity(at: origin) != row.identity
    else {
      try files.examine(target, removal: false, .renamed)
      return try files.examine(origin, removal: true, .none)
    }
    let isFree = try index.link(at: target) == nil
    switch lookup.look(at: target) {
    case .found(let facts) where facts.kind == .regular && row.identity == facts.identity:
      // The event says that it is the same, and where there are no birth times only the event.
      writers.notice(facts)
      if isFree {
        try files.relink(row, to: target, facts)
      } else {
        try files.compare(target, facts, .renamed)
      }
    case .offline: context.duties.unresolved.formUnion([origin.directory, target.directory])
    case .unknown:
      // An overlay gives the directory another number at its first change, and the file as well: that it is the same, nothing
      // says later.
      context.duties.unresolved.formUnion([origin.directory, target.directory])
      if isFree, target.name.countsAsAsset, directories.tree[target.directory] != nil {
        try files.relink(row, to: target, nil)
      }
    case .found, .absent:
      // From there it has gone on, or was overwritten.
      if isFree, target.name.countsAsAsset { try files.relink(row, to: target, nil) }
      try files.examine(target, removal: true, .none)
    }
    try files.examine(origin, removal: true, .none)
  }

  /// Follows a rename that the daemon itself has just done. A listing from before knows the former name still, and the new one
  /// not yet.
  package func renamed(from origin: Location, to target: Location) throws {
    context.duties.compared += [origin, target]
    try moved(from: origin, to: target)
  }

  /// Compares a name of which nobody else need tell anything: the daemon itself has just made or removed what is,
  /// or was, there.
  package func takeIn(_ location: Location, _ evidence: EventReducer.Evidence) throws {
    let others = context.duties.doubts
    context.duties.doubts = Doubts()
    context.duties.compared.append(location)
    try files.examine(location, removal: true, evidence)
    let own = context.duties.doubts
    context.duties.doubts = others
    _ = try decide(own) { true }
  }

  /// Finds a directory by its name that may have another number since its file system was mounted.
  ///
  /// - Parameter facts: of what is there, as just read.
  package func recognize(_ location: Location, _ facts: FileFacts) throws {
    try directoryComparison.recognize(location, facts)
  }

  /// Finds a file by its name that has another number since its file system was mounted, before everything is listed: where
  /// its length and times are the same as well, which whatever else has taken its place would hardly have.
  ///
  /// - Parameter facts: of what is there, as just read.
  package func recognizeFile(at location: Location, _ facts: FileFacts) throws {
    guard facts.kind == .regular, facts.linkCount == 1, let row = try index.link(at: location),
      row.byteCount == facts.byteCount, row.modified == facts.modified, try lookup.isItself(row, facts)
    else { return }
    try files.renumber(row, facts)
  }

  /// Takes an asset out whose files the daemon itself has put away: one change, and its id goes to nothing
  /// that comes under its names.
  ///
  /// - Returns: where the index had movies, RAW and sidecars of it. What of them is there all the same is to be taken in anew.
  @discardableResult
  package func remove(_ id: AssetID) throws -> [Location] {
    guard let before = try index.asset(id) else { return [] }
    context.duties.compared += before.links
    var companions: [Location] = []
    for link in before.links {
      try index.removeLink(at: link)
      directories.count(-1, link)
      for part in try parts.parts(of: id, at: link) {
        try files.removePart(part)
        // What has its name after it has gone is something else.
        if lookup.look(at: part.location) != .absent { try files.remember(before.flags, of: part) }
        companions.append(part.location)
      }
    }
    for sidecar in try sidecars.names(of: id, at: before.links) {
      try files.removeSidecar(sidecar)
      companions.append(sidecar.location)
    }
    directories.countRepeats(before, nil)
    try index.remove(id)
    try context.publish(before, nil, content: false)
    return companions
  }

  /// Takes an album out that the daemon itself has removed, and in which nothing was: one change, now.
  package func removeEmpty(_ id: AlbumID, at location: Location) throws {
    try takeIn(location, .none)
    guard directories.hasLeft(album: id), try index.links(in: id, after: nil, limit: 1).isEmpty else {
      return
    }
    try directories.removeOrphan(id)
  }

  /// Has up to `limit` directories leave the library that lie beneath one which has.
  package func leave(limit: Int) throws { try directories.leave(limit: limit) }

  /// Removes up to `limit` links of directories that have left the library, at least one.
  ///
  /// - Parameter hasTime: asked after each: one of very many names of a file takes longer than others.
  package func removeOrphans(limit: Int, while hasTime: () -> Bool) throws {
    // Children before their parents: all of them must be known.
    guard !directories.isLeaving else { return try leave(limit: limit) }
    guard let orphan = directories.nextOrphan else { return }
    let links = try index.links(in: orphan, after: nil, limit: limit)
    for link in links {
      try files.drop(link)
      guard hasTime() else { return }
    }
    if links.count < limit { try directories.removeOrphan(orphan) }
  }

  // MARK: Doubts

  /// Decides about names in doubt, at least about one of them. All that was told, and listed, of what happened before they
  /// were looked at must have been taken in; one of which that is no longer so is in doubt again.
  ///
  /// - Parameter hasTime: asked after each: there may be many, and a file system may take long with each.
  /// - Returns: those that are left.
  package func decide(_ doubts: Doubts, while hasTime: () -> Bool) throws -> Doubts {
    var rest = doubts
    repeat {
      let next = rest.takeFirst(1)
      for doubt in next.remade + next.missing where try !directoryComparison.decide(doubt) {
        try files.examine(doubt.location, removal: true, .none)
      }
      for doubt in next.files { try decide(doubt) }
    } while rest.count > 0 && hasTime()
    return rest
  }

  private func decide(_ doubt: Doubt) throws {
    guard let row = try index.link(at: doubt.location), row.identity == doubt.former else {
      return try files.examine(doubt.location, removal: true, .none)
    }
    switch lookup.look(at: doubt.location) {
    case .unknown, .offline:
      if directories.tree[doubt.location.directory] != nil {
        context.duties.unresolved.insert(doubt.location.directory)
      }
    case .found(let facts) where facts.covers(row): return
    case .found(let facts) where facts.kind == .regular:
      guard row.resource == .main, facts.identity != row.identity else {
        if !row.agrees(with: facts) { try files.compare(doubt.location, facts, .none) }
        return
      }
      files.found(facts.identity, at: doubt.location)
      if facts.identity == doubt.present { return try decide(row, facts) }
      // What that means may depend on what is still to be listed, which nobody waited for.
      if try isWhole(doubt.location, facts) { context.duties.doubt(row, present: facts.identity) }
    case .found(let facts):
      try decide(row)
      try files.compare(doubt.location, facts, .none)
    case .absent: try decide(row)
    }
  }

  /// Whether a file that is not the one that the index has at its name counts there.
  private func isWhole(_ location: Location, _ facts: FileFacts) throws -> Bool {
    try lookup.isKnownElsewhere(facts, than: location)
      || writers.whole(location, facts, isKnown: false, .none) != nil
  }

  // MARK: Files in doubt

  /// A file that is not under the name that the index has for it, and where it is, if it was found. One look says so
  /// for all that is decided about it.
  private struct Displaced {
    let row: Link
    let found: (place: Location, facts: FileFacts)?
  }

  /// Decides about the file of `row`, which is not there: and, before, about the one in whose place it is now, and
  /// so on. Nothing but the last of them depends on anything else.
  ///
  /// - Parameter facts: of the file that has its name.
  private func decide(_ row: Link, _ facts: FileFacts? = nil) throws {
    guard row.resource == .main else { return try files.drop(row) }
    if let facts, try lookup.isItself(row, facts) {
      return try files.renumber(row, facts)
    }
    try trace(row.location)
    if hasMovedOn(row) { return context.duties.doubt(row, present: facts?.identity) }
    var chain = [try displaced(row)]
    while let last = chain.last, let place = last.found?.place, let next = try index.link(at: place),
      next.resource == .main, next.identity != last.row.identity
    {
      if place == row.location { return try rotate(chain.map(\.row)) }
      if let first = chain.firstIndex(where: { $0.row == next }) {
        // It has another name, and is there what changed places with others.
        try rotate(chain[first...].map(\.row))
        chain.removeSubrange(first...)
        break
      }
      if hasMovedOn(next) { return context.duties.doubt(row, present: facts?.identity) }
      chain.append(try displaced(next))
    }
    if let last = chain.last, last.found == nil, try mayTurnUp(last.row) {
      return context.duties.doubt(row, present: facts?.identity)
    }
    for next in chain.dropFirst().reversed() { try conclude(next, .none) }
    if let first = chain.first { try conclude(first, .renamed) }
  }

  /// Whether a file was found elsewhere, and is not there any more: it is somewhere, and where is still to be told. That is
  /// waited for once for each place where it was found.
  private func hasMovedOn(_ row: Link) -> Bool {
    guard row.identity.isCertain, let place = files.whereabouts(of: row.identity), place != row.location,
      !lookup.mayBe(row.identity, at: place)
    else { return false }
    files.forgetWhereabouts(of: row.identity)
    return true
  }

  /// Whether a file that is nowhere, and in whose place is another of the library, may be where nobody has looked since it came
  /// there: it changed places with others once more while that was taken in. That is waited for.
  private func mayTurnUp(_ row: Link) throws -> Bool {
    guard row.identity.isCertain, case .found(let facts) = lookup.look(at: row.location),
      facts.kind == .regular, try lookup.isKnownElsewhere(facts, than: row.location)
    else { return false }
    return files.awaits(row.identity)
  }

  /// A file in doubt, with where it was found. Where there are no birth times, its number may be another's by now.
  private func displaced(_ row: Link) throws -> Displaced {
    guard let place = files.whereabouts(of: row.identity), place != row.location,
      case .found(let facts) = lookup.look(at: place), facts.kind == .regular,
      try lookup.isSame(row, facts), try !lookup.isItself(at: place, facts)
    else { return Displaced(row: row, found: nil) }
    return Displaced(row: row, found: (place, facts))
  }

  /// Looks where the file at a name came from, and where the one came from that is there now, and so on: files that
  /// changed places find each other so.
  private func trace(_ location: Location) throws {
    var seen: Set<Location> = [location]
    var place = location
    while case .found(let facts) = lookup.look(at: place), facts.kind == .regular, lookup.mayKnow(facts),
      let former = try lookup.linkElsewhere(facts, than: place)?.location,
      seen.insert(former).inserted
    {
      if let identity = lookup.identity(at: former), identity != facts.identity {
        files.found(identity, at: former)
      }
      place = former
    }
  }

  /// Decides about one file when everything is decided that it depends on. Afterwards the index is as the disk is at
  /// its name, whatever was found where.
  ///
  /// - Parameter evidence: of what is there now.
  private func conclude(_ file: Displaced, _ evidence: EventReducer.Evidence) throws {
    let (row, location) = (file.row, file.row.location)
    guard try index.link(at: location) == row, let before = try index.asset(row.asset) else {
      return try compareHeir(location, evidence)
    }
    if hasOtherName(before, file) {
      // It has another name.
      try files.drop(row)
      files.noteLost(row)
      return try compareHeir(location, evidence)
    }
    if let (place, facts) = file.found {
      let other = try index.link(at: place)
      if other?.resource != .main {
        // It has gone there.
        if other == nil {
          try files.arrive(place, facts)
        } else {
          try files.compare(place, facts, .renamed)
        }
        if try index.link(at: location) == row { try files.drop(row) }
        return try compareHeir(location, evidence)
      }
      // It was there for a moment only, or is another. That name is looked at again.
      files.forgetWhereabouts(of: row.identity)
      if let other { context.duties.doubt(other, present: nil) }
    }
    switch lookup.look(at: location) {
    case .found(let facts) where facts.kind == .regular: try replace(row, before, by: facts)
    case .found, .absent: try files.drop(row)
    // It may have answered a moment ago, and nothing follows from that it does not now (race 32).
    case .unknown, .offline: context.duties.unresolved.insert(location.directory)
    }
  }

  /// Whether the file of a name in doubt has another name. Of very many, each is in doubt by itself where it has gone: of one
  /// that is not there the others need not be looked at.
  private func hasOtherName(_ asset: Asset, _ file: Displaced) -> Bool {
    let others = asset.links.filter { $0 != file.row.location }
    let few = others.prefix(FileComparison.namesLookedAt)
    if few.contains(where: { lookup.mayBe(file.row.identity, at: $0) }) { return true }
    let rest = others.dropFirst(few.count)
    if rest.isEmpty { return false }
    if file.found == nil, lookup.look(at: file.row.location) == .absent { return true }
    // Where it was found when another of its names was decided about: else each of thousands would have all looked at.
    if let last = lastFound[asset.id], last != file.row.location, lookup.mayBe(file.row.identity, at: last) {
      return true
    }
    let found = rest.first { lookup.mayBe(file.row.identity, at: $0) }
    lastFound[asset.id] = found
    return found != nil
  }

  /// A file at a name whose former file is accounted for.
  private func compareHeir(_ location: Location, _ evidence: EventReducer.Evidence) throws {
    switch lookup.look(at: location) {
    case .found(let facts) where facts.kind == .regular:
      files.forgetWhereabouts(of: facts.identity)
      try files.compare(location, facts, evidence)
    case .found, .absent: return
    case .unknown, .offline:
      if directories.tree[location.directory] != nil {
        context.duties.unresolved.insert(location.directory)
      }
    }
  }

  /// The former file is nowhere: the name's asset stays with its name.
  private func replace(_ row: Link, _ before: Asset, by facts: FileFacts) throws {
    files.forgetWhereabouts(of: facts.identity)
    var freed: [Location] = []
    if lookup.mayKnow(facts) {
      let known = try lookup.knownLinks(facts, at: row.location).filter { $0.asset != row.asset }
      // Linked here, it is the asset that it is by its other name; and what came with a directory that was taken for
      // this one has replaced nothing.
      let isItself = directories.isRemade(row.location.directory) && !known.isEmpty
      let isLive = known.contains { lookup.isLive($0.location, facts.identity, facts) }
      if isItself || isLive && !files.areHeirs(known, of: row.asset) {
        try files.drop(row)
        return try files.arrive(row.location, facts)
      }
      // Renamed over this name, as a save does: the other's name has gone.
      for link in known {
        try files.drop(link, buries: false)
        freed.append(link.location)
      }
      // A movie or RAW that was beside it may be something else now.
      guard try index.link(at: row.location) == row, try index.asset(row.asset) == before else {
        return try files.compare(row.location, facts, .renamed)
      }
    }
    var after = before
    try files.vacate(before.links.filter { $0 != row.location }, of: &after, row.identity)
    try files.save(before, after, facts)
    for location in freed { try files.examine(location, removal: false, .none) }
  }

  /// Files changed places (RENAME_EXCHANGE, or a few renames): the file of each row is where the next is, that
  /// of the last where the first is. Each asset follows its file.
  private func rotate(_ rows: [Link]) throws {
    var before: [Asset] = []
    for (row, next) in zip(rows, rows.dropFirst() + rows.prefix(1)) {
      var link = row
      link.location = next.location
      files.forgetWhereabouts(of: row.identity)
      try index.update(link)
      guard let asset = try index.asset(row.asset) else { continue }
      // Two names of one may have changed places with others.
      if !before.contains(where: { $0.id == asset.id }) { before.append(asset) }
      var after = asset
      after.addLink(next.location)
      _ = after.removeLink(row.location)
      try index.update(after)
      directories.countRepeats(asset, after)
    }
    // A still takes the movie beside it, which may be another name of one of these.
    for before in before {
      if let after = try index.asset(before.id) { try files.save(before, after, nil, areCounted: true) }
    }
    // One may have been written to as well.
    for row in rows { try files.examine(row.location, removal: false, .none) }
  }
}
