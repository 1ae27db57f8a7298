// Which id a file keeps when the index has another file at its name (S39), by the evidence in
// docs/decisions/0015-identity.md: first where a file is, then what its name is.
extension Librarian {
  /// Decides about names in doubt. All that was told, and listed, of what happened before they were looked at must
  /// have been taken in; one of which that is no longer so is in doubt again.
  package func decide(_ doubts: Doubts) throws {
    for doubt in doubts.remade + doubts.missing { try decideDirectory(doubt) }
    for doubt in doubts.files { try decide(doubt) }
  }

  /// Compares a name of which nobody else need tell anything: the daemon itself has just made or removed what is,
  /// or was, there.
  package func take(_ location: Location, _ evidence: EventReducer.Evidence) throws {
    let others = duties.doubts
    duties.doubts = Doubts()
    try examine(location, removal: true, evidence)
    let own = duties.doubts
    duties.doubts = others
    try decide(own)
  }

  /// Forgets where files were found: when there are no doubts left.
  package func forgetEvidence() {
    whereabouts.removeAll()
    succeeded.removeAll()
    remade.removeAll()
  }

  /// The index has another file at a name.
  func doubt(_ row: Link, present: FileIdentity?) {
    duties.doubts.files.append(Doubt(location: row.location, former: row.identity, present: present))
  }

  /// A name is to be looked at when all is decided that is known now.
  func lookAgain(at location: Location, _ former: FileIdentity) {
    duties.doubts.files.append(Doubt(location: location, former: former, present: nil))
  }

  private func decide(_ doubt: Doubt) throws {
    guard let row = try index.link(at: doubt.location), row.identity == doubt.former else {
      return try examine(doubt.location, removal: true, .none)
    }
    switch disk.look(at: doubt.location, in: tree) {
    case .unknown, .offline:
      if tree[doubt.location.directory] != nil { duties.unresolved.insert(doubt.location.directory) }
    case .found(let facts) where facts.kind == .regular:
      guard row.resource == .main, facts.identity != row.identity else {
        if !row.agrees(with: facts) { try settle(doubt.location, facts, .none) }
        return
      }
      whereabouts[facts.identity] = doubt.location
      if facts.identity == doubt.present { return try decide(row) }
      // What that means may depend on what is still to be listed, which nobody waited for.
      if try isWhole(doubt.location, facts) { self.doubt(row, present: facts.identity) }
    case .found(let facts):
      try decide(row)
      try settle(doubt.location, facts, .none)
    case .absent: try decide(row)
    }
  }

  /// Whether a file that is not the one that the index has at its name counts there.
  private func isWhole(_ location: Location, _ facts: FileFacts) throws -> Bool {
    try isKnownElsewhere(facts, than: location) || whole(location, facts, isKnown: false, .none) != nil
  }

  // MARK: Files

  /// A file that is not under the name that the index has for it, and where it is, if it was found. One look says so
  /// for all that is decided about it.
  private struct Displaced {
    let row: Link
    let found: (place: Location, facts: FileFacts)?
  }

