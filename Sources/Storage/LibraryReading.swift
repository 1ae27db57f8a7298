package import LibraryModel

/// The index and the journal, for whoever only reads: all of the daemon but the one who writes. ``LibraryStore`` is it.
package protocol LibraryReading: AnyObject {
  /// The database file.
  var path: String { get }
  /// Turns asset and album ids into those that peers see.
  var ids: OpaqueIDs { get }
  /// Turns places into change tokens, and back.
  var tokens: ChangeTokens { get }
  /// The place of the latest change.
  var place: Place { get }
  /// Links and assets.
  var files: any FileRows { get }
  /// What files say of themselves.
  var described: any DescriptionRows { get }
  /// Which assets are hashed.
  var hashed: any HashRows { get }
  /// Finds and counts assets where that is short.
  var assets: AssetQueries { get }
  /// How to read on another thread what is committed.
  var apart: LibraryApart { get }
  /// The place of the latest change that is committed: what is read on another thread is at least as new.
  var committedPlace: Place { get }
  /// Whether the write-ahead log is over its bound: it cannot be cut while somebody reads on another thread, so that nobody is
  /// to begin that before it was.
  var isLogFull: Bool { get }
  /// Copies and cuts the write-ahead log, for who knows that nobody reads on another thread any more.
  ///
  /// - Parameter body: called, on any thread, when that is done or could not be.
  func cutLog(_ body: @escaping @Sendable () -> Void)
  /// What has happened.
  var journal: any JournalReading { get }
  /// What limited apps see.
  var viewers: any ViewerReading { get }
  /// Which assets stand for albums.
  var keyPhotos: any KeyPhotoRows { get }
  /// In which order people have put what is in albums.
  var customOrder: any CustomOrderRows { get }

  /// An asset that a peer names, and whether it is one that it can mean (S16).
  func asset(named text: String) throws -> (asset: Asset?, isMeant: Bool)
  /// Whether an asset is hidden (S91). Where that cannot be read it is.
  func hides(_ id: AssetID) -> Bool
}

/// The journal, for whoever only reads it.
package protocol JournalReading: AnyObject {
  /// Up to `limit` changes after a place (S26).
  func changes(after start: Place, limit: Int) throws -> JournalPage
  /// The place of the oldest change that is kept; nil when there is none.
  func firstPlace() throws -> Place?
  /// Whether everything after a place is still in the journal (S27).
  func covers(_ start: Place) throws -> Bool
}

/// What limited apps see, for whoever only reads it.
package protocol ViewerReading: AnyObject {
  /// An app that is or was limited.
  func viewer(_ key: ViewerKey) throws -> Viewer?
  /// Every app that is or was limited.
  func viewers() throws -> [ViewerKey: Viewer]
  /// What a viewer saw at a place; `nil` when it must fetch anew.
  func view(of viewer: Viewer, at start: Place) throws -> LibraryView?
  /// The albums that an app created itself.
  func ownAlbums(of key: ViewerKey) throws -> Set<AlbumID>
  /// What an album is called for a limited app (S16).
  func title(of album: AlbumID, named name: FileName) throws -> FileName
}
