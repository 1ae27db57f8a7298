// A sidecar is a file of the asset that it lies beside, by its name alone (docs/decisions/0084-sidecars.md). One beside
// which nothing lies has a row as well, of nobody, so that it is found when its photo comes.
extension FileComparison {
  // MARK: A sidecar

  /// Compares a sidecar with what is there now.
  func compareSidecar(
    _ location: Location, _ facts: FileFacts, _ evidence: EventReducer.Evidence
  ) throws {
    let row = try index.link(at: location)
    if let row, row.agrees(with: facts) { return try writers.compare(row, facts, evidence) }
    writers.notice(facts)
    let isKnown = row?.identity == facts.identity
    guard
      let facts = writers.whole(
        location, facts, isKnown: isKnown, hadOther: row != nil && !isKnown, evidence)
    else { return }
    try keepSidecar(location, facts)
  }

  /// A sidecar is there, and whole. Its content is the asset's.
  func keepSidecar(_ location: Location, _ facts: FileFacts) throws {
    let former = try index.link(at: location)?.asset
    let owner = try sidecars.owner(of: location)
    let link = Link(location, owner, facts, resource: .sidecar)
    if former != nil {
      try index.update(link)
    } else if try index.insert(link) {
      directories.count(1, location, resource: .sidecar)
    }
    try noteSidecars(of: owner, isRewritten: former != nil)
    if let former, former != owner { try noteSidecars(of: former) }
  }

  /// A sidecar has gone.
  func dropSidecar(_ row: Link) throws {
    try removeSidecar(row)
    try noteSidecars(of: row.asset)
  }

  /// Removes the row of a sidecar, and no more.
  func removeSidecar(_ row: Link) throws {
    try index.removeLink(at: row.location)
    directories.count(-1, row.location, resource: .sidecar)
  }

  /// A sidecar of an asset came, went, or is another: that is told. One more name of one that it has is not.
  private func noteSidecars(of id: AssetID, isRewritten: Bool = false) throws {
    guard id != .nobody, let before = try index.asset(id) else { return }
    var after = before
    after.sidecars = try sidecars.files(of: id, at: before.links).count
    guard after != before || isRewritten else { return }
    if after != before { try index.update(after) }
    try context.publish(before, after, content: true)
  }

  // MARK: What it lies beside

  /// A file has got this name, or lost it: whose the sidecars beside it are is asked anew.
  ///
  /// - Parameter asset: whose file it is: of its sidecars the caller tells.
  func settleSidecars(beside file: Location, of asset: AssetID) throws {
    var others: Set<AssetID> = []
    for var row in try sidecars.beside(file, of: asset) {
      let owner = try sidecars.owner(of: row.location)
      guard owner != row.asset else { continue }
      others.formUnion([owner, row.asset])
      row.asset = owner
      try index.update(row)
    }
    for other in others.sorted() where other != asset { try noteSidecars(of: other) }
  }

  /// An asset gets other names: the sidecars beside those that it has lost go with whoever else lies beside them, those
  /// beside its new ones come.
  ///
  /// - Returns: how many it has.
  func exchangeSidecars(_ before: Asset, _ after: Asset) throws -> Int {
    guard before.links != after.links else { return before.sidecars }
    for link in before.links(beyond: after) + after.links(beyond: before) {
      try settleSidecars(beside: link, of: after.id)
    }
    return try sidecars.files(of: after.id, at: after.links).count
  }
}