  /// Decides about the file of `row`, which is not there: and, before, about the one in whose place it is now, and
  /// so on. Nothing but the last of them depends on anything else.
  private func decide(_ row: Link) throws {
    guard row.resource == .main else { return try drop(row) }
    try trace(row.location)
    var chain = [displaced(row)]
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
      chain.append(displaced(next))
    }
    for next in chain.dropFirst().reversed() { try conclude(next, .none) }
    if let first = chain.first { try conclude(first, .renamed) }
  }

  /// A file in doubt, with where it was found. Where there are no birth times, its number may be another's by now.
  private func displaced(_ row: Link) -> Displaced {
    guard let place = whereabouts[row.identity], place != row.location,
      case .found(let facts) = disk.look(at: place, in: tree), facts.kind == .regular, isSame(row, facts)
    else { return Displaced(row: row, found: nil) }
    return Displaced(row: row, found: (place, facts))
  }

  /// Looks where the file at a name came from, and where the one came from that is there now, and so on: files that
  /// changed places find each other so.
  private func trace(_ location: Location) throws {
    var seen: Set<Location> = [location]
    var place = location
    while case .found(let facts) = disk.look(at: place, in: tree), facts.kind == .regular, mayKnow(facts),
      let former = try knownLinks(facts).first(where: { $0.location != place })?.location,
      seen.insert(former).inserted
    {
      if let identity = identity(at: former), identity != facts.identity { whereabouts[identity] = former }
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
      return try settleNew(location, evidence)
    }
    if before.links.contains(where: { $0 != location && mayBe(row.identity, at: $0) }) {
      // It has another name.
      try drop(row)
      return try settleNew(location, evidence)
    }
    if let (place, facts) = file.found {
      let other = try index.link(at: place)
      if other?.resource != .main {
        // It has gone there.
        if other == nil { try arrive(place, facts) } else { try settle(place, facts, .renamed) }
        if try index.link(at: location) == row { try drop(row) }
        return try settleNew(location, evidence)
      }
      // It was there for a moment only, or is another. That name is looked at again.
      whereabouts[row.identity] = nil
      if let other { doubt(other, present: nil) }
    }
    guard case .found(let facts) = disk.look(at: location, in: tree), facts.kind == .regular else {
      return try drop(row)
    }
    try replace(row, before, by: facts)
  }

  /// A file at a name whose former file is accounted for.
  private func settleNew(_ location: Location, _ evidence: EventReducer.Evidence) throws {
    guard case .found(let facts) = disk.look(at: location, in: tree), facts.kind == .regular else { return }
    whereabouts[facts.identity] = nil
    try settle(location, facts, evidence)
  }

  /// The former file is nowhere: the name's asset stays with its name.
  private func replace(_ row: Link, _ before: Asset, by facts: FileFacts) throws {
    whereabouts[facts.identity] = nil
    var freed: [Location] = []
    if mayKnow(facts) {
      let known = try knownLinks(facts).filter { $0.asset != row.asset }
      // Linked here, it is the asset that it is by its other name; and what came with a directory that was taken for
      // this one has replaced nothing.
      let isItself = remade.contains(row.location.directory) && !known.isEmpty
      if isItself || known.contains(where: { isLive($0.location, facts.identity, facts) }) {
        try drop(row)
        return try arrive(row.location, facts)
      }
      // Renamed over this name, as a save does: the other's name has gone.
      for link in known {
        try drop(link, buries: false)
        freed.append(link.location)
      }
      // A movie that was beside it may be something else now.
      guard try index.link(at: row.location) == row, try index.asset(row.asset) == before else {
        return try settle(row.location, facts, .renamed)
      }
    }
    var after = before
    for link in before.links where link != row.location { try vacate(link, of: &after, row.identity) }
    try save(before, after, facts)
    for location in freed { try examine(location, removal: false, .none) }
  }

  /// Files changed places (RENAME_EXCHANGE, or a few renames): the file of each row is where the next is, that
  /// of the last where the first is. Each asset follows its file.
  private func rotate(_ rows: [Link]) throws {
    var before: [Asset] = []
    for (row, next) in zip(rows, rows.dropFirst() + rows.prefix(1)) {
      var link = row
      link.location = next.location
      whereabouts[row.identity] = nil
      try index.update(link)
      guard let asset = try index.asset(row.asset) else { continue }
      before.append(asset)
      var after = asset
      after.addLink(next.location)
      _ = after.removeLink(row.location)
      try index.update(after)
    }
    // A still takes the movie beside it, which may be another name of one of these.
    for before in before {
      if let after = try index.asset(before.id) { try save(before, after, nil) }
    }
    // One may have been written to as well.
    for row in rows { try examine(row.location, removal: false, .none) }
  }
}
