// What files say of themselves, which others read: behind everything else, or of a file that is being added before it has
// its name (S50).
extension FileComparison {
  /// What was read of a file that is about to be added: it is told with it.
  ///
  /// - Parameter description: nil where it says nothing.
  package func foretell(_ description: AssetDescription?, of identity: FileIdentity) {
    foretold[identity] = .some(description)
  }

  /// Nothing is being added any more.
  package func forgetForetold() { foretold.removeAll() }

  /// The files of an asset were read.
  ///
  /// - Parameters:
  ///   - description: what they say; nil where that is nothing.
  ///   - asset: as it was when they were opened: what was read of a file that is another by now is dropped, and that is read
  ///     when its turn comes.
  /// - Returns: whether it was noted.
  @discardableResult
  package func describe(_ asset: Asset, _ description: AssetDescription?) throws -> Bool {
    guard let before = try index.asset(asset.id), before.isSameFile(as: asset) else { return false }
    var after = before
    (after.description, after.isDescribed) = (description, true)
    guard after != before else { return true }
    try index.update(after)
    if after.description != before.description { try context.publish(before, after, content: false) }
    return true
  }
}

extension Asset {
  /// Whether its files are those that another look at it saw.
  package func isSameFile(as other: Asset) -> Bool {
    identity == other.identity && byteCount == other.byteCount && modified == other.modified
      && mediaType == other.mediaType
  }

  /// What changed about it may make what was read of its files untrue.
  ///
  /// - Parameter content: whether the photo or video itself is another.
  mutating func noteUnread(since before: Asset, content: Bool) {
    if content {
      (description, isDescribed) = (nil, false)
      (contentHash, isHashed) = (nil, false)
    }
    guard mediaType != before.mediaType else { return }
    isDescribed = false
    if mediaType == .image { description = description?.withoutMovie }
  }
}
