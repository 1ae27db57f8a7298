// What people say of assets is read of their files when those are looked at, and written by the daemon (S90). It is told as a
// change that is none of the content.
extension FileComparison {
  /// A file was looked at that is otherwise as the index has it.
  ///
  /// - Parameter found: what it says; nil where that was not looked at, or cannot be read.
  func noteFlags(_ found: AssetFlags?, of id: AssetID) throws {
    guard let found, let before = try index.asset(id) else { return }
    try setFlags(before.flags.reading(found, isSameFile: true), of: before)
  }

  /// The daemon has written them.
  ///
  /// - Parameter flags: all that the file says now.
  package func flagsWritten(_ flags: AssetFlags, of id: AssetID) throws {
    guard let before = try index.asset(id) else { return }
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
