package import EventLoop
package import LibraryModel

/// Puts what is in albums in an order of people's own (S103): in the index alone.
@EventLoopActor
package final class AlbumOrders {
  private let between: BetweenTurns

  init(_ between: BetweenTurns) { self.between = between }

  /// Gives assets places after all that have one: ``LibraryModel/CustomOrder/place(_:in:tells:)``. Kept when this returns.
  ///
  /// - Throws: ``LibraryUnwritable``, or the database's error.
  package func place(_ assets: [AssetID], in album: AlbumID, tells: Bool) throws {
    try between.change { librarian, _ in
      try librarian.customOrder.place(assets, in: album, tells: tells)
    }
  }

  /// Puts assets before another, or at the end: kept and told when this returns.
  ///
  /// - Parameter other: one with a place.
  /// - Returns: false where that has none, or none any more; then nothing was done.
  /// - Throws: ``LibraryUnwritable``, or the database's error.
  package func move(_ assets: [AssetID], in album: AlbumID, before other: AssetID?) throws -> Bool {
    try between.change { librarian, _ in
      try librarian.customOrder.move(assets, in: album, before: other)
    }
  }
}
