// What the index is told of a file, once it is known which asset it is.
extension Librarian {
  /// A file at a name that the index may not have.
  func arrive(_ location: Location, _ facts: FileFacts) throws {
    notice(facts)
    if mayKnow(facts) {
      let known = try knownLinks(facts).filter { $0.location != location }
      if !known.isEmpty { return try adopt(known, at: location, facts) }
    }
    if try !insert(location, facts), let row = try index.link(at: location) { try settle(row, facts) }
  }

  /// A file that the index knows by no name.
  ///
  /// - Returns: whether the name was free.
  func insert(_ location: Location, _ facts: FileFacts) throws -> Bool {
    guard let mediaType = MediaType(name: location.name) else { return true }
    if let still = try still(for: location) { return try insert(location, facts, asMovieOf: still) }
    let id = try assetTombstones.raise(location, facts.identity, now: now) ?? index.reserveAssetID()
    guard try index.insert(Link(location, id, facts)) else { return false }
    let isLive = try mediaType == .image && takeMovie(for: location, id)
    let asset = Asset(
      id: id, mediaType: isLive ? .livePhoto : mediaType, identity: facts.identity,
      byteCount: facts.byteCount,
      created: facts.created, modified: facts.modified, primary: location)
    try index.insert(asset)
    count(1, location)
    try publish(nil, asset, content: true)
    return true
  }

  /// A file that the index knows by other names.
  func adopt(_ known: [Link], at location: Location, _ facts: FileFacts) throws {
    guard let before = try index.asset(known[0].asset) else { return }
    var after = before
    after.addLink(location)
    var link = known[0]
    link.location = location
    guard try index.insert(link) else { return }
    count(1, location)
    for link in before.links where !isLive(link, before.identity, facts) {
      try vacate(link, of: &after, before.identity)
    }
    try save(before, after, whole(facts, of: link))
  }

  /// Takes a name from an asset whose file is no longer there, without a look at what is: that may have been looked
  /// at already, while the name was taken, and so is in doubt again.
  func vacate(_ location: Location, of asset: inout Asset, _ identity: FileIdentity) throws {
    _ = asset.removeLink(location)
    try index.removeLink(at: location)
    count(-1, location)
    lookAgain(at: location, identity)
  }

  /// The same file under another name.
  func relink(_ row: Link, to location: Location, _ facts: FileFacts?) throws {
    guard let before = try index.asset(row.asset) else { return }
    var link = row
    link.location = location
    guard try index.insert(link) else { return }
    try index.removeLink(at: row.location)
    count(-1, row.location)
    count(1, location)
    var after = before
    after.addLink(location)
    _ = after.removeLink(row.location)
    try save(before, after, facts.flatMap { whole($0, of: link) })
  }

  /// The content of an asset's file changed, or another file is there under all its names.
  package func refresh(_ id: AssetID, _ facts: FileFacts) throws {
    notice(facts)
    guard let before = try index.asset(id) else { return }
    try save(before, before, facts)
  }

  /// A name has gone.
  func gone(_ location: Location) throws {
    if let node = tree.child(location) {
      // Whoever unmounts often removes the mount's place as well.
      if node.isMount { setAway(node) } else { try detach(node.id) }
    }
    if location.name.countsAsAsset, let row = try index.link(at: location) { doubt(row, present: nil) }
  }

  /// Removes one link, and its asset with the last; if it is still there: taking out another may have come first.
  func drop(_ row: Link, buries: Bool = true) throws {
    guard let link = try index.link(at: row.location), link.asset == row.asset, link.resource == row.resource
    else { return }
    if row.resource == .pairedVideo { return try dropPaired(row) }
    guard let before = try index.asset(row.asset) else { return try index.removeLink(at: row.location) }
    try index.removeLink(at: row.location)
    count(-1, row.location)
    var after = before
    if after.removeLink(row.location) {
      try lookAgain(atOthersOf: row)
      return try save(before, after, nil)
    }
    if row.location.name.isPairableMovie { try lookAgain(atOthersOf: row) }
    try index.remove(before.id)
    if buries { assetTombstones.bury(before.id, row.location, row.identity, now: now, memory: memory) }
    try publish(before, nil, content: false)
    try release(movies(of: before.id, at: row.location))
  }

