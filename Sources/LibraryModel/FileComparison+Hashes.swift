// The hashes of files, which others compute behind everything else (S96).
extension FileComparison {
  /// The photo or video of an asset was hashed.
  ///
  /// - Parameters:
  ///   - asset: as it was when its file was opened: what is another file by now, or has other content, is left as it is,
  ///     and is hashed when its turn comes.
  ///   - hash: nil where it is never to be hashed as it is.
  /// - Returns: whether it was noted.
  @discardableResult
  package func noteHash(of asset: Asset, _ hash: ContentHash?) throws -> Bool {
    guard let before = try index.asset(asset.id), before.hasSameContent(as: asset) else { return false }
    var after = before
    (after.contentHash, after.isHashed) = (hash, true)
    guard after != before else { return true }
    try index.update(after)
    if after.contentHash != before.contentHash { try context.publish(before, after, content: false) }
    return true
  }
}

extension Asset {
  /// Whether its photo or video is the file that another look at it saw, and as it was then.
  package func hasSameContent(as other: Asset) -> Bool {
    identity == other.identity && byteCount == other.byteCount && modified == other.modified
  }
}
