// A live photo is a still and the movie of the same name beside it (docs/decisions/0011-live-photos.md), and a photo has the
// RAW of the same name (docs/decisions/0119-raw-and-jpeg.md): the photo is the asset, movie and RAW are parts of it. Whenever
// either comes, goes, or gets another name, what is beside it is looked at.
extension FileComparison {
  // MARK: A part

  /// A movie or RAW that the index does not know, beside its photo.
  ///
  /// - Returns: whether its name was free.
  func insert(_ location: Location, _ facts: FileFacts, asPartOf photo: AssetID) throws -> Bool {
    guard let resource = location.name.part,
      try index.insert(Link(location, photo, facts, resource: resource))
    else { return false }
    directories.count(1, location, resource: resource)
    try settleSidecars(beside: location, of: photo)
    let flags = resource == .alternatePhoto ? flags(at: location, facts) ?? [] : []
    try noteParts(of: photo, joining: flags.union(remembered(location, facts, of: resource)))
    return true
  }

  /// Gives a name of a movie's or RAW's own asset to the photo beside it, if there is one.
  func pairPart(at location: Location) throws {
    guard let row = try index.link(at: location), row.resource == .main,
      let photo = try parts.photo(for: location, own: row.asset)
    else { return }
    try noteParts(of: photo, joining: try pair(row, with: photo))
  }

  /// - Returns: what people said of RAW while it was an asset: that is said of the photo now.
  private func pair(_ row: Link, with photo: AssetID) throws -> AssetFlags {
    guard let resource = row.location.name.part else { return [] }
    let flags = resource == .alternatePhoto ? try index.asset(row.asset)?.flags.told : nil
    try drop(row)
    var part = row
    part.asset = photo
    part.resource = resource
    guard try index.insert(part) else { return [] }
    directories.count(1, part.location, resource: resource)
    try settleSidecars(beside: part.location, of: photo)
    return flags ?? []
  }

  /// Compares a movie or RAW that belongs to a photo with what is there now. Its content is the asset's.
  func comparePart(_ row: Link, _ facts: FileFacts) throws {
    guard !row.agrees(with: facts) else { return }
    if row.identity != facts.identity, lookup.mayKnow(facts) {
      // Renamed over it: the other name has gone.
      for link in try lookup.knownLinks(facts) where !lookup.isLive(link.location, facts.identity, facts) {
        try drop(link, buries: false)
      }
      // Its own photo may have been renamed over it.
      guard try index.link(at: row.location) == row else { return try compare(row.location, facts, .renamed) }
    }
    try index.update(Link(row.location, row.asset, facts, resource: row.resource))
    if row.identity != facts.identity { try lookAgain(atOthersOf: row) }
    try lookAgain(atOthersOf: facts)
    guard let before = try index.asset(row.asset) else { return }
    var after = before
    // Of RAW nothing is told beside that it is there.
    if row.resource == .pairedVideo { after.isDescribed = false }
    if after != before { try index.update(after) }
    try context.publish(before, after, content: true)
  }

  /// A movie or RAW that belongs to a photo has gone. Another one beside it may be its own from now on.
  func dropPart(_ row: Link) throws {
    try removePart(row)
    try lookAgain(atOthersOf: row)
    try settleSidecars(beside: row.location, of: row.asset)
    var flags: AssetFlags = []
    // Where all are leaving, none comes.
    for link in try index.asset(row.asset)?.links ?? [] where directories.tree[link.directory] != nil {
      flags.formUnion(try claim(row.resource, for: link, row.asset))
    }
    try noteParts(of: row.asset, joining: flags)
  }

  /// Removes the row of a movie or RAW, and no more.
  func removePart(_ part: Link) throws {
    try index.removeLink(at: part.location)
    directories.count(-1, part.location, resource: part.resource)
  }

  /// An asset has got or lost a part, with what lies beside that.
  ///
  /// - Parameter flags: what RAW says that has come.
  private func noteParts(of id: AssetID, joining flags: AssetFlags = []) throws {
    guard let before = try index.asset(id) else { return }
    var after = before
    (after.mediaType, after.hasRaw) = try parts.kind(of: before)
    after.sidecars = try sidecars.files(of: id, at: before.links).count
    after.flags = before.flags.joined(with: flags)
    guard after != before else { return }
    if foretold[before.identity] == nil { after.noteUnread(since: before, content: false) }
    try index.update(after)
    try context.publish(
      before, after, content: after.sidecars != before.sidecars || after.hasRaw != before.hasRaw)
  }

  /// A file is as the index has it. RAW may be an asset beside its photo still, in an index of before there were such pairs.
  func confirm(_ row: Link, _ facts: FileFacts) throws {
    guard row.resource == .main else { return }
    try noteFlags(facts.flags, of: row.asset)
    if row.location.name.isRaw { try pairPart(at: row.location) }
  }

  // MARK: A photo

  /// A photo has come: RAW and the movie beside it, if they belong to none, are its own from now on.
  ///
  /// - Returns: what people said of RAW.
  func claimParts(for photo: Location, _ asset: AssetID) throws -> AssetFlags {
    guard MediaType(name: photo.name) == .image else { return [] }
    // What has a movie as RAW gives it up.
    let flags = try claim(.alternatePhoto, for: photo, asset)
    return flags.union(try claim(.pairedVideo, for: photo, asset))
  }

  private func claim(
    _ resource: Link.Resource, for photo: Location, _ asset: AssetID
  ) throws -> AssetFlags {
    guard let part = try parts.free(resource, for: photo, asset) else { return [] }
    return try pair(part, with: asset)
  }

  /// An asset gets other links: claims what is beside its new ones.
  ///
  /// - Returns: the parts beside those that it has lost, to be released when it is written, and what people said of the new ones.
  func exchangeParts(_ before: Asset, _ after: Asset) throws -> (lost: [Link], flags: AssetFlags) {
    guard before.links != after.links else { return ([], []) }
    var lost: [Link] = []
    for link in before.links where !after.links.contains(link) {
      lost += try parts.parts(of: before.id, at: link)
    }
    var flags: AssetFlags = []
    for link in after.links where !before.links.contains(link) {
      flags.formUnion(try claimParts(for: link, after.id))
    }
    for part in lost { try removePart(part) }
    return (lost, flags)
  }

  /// The photo of these parts has gone, or has another name: they are assets of their own, or belong to another photo,
  /// or have gone too.
  ///
  /// - Parameter flags: what people said of the photo. It was said of RAW as well, whose file may not say it.
  func release(_ released: [Link], _ flags: AssetFlags) throws {
    for part in released {
      if let row = try index.link(at: part.location), row.resource.isPart { try removePart(row) }
      if part.resource == .alternatePhoto, !flags.told.isEmpty { try remember(flags, of: part) }
      try examine(part.location, removal: true, .none)
    }
  }
}