  /// Writes an asset after its links have changed, or its file, and the facts into all its links.
  func save(_ before: Asset, _ links: Asset, _ facts: FileFacts?) throws {
    var after = links
    let movies = try repair(before, after)
    after.mediaType = try mediaType(of: after)
    if let facts {
      after.identity = facts.identity
      after.byteCount = facts.byteCount
      after.modified = facts.modified
      after.created = min(before.created, facts.created)
    }
    let content =
      after.identity != before.identity || after.byteCount != before.byteCount
      || after.modified != before.modified
    if content, let facts {
      for location in after.links { try index.update(Link(location, after.id, facts)) }
    }
    try index.update(after)
    if content, let facts { try lookAgain(atOthersOf: facts) }
    try publish(before, after, content: content)
    try release(movies)
    for location in after.links where location.name.isPairableMovie && !before.links.contains(location) {
      try pairMovie(at: location)
    }
  }

  // MARK: Other names

  /// A name has gone. Its file may have been written to by that, which nobody tells of its others.
  func lookAgain(atOthersOf row: Link) throws {
    for link in try index.links(inode: row.identity.inode) where link.identity == row.identity {
      lookAgain(at: link.location, link.identity)
    }
  }

  /// A file was written to that may be an asset by other names, or another one: a movie beside its still.
  func lookAgain(atOthersOf facts: FileFacts) throws {
    guard facts.linkCount > 1 else { return }
    for link in try knownLinks(facts) where !link.agrees(with: facts) {
      lookAgain(at: link.location, link.identity)
    }
  }

  // MARK: Questions

  /// Whether the index may know a file; `false` is certain.
  func mayKnow(_ facts: FileFacts) -> Bool {
    if facts.linkCount > 1 { return true }
    if expectsNewFiles { return false }
    return facts.identity.birthTime == 0 || facts.identity.birthTime <= index.newestBirth
  }

  /// Whether a file is known by another name.
  func isKnownElsewhere(_ facts: FileFacts, than location: Location) throws -> Bool {
    try mayKnow(facts) && knownLinks(facts).contains { $0.location != location }
  }

  func knownLinks(_ facts: FileFacts) throws -> [Link] {
    try index.links(inode: facts.identity.inode).filter { isSame($0, facts) }
  }

  /// Whether a link named this file. Where a file system keeps no birth time, a number that was used again
  /// must not hand one file's id, and who may see it, to another: size and time must agree as well.
  func isSame(_ link: Link, _ facts: FileFacts) -> Bool {
    guard link.identity == facts.identity else { return false }
    return facts.identity.birthTime != 0 || link.agrees(with: facts)
  }

  func isLive(_ location: Location, _ identity: FileIdentity, _ facts: FileFacts) -> Bool {
    // The disk is asked even about a file that had a single link: a listing may be older than the second. One
    // that has a single link still is found under two names where case does not count.
    // Only where the disk cannot tell, the name that the file was just found under is the one.
    switch disk.look(at: location, in: tree) {
    case .found(let facts): return facts.identity == identity && facts.linkCount > 1
    case .absent: return false
    case .unknown, .offline: return facts.linkCount > 1 && tree[location.directory] != nil
    }
  }

  /// Whether a file is at a name, as far as can be told.
  func mayBe(_ identity: FileIdentity, at location: Location) -> Bool {
    switch disk.look(at: location, in: tree) {
    case .found(let facts): return facts.identity == identity
    case .absent: return false
    case .unknown, .offline: return tree[location.directory] != nil
    }
  }

  func identity(at location: Location) -> FileIdentity? {
    if case .found(let facts) = disk.look(at: location, in: tree) { facts.identity } else { nil }
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
