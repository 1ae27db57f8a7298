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
    var brought = FromRaw()
    if resource == .alternatePhoto {
      let said = (flags(at: location, facts) ?? []).union(remembered(location, facts, of: resource))
      brought = FromRaw(flags: said, arrived: arrival(of: facts))
    }
    try noteParts(of: photo, joining: brought)
    return true
  }

  /// Gives a name of a movie's or RAW's own asset to the photo beside it, if there is one.
  func pairPart(at location: Location) throws {
    guard let row = try index.link(at: location), row.resource == .main,
      let photo = try parts.photo(for: location, own: row.asset)
    else { return }
    try noteParts(of: photo, joining: try pair(row, with: photo) ?? FromRaw())
  }

  /// - Returns: what RAW was while it was an asset: the photo is that now. Nil where it has not become part of it.
  private func pair(_ row: Link, with photo: AssetID) throws -> FromRaw? {
    guard let resource = row.location.name.part else { return nil }
    let brought = resource == .alternatePhoto ? try whatGoes(with: row, to: photo) : FromRaw()
    try drop(row)
    var part = row
    part.asset = photo
    part.resource = resource
    guard try index.insert(part) else { return nil }
    directories.count(1, part.location, resource: resource)
    try settleSidecars(beside: part.location, of: photo)
    return brought
  }

  /// RAW that is an asset becomes part of a photo.
  ///
  /// - Returns: what it was until now.
  private func whatGoes(with row: Link, to photo: AssetID) throws -> FromRaw {
    guard let raw = try index.asset(row.asset) else { return FromRaw() }
    // With another name it stays what it is.
    if raw.links == [row.location] { try context.keyPhotos?.follow(raw.id, to: photo) }
    return FromRaw(flags: raw.flags.told, arrived: raw.arrived)
  }

  /// Compares a movie or RAW that belongs to a photo with what is there now. Its content is the asset's.
  func comparePart(_ row: Link, _ facts: FileFacts) throws {
    guard !row.agrees(with: facts) else { return }
    var brought = FromRaw()
    if row.identity != facts.identity, lookup.mayKnow(facts) {
      // Renamed over it: the other name has gone.
      for link in try lookup.knownLinks(facts, at: row.location)
      where !lookup.isLive(link.location, facts.identity, facts) {
        if row.resource == .alternatePhoto { brought.add(try whatGoes(with: link, to: row.asset)) }
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
    // Of RAW nothing is told beside that it is there, and what people say of it.
    if row.resource == .pairedVideo { after.isDescribed = false }
    if row.resource == .alternatePhoto {
      brought.flags.formUnion(flags(at: row.location, facts) ?? [])
      after.join(brought)
    }
    if after != before { try index.update(after) }
    try context.publish(before, after, content: true)
  }

  /// A movie or RAW that belongs to a photo has gone. Another one beside it may be its own from now on.
  func dropPart(_ row: Link) throws {
    try removePart(row)
    try lookAgain(atOthersOf: row)
    try settleSidecars(beside: row.location, of: row.asset)
    var brought = FromRaw()
    var replaced: Link.Resource?
    // Where all are leaving, none comes.
    for link in try index.asset(row.asset)?.links ?? [] where directories.tree[link.directory] != nil {
      guard let other = try claim(row.resource, for: link, row.asset) else { continue }
      brought.add(other)
      replaced = row.resource
    }
    try noteParts(of: row.asset, joining: brought, inPlaceOf: replaced)
  }

  /// Removes the row of a movie or RAW, and no more.
  func removePart(_ part: Link) throws {
    try index.removeLink(at: part.location)
    directories.count(-1, part.location, resource: part.resource)
  }

  /// An asset has got or lost a part, with what lies beside that.
  ///
  /// - Parameters:
  ///   - brought: what RAW says, or was, that has come.
  ///   - replaced: the kind of part in whose place another of the kind has come: what was read of that one is untrue.
  private func noteParts(
    of id: AssetID, joining brought: FromRaw = FromRaw(), inPlaceOf replaced: Link.Resource? = nil
  ) throws {
    guard let before = try index.asset(id) else { return }
    var after = before
    (after.mediaType, after.hasRaw) = try parts.kind(of: before)
    after.sidecars = try sidecars.files(of: id, at: before.links).count
    after.join(brought)
    if replaced == .pairedVideo { after.isDescribed = false }
    guard after != before || replaced != nil else { return }
    if foretold[before.identity] == nil { after.noteUnread(since: before, content: false) }
    try index.update(after)
    let content =
      replaced != nil || after.sidecars != before.sidecars || after.hasRaw != before.hasRaw
    try context.publish(before, after, content: content)
  }

  /// A file is as the index has it. RAW may be an asset beside its photo still, in an index of before there were such pairs.
  func confirm(_ row: Link, _ facts: FileFacts) throws {
    // What is said of RAW is said of its photo (S99). What is taken back there the photo keeps: its own file may say it.
    if row.resource == .alternatePhoto, let said = facts.flags?.told, !said.isEmpty {
      try noteParts(of: row.asset, joining: FromRaw(flags: said))
    }
    guard row.resource == .main else { return }
    try noteFlags(facts.flags, of: row.asset)
    if row.location.name.isRaw { try pairPart(at: row.location) }
  }

  // MARK: A photo

  /// A photo has come: RAW and the movie beside it, if they belong to none, are its own from now on.
  ///
  /// - Returns: what RAW was.
  func claimParts(for photo: Location, _ asset: AssetID) throws -> FromRaw {
    guard MediaType(name: photo.name) == .image else { return FromRaw() }
    // What has a movie as RAW gives it up.
    var brought = try claim(.alternatePhoto, for: photo, asset) ?? FromRaw()
    brought.add(try claim(.pairedVideo, for: photo, asset) ?? FromRaw())
    return brought
  }

  /// - Returns: nil where there is none that has become part of it.
  private func claim(
    _ resource: Link.Resource, for photo: Location, _ asset: AssetID
  ) throws -> FromRaw? {
    guard let part = try parts.free(resource, for: photo, asset) else { return nil }
    return try pair(part, with: asset)
  }

  /// An asset gets other links: claims what is beside its new ones.
  ///
  /// - Returns: the parts beside those that it has lost, to be released when it is written, and what the new ones were.
  func exchangeParts(_ before: Asset, _ after: Asset) throws -> (lost: [Link], brought: FromRaw) {
    guard before.links != after.links else { return ([], FromRaw()) }
    var lost: [Link] = []
    for link in before.links(beyond: after) {
      lost += try parts.parts(of: before.id, at: link)
    }
    var brought = FromRaw()
    for link in after.links(beyond: before) {
      brought.add(try claimParts(for: link, after.id))
    }
    for part in lost { try removePart(part) }
    return (lost, brought)
  }

  /// The photo of these parts has gone, or has another name: they are assets of their own, or belong to another photo,
  /// or have gone too.
  ///
  /// - Parameter flags: what people said of the photo.
  func release(_ released: [Link], _ flags: AssetFlags) throws {
    for part in released {
      if let row = try index.link(at: part.location), row.resource.isPart { try removePart(row) }
      try remember(flags, of: part)
      try examine(part.location, removal: true, .none)
    }
  }
}
