package import EventLoop
package import LibraryModel

/// Chooses which assets stand for albums (S102): in the index alone.
@EventLoopActor
package final class AlbumKeys {
  private let between: BetweenTurns

  init(_ between: BetweenTurns) { self.between = between }

  /// Chooses an asset for an album, none when nil: kept and told when this returns.
  ///
  /// - Throws: ``LibraryUnwritable``, or the database's error.
  package func choose(_ asset: AssetID?, of album: AlbumID) throws {
    try between.change { librarian, _ in try librarian.keyPhotos.choose(asset, of: album) }
  }
}
