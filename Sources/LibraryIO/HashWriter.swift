package import EventLoop
package import LibraryModel

/// Writes the hashes of files into the index, and tells of them (S96).
@EventLoopActor
package final class HashWriter {
  /// An asset whose photo or video was hashed.
  package struct Hashed {
    /// As it was when its file was opened.
    package let asset: Asset
    /// Its hash; nil where it is never to be hashed as it is.
    package let hash: ContentHash?

    /// An asset, hashed.
    package init(asset: Asset, hash: ContentHash?) {
      self.asset = asset
      self.hash = hash
    }
  }

  private let between: BetweenTurns

  init(_ between: BetweenTurns) {
    self.between = between
  }

  /// Notes hashes, and tells of what is new. What has other content by now is left as it is.
  package func note(_ hashed: [Hashed]) throws {
    try between.change { librarian, _ in
      for one in hashed { try librarian.files.noteHash(of: one.asset, one.hash) }
    }
  }
}
