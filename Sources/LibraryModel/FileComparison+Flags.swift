// What people say of assets is read of their files when those are looked at, and written by the daemon (S90). It is told as a
// change that is none of the content.
extension FileComparison {
  /// A file was looked at that is otherwise as the index has it.
  ///
  /// - Parameter found: what it says; nil where that was not looked at, or cannot be read.
  func noteFlags(_ found: AssetFlags?, of id: AssetID) throws {
    guard let found, let before = try index.asset(id) else { return }
    try setFlags(flags(of: before, reading: found, isSameFile: true), of: before)
  }

  /// What an asset has when its file was read: what that says no more, its RAW may say still (S99).
  ///
  /// - Parameters:
  ///   - asset: with what it had until now.
  ///   - found: what its file says, as for ``AssetFlags/reading(_:isSameFile:)``.
  func flags(of asset: Asset, reading found: AssetFlags?, isSameFile: Bool) throws -> AssetFlags {
    var flags = asset.flags.reading(found, isSameFile: isSameFile)
    guard asset.hasRaw, !asset.flags.told.isSubset(of: flags) else { return flags }
    for raw in try parts.parts(.alternatePhoto, of: asset.id, at: asset.links) {
      switch lookup.look(at: raw.location) {
      // What cannot be read is as it was.
      case .found(let now): flags = flags.joined(with: now.flags ?? asset.flags)
      case .unknown, .offline: flags = flags.joined(with: asset.flags)
      case .absent: break
      }
    }
    return flags
  }

  /// The daemon has written them.
  ///
  /// - Parameter flags: all that the file says now.
  package func flagsWritten(_ flags: AssetFlags, of id: AssetID) throws {
    guard let before = try index.asset(id) else { return }
    context.duties.compared += before.links
    try setFlags(flags.told, of: before)
  }

  private func setFlags(_ flags: AssetFlags, of before: Asset) throws {
    guard flags != before.flags else { return }
    var after = before
    after.flags = flags
    try index.update(after)
    if flags.told != before.flags.told { try context.publish(before, after, content: false) }
  }

  /// What a new file says: a listing may not have looked.
  ///
  /// - Returns: nil where that cannot be read.
  func flags(at location: Location, _ facts: FileFacts) -> AssetFlags? {
    if let flags = facts.flags { return flags }
    guard facts.mayTellFlags else { return nil }
    guard case .found(let now) = lookup.look(at: location), now.identity == facts.identity else { return nil }
    return now.flags
  }
}
