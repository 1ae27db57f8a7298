/// Compares files with the index, name by name, and makes the index agree: which asset a file is that has come, what has
/// become of one that has changed, and what goes with a name that has gone.
///
/// Where another file is at a name than the index has, that is a ``Doubt``, and ``Librarian/decide(_:while:)`` decides.
///
/// One class of more than 400 lines, since a name that comes or goes concerns three kinds of files at once: a movie is an
/// asset of its own when its photo goes, which takes its sidecars along, which are then the next one's. Types of their own
/// would each call the two others in the middle of a change.
package final class FileComparison {
  let index: any FileIndex
  let directories: Directories
  let parts: PhotoParts
  let sidecars: Sidecars
  let lookup: Lookup
  let writers: WriterEvidence
  let context: LibrarianContext
  private let directoryComparison: DirectoryComparison
  private var tombstones = Tombstones<AssetID>()
  private var heirs = Heirs()
  /// Where files are that were found under the names of others.
  private var whereabouts: [FileIdentity: Location] = [:]
  /// Files that were nowhere and are waited for: what had been taken in when they were sought last, and until when that goes on.
  /// All are kept until there are no doubts left: one that was forgotten would be waited for again, and so for ever.
  private var sought: [FileIdentity: (told: UInt64, deadline: UInt64)] = [:]
  /// What files say that are just being added, read before they had a name.
  var foretold: [FileIdentity: AssetDescription?] = [:]

  init(
    _ index: any FileIndex, _ directories: Directories, _ directoryComparison: DirectoryComparison,
    _ parts: PhotoParts, _ sidecars: Sidecars, _ lookup: Lookup, _ writers: WriterEvidence,
    _ context: LibrarianContext
  ) {
    self.index = index
    self.directories = directories
    self.directoryComparison = directoryComparison
    self.parts = parts
    self.sidecars = sidecars
    self.lookup = lookup
    self.writers = writers
    self.context = context
  }

  // MARK: A name

  /// Compares one name.
  ///
  /// - Parameter removal: whether an absent file is gone for good. An event that says anything else about
  ///   a file that is absent will be followed by one that says where it went.
  /// - Parameter evidence: what is known about whether a file there is whole.
  package func examine(_ location: Location, removal: Bool, _ evidence: EventReducer.Evidence) throws {
    switch lookup.look(at: location) {
    case .found(let facts): try compare(location, facts, evidence.ofWhatIsThere)
    case .absent: if removal { try gone(location, evidence) }
    case .unknown, .offline:
      if directories.tree[location.directory] != nil { context.duties.unresolved.insert(location.directory) }
    }
  }

  /// Compares one name with facts that were just read.
  package func compare(_ location: Location, _ facts: FileFacts, _ evidence: EventReducer.Evidence) throws {
    guard directories.tree.contains(location.directory) else { return }
    if facts.isMount, let row = try index.link(at: location), facts.covers(row) { return }
    if facts.ignoresCase { try seekOtherSpelling(of: location) }
    if facts.kind == .directory {
      if let row = try index.link(at: location) { context.duties.doubt(row, present: nil) }
      if location.name.countsAsAlbum {
        try directoryComparison.compare(location, facts)
      } else if let node = directories.tree.child(location) {
        // An older version took it for an album.
        try directories.detach(node.id)
      }
      return
    }
    if let node = directories.tree.child(location) { try directories.lose(node) }
    guard location.name.countsAsFile else { return }
    guard facts.kind == .regular else {
      if let row = try index.link(at: location) { context.duties.doubt(row, present: nil) }
      return
    }
    if location.name.isSidecar { return try compareSidecar(location, facts, evidence) }
    // A listing that is still to be compared may know the file by its first name only.
    if facts.linkCount > 1 { context.expectsNewFiles = false }
    // A file born after all that were ever indexed is not known under any name; nearly always its own
    // name is free as well, which the insertion finds out by itself.
    if evidence.isWhole, !lookup.mayKnow(facts), try insert(location, facts) {
      writers.notice(facts)
      return
    }
    let row = try index.link(at: location)
    if let row, row.agrees(with: facts) {
      try confirm(row, facts)
      return try writers.compare(row, facts, evidence)
    }
    writers.notice(facts)
    if try row == nil && lookup.isKnownElsewhere(facts, than: location) {
      // It has moved, whoever writes to it: that is told at once, and its content when its writer is done.
      if try facts.linkCount > 1 || !lookup.isNamedElsewhere(location, facts) { try arrive(location, facts) }
      return
    }
    let isOther = row.map { $0.resource == .main && $0.identity != facts.identity } ?? false
    if isOther { found(facts.identity, at: location) }
    guard
      let facts = writers.whole(
        location, facts, isKnown: row?.identity == facts.identity, hadOther: isOther, evidence)
    else {
      return
    }
    if let row { try compare(row, facts) } else { try arrive(location, facts) }
  }

  /// Something has a name that nothing had: it may have had it in another spelling, of which no event tells.
  private func seekOtherSpelling(of location: Location) throws {
    guard directories.tree.child(location) == nil, try index.link(at: location) == nil else { return }
    context.duties.list.append(location.directory)
  }

  /// A file at a name that the index has.
  private func compare(_ row: Link, _ facts: FileFacts) throws {
    switch row.resource {
    case .pairedVideo, .alternatePhoto: try comparePart(row, facts)
    case .sidecar: try compareSidecar(row.location, facts, .none)
    case .main where row.identity != facts.identity: context.duties.doubt(row, present: facts.identity)
    case .main: if !row.agrees(with: facts) { try refresh(row.asset, facts) }
    }
  }

  /// A name has gone.
  ///
  /// - Parameter evidence: how, as was told.
  private func gone(_ location: Location, _ evidence: EventReducer.Evidence) throws {
    if let node = directories.tree.child(location) { try directories.lose(node) }
    if location.name.countsAsFile, let row = try index.link(at: location) {
      lookup.noteGone(row, evidence)
      context.duties.doubt(row, present: nil, hasLeft: evidence == .left)
    }
  }

  // MARK: Where files are

  /// A file was found under the name of another.
  func found(_ identity: FileIdentity, at location: Location) { whereabouts[identity] = location }

  /// Where a file was found, under the name of another.
  func whereabouts(of identity: FileIdentity) -> Location? { whereabouts[identity] }

  /// That says nothing any more.
  func forgetWhereabouts(of identity: FileIdentity) { whereabouts[identity] = nil }

  /// A file is nowhere.
  ///
  /// - Returns: whether it is waited for: the first time, and then for a second as long as more is told.
  func awaits(_ identity: FileIdentity) -> Bool {
    let former = sought[identity]
    if let former, former.told == context.told || former.deadline <= context.now { return false }
    sought[identity] = (context.told, former?.deadline ?? context.now + 1_000_000)
    return true
  }

  /// Nothing does: when there are no doubts left.
  func forgetEvidence() {
    whereabouts.removeAll()
    sought.removeAll()
    heirs.forgetYoung()
  }

  // MARK: Coming

  /// A file at a name that the index may not have.
  ///
  /// - Parameter isFree: whether it was just seen that it does not.
  func arrive(_ location: Location, _ facts: FileFacts, isFree: Bool = false) throws {
    writers.notice(facts)
    if location.name.isSidecar { return try keepSidecar(location, facts) }
    if lookup.mayKnow(facts) {
      if let first = try lookup.linkElsewhere(facts, than: location) {
        if let former = tombstones.named(location, now: context.now) {
          let known = try lookup.knownLinks(facts, at: location).filter { $0.location != location }
          if areHeirs(known, of: former) { return try raise(at: location, facts, insteadOf: known) }
        }
        return try adopt(first, at: location, facts)
      }
    }
    // Only while an empty library fills: then hardly anything else writes.
    let isFree = isFree && context.expectsNewFiles
    if try !insert(location, facts, isFree: isFree), let row = try index.link(at: location) {
      try compare(row, facts)
    }
  }

  /// A file that the index knows by no name.
  ///
  /// - Parameter isFree: whether the name is known to be free.
  /// - Returns: whether it was.
  private func insert(_ location: Location, _ facts: FileFacts, isFree: Bool = false) throws -> Bool {
    guard let mediaType = MediaType(name: location.name) else { return true }
    if let photo = try parts.photo(for: location) {
      return try insert(location, facts, asPartOf: photo)
    }
    let former = tombstones.raise(
      location, facts.identity, stamp: lookup.stamp(of: facts), now: context.now)
    let id = try former?.id ?? index.reserveAssetID()
    let link = Link(location, id, facts)
    if isFree { try index.add(link) } else if try !index.insert(link) { return false }
    if former == nil {
      heirs.began(id, at: location, now: context.now)
      if facts.linkCount > 1 {
        heirs.beganWithOtherNames(id, now: context.now, memory: context.memory)
      }
    }
    var asset = Asset(
      id: id, mediaType: mediaType, identity: facts.identity,
      byteCount: facts.byteCount,
      created: facts.created, modified: facts.modified, primary: location)
    var brought = FromRaw()
    // Nearly always nothing can, which is asked once.
    if directories.mayHaveCompanions(location.directory) { brought = try takeWhatLiesBeside(&asset) }
    // What people said of it comes back with it (S90).
    asset.flags = (former?.flags ?? []).reading(
      flags(at: location, facts), isSameFile: former.map { $0.identity == facts.identity } ?? true
    )
    // It has been here (S101).
    asset.arrived = former.flatMap { $0.arrived == 0 ? nil : $0.arrived } ?? arrival(of: facts)
    asset.join(brought)
    if former != nil { asset.edit = try index.editState(of: id, ContentStamp(facts)) }
    if let known = foretold[facts.identity] { (asset.description, asset.isDescribed) = (known, true) }
    try index.insert(asset)
    directories.count(1, location)
    try context.publish(inserted: asset)
    if let former { try context.customOrder?.restore(former.places, of: asset) }
    return true
  }

  /// A new file takes what belongs to it of what lies beside it.
  ///
  /// - Returns: what RAW was.
  private func takeWhatLiesBeside(_ asset: inout Asset) throws -> FromRaw {
    let brought = try claimParts(for: asset.primary, asset.id)
    try settleSidecars(beside: asset.primary, of: asset.id)
    asset.sidecars = try sidecars.files(of: asset.id, at: [asset.primary]).count
    (asset.mediaType, asset.hasRaw) = try parts.kind(of: asset)
    return brought
  }

  /// So many names of one file are looked at at most for each that has come, or gone. What has become of the others is told,
  /// or found when their directories are listed, of each by itself (docs/decisions/0159-very-many-names.md).
  static let namesLookedAt = 16

  /// A file that the index knows by another name.
  private func adopt(_ known: Link, at location: Location, _ facts: FileFacts) throws {
    guard let before = try index.asset(known.asset) else { return }
    var after = before
    after.addLink(location)
    var link = known
    link.location = location
    guard try index.insert(link) else { return }
    directories.count(1, location)
    let gone = before.links.prefix(Self.namesLookedAt).filter {
      !lookup.isLive($0, before.identity, facts)
    }
    try vacate(gone, of: &after, before.identity)
    try save(before, after, writers.whole(facts, of: link))
  }

  // MARK: Several names

  /// A name was taken from an asset whose file has others.
  func noteLost(_ row: Link) { heirs.lost(row.location, by: row.asset, now: context.now) }

  /// Whether these are names of assets that began a moment ago under names of another: all names of that were replaced by
  /// this one file, one after the other, and so it is the same asset (S39). Or of some that began while it was in doubt
  /// what has become of that one: this file was saved over it, and linked to these names as well.
  func areHeirs(_ known: [Link], of former: AssetID) -> Bool {
    !known.isEmpty && known.allSatisfy { heirs.isHeir($0.asset, of: former, now: context.now) }
  }

  /// The last name of an asset was removed a moment ago, and made anew as a name of the file that replaced its others.
  private func raise(at location: Location, _ facts: FileFacts, insteadOf known: [Link]) throws {
    for link in known { try drop(link, buries: false) }
    if try !insert(location, facts), let row = try index.link(at: location) { try compare(row, facts) }
    for link in known { try examine(link.location, removal: false, .none) }
  }

  /// Gives an id back to a file that is found there next, as if it had gone only a moment ago (S39). An id
  /// that another file has by now stays with that.
  ///
  /// - Parameters:
  ///   - flags: what people said of it.
  ///   - arrived: when it came first; 0 where that is not known.
  package func expect(
    _ id: AssetID, at location: Location, _ identity: FileIdentity, flags: AssetFlags, arrived: Int64
  ) throws {
    guard try index.asset(id) == nil else { return }
    tombstones.bury(id, location, identity, flags: flags, arrived: arrived, now: context.now)
  }

  /// Whether a file that has gone may still come back as the asset that it was (S39).
  ///
  /// - Parameter now: microseconds of the steady clock.
  package func mayReturn(_ id: AssetID, now: UInt64) -> Bool { tombstones.holds(id, now: now) }

  /// A file that gets this name is a new one, not one that was there until a moment ago (S39).
  package func forgetRemoved(at location: Location) { tombstones.forget(location) }

  /// What was said of a photo is said of its RAW when that is found there next: its own file may not say it (S99).
  func remember(_ flags: AssetFlags, of file: Link) throws {
    guard file.resource == .alternatePhoto, !flags.told.isEmpty else { return }
    let former = tombstones.raise(file.location, file.identity, stamp: file.stamp, now: context.now)
    tombstones.bury(
      try former?.id ?? index.reserveAssetID(), file.location, file.identity, stamp: file.stamp,
      flags: flags.asInherited,
      arrived: former?.arrived ?? 0, now: context.now, memory: context.memory)
  }

  /// What was said of RAW that comes beside another photo.
  func remembered(_ location: Location, _ facts: FileFacts, of resource: Link.Resource) -> AssetFlags {
    resource == .alternatePhoto
      ? tombstones.flags(location, facts.identity, stamp: lookup.stamp(of: facts), now: context.now).told : []
  }

  // MARK: Changing

  /// Takes names from an asset whose file is no longer there, without a look at what is: that may have been looked
  /// at already, while the name was taken, and so each is in doubt again.
  func vacate(_ locations: [Location], of asset: inout Asset, _ identity: FileIdentity) throws {
    guard !locations.isEmpty else { return }
    _ = asset.removeLinks(Set(locations))
    for location in locations {
      try index.removeLink(at: location)
      directories.count(-1, location)
      context.duties.lookAgain(at: location, identity)
    }
  }

  /// The same file under another name.
  func relink(_ row: Link, to location: Location, _ facts: FileFacts?) throws {
    guard let before = try index.asset(row.asset) else { return }
    var link = row
    link.location = location
    guard try index.insert(link) else { return }
    try index.removeLink(at: row.location)
    directories.count(-1, row.location)
    directories.count(1, location)
    var after = before
    after.addLink(location)
    _ = after.removeLink(row.location)
    try save(before, after, facts.flatMap { writers.whole($0, of: link) })
  }

  /// The content of an asset's file changed, or another file is there under all its names.
  package func refresh(_ id: AssetID, _ facts: FileFacts, isSameFile: Bool? = nil) throws {
    writers.notice(facts)
    guard let before = try index.asset(id) else { return }
    var after = before
    // Also where the file was seen before it was known what it is: after an edit that a crash had left half done.
    after.edit = try index.editState(of: id, ContentStamp(facts))
    try save(before, after, facts, isSameFile: isSameFile)
  }

  /// A file is itself, under another number.
  func renumber(_ row: Link, _ facts: FileFacts) throws {
    // Whichever file has its former number now, and whatever had this one.
    forgetWhereabouts(of: facts.identity)
    switch row.resource {
    case .main: try refresh(row.asset, facts, isSameFile: true)
    case .pairedVideo, .alternatePhoto: try comparePart(row, facts)
    case .sidecar: try keepSidecar(row.location, facts)
    }
  }

  /// Removes one link, and its asset with the last; if it is still there: taking out another may have come first.
  func drop(_ row: Link, buries: Bool = true) throws {
    guard let link = try index.link(at: row.location), link.asset == row.asset, link.resource == row.resource
    else { return }
    switch row.resource {
    case .main: break
    case .pairedVideo, .alternatePhoto: return try dropPart(row)
    case .sidecar: return try dropSidecar(row)
    }
    guard let before = try index.asset(row.asset) else { return try index.removeLink(at: row.location) }
    try index.removeLink(at: row.location)
    directories.count(-1, row.location)
    var after = before
    if after.removeLink(row.location) {
      try lookAgain(atOthersOf: row)
      return try save(before, after, nil)
    }
    if row.location.name.part != nil { try lookAgain(atOthersOf: row) }
    try index.remove(before.id)
    if buries {
      try tombstones.bury(
        before.id, row.location, row.identity, stamp: lookup.wasRemoved(row) ? nil : row.stamp,
        flags: before.flags, arrived: before.arrived,
        places: context.customOrder?.places(of: before) ?? [:], now: context.now, memory: context.memory)
    }
    try context.publish(before, nil, content: false)
    try release(parts.parts(of: before.id, at: row.location), before.flags)
    try settleSidecars(beside: row.location, of: before.id)
  }

  /// Writes an asset after its links have changed, or its file, and the facts into all its links.
  ///
  /// - Parameters:
  ///   - areCounted: whether the directories that hold it by several names were counted already.
  ///   - isSameFile: whether it is the file that it was; nil where its number says so.
  func save(
    _ before: Asset, _ links: Asset, _ facts: FileFacts?, areCounted: Bool = false, isSameFile: Bool? = nil
  ) throws {
    var after = links
    let (lost, brought) = try exchangeParts(before, after)
    (after.mediaType, after.hasRaw) = try parts.kind(of: after)
    after.sidecars = try exchangeSidecars(before, after)
    if let facts {
      after.identity = facts.identity
      after.byteCount = facts.byteCount
      after.modified = facts.modified
      after.fileCreated = min(before.fileCreated, facts.created)
      after.flags = try flags(
        of: after, reading: facts.flags, isSameFile: isSameFile ?? (facts.identity == before.identity))
    }
    after.join(brought)
    let content =
      after.identity != before.identity || after.byteCount != before.byteCount
      || after.modified != before.modified
    after.noteUnread(since: before, content: content)
    if content { after.edit = try index.editState(of: after.id, ContentStamp(after)) }
    if content, let facts {
      for location in after.links { try index.update(Link(location, after.id, facts)) }
    }
    try index.update(after)
    if !areCounted { directories.countRepeats(before, after) }
    if content, let facts { try lookAgain(atOthersOf: facts) }
    try context.publish(before, after, content: content)
    try release(lost, before.flags)
    guard before.links != after.links else { return }
    for location in after.links(beyond: before) where location.name.part != nil {
      try pairPart(at: location)
    }
  }

  // MARK: Other names

  /// A name has gone. Its file may have been written to by that, which nobody tells of its others: where there are very many,
  /// a few of them show it.
  func lookAgain(atOthersOf row: Link) throws {
    let others = try index.links(inode: row.identity.inode).lazy.filter { $0.identity == row.identity }
    for link in others.prefix(Self.namesLookedAt) {
      context.duties.lookAgain(at: link.location, link.identity)
    }
  }

  /// A file was written to that may be an asset by other names, or another one: a movie beside its still.
  func lookAgain(atOthersOf facts: FileFacts) throws {
    guard facts.linkCount > 1 else { return }
    for link in try lookup.knownLinks(facts) where !link.agrees(with: facts) {
      context.duties.lookAgain(at: link.location, link.identity)
    }
  }
}

extension Link {
  /// A link with what was just read.
  init(_ location: Location, _ asset: AssetID, _ facts: FileFacts, resource: Resource = .main) {
    self.init(
      location: location, asset: asset, identity: facts.identity, byteCount: facts.byteCount,
      modified: facts.modified, resource: resource)
  }
}
