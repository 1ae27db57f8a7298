/// What a ``Librarian`` needs of the index: rows, one at a time, inside a transaction that others begin
/// and end. `LibraryStore` in Storage keeps them in SQLite.
///
/// Every call may throw the store's error; the batch is then rolled back as a whole.
public protocol LibraryIndex: AnyObject {
  /// The link with a name.
  func link(at location: Location) throws -> Link?
  /// Links of files with this inode number, whatever their birth time, in every root.
  func links(inode: UInt64) throws -> [Link]
  /// Up to `limit` links in a directory with names after `name`, in order.
  func links(in directory: DirectoryID, after name: FileName?, limit: Int) throws -> [Link]
  /// How many links a directory holds.
  func countLinks(in directory: DirectoryID) throws -> Int
  /// An asset with all its links.
  func asset(_ id: AssetID) throws -> Asset?

  /// Adds a link, unless its name is taken.
  ///
  /// - Returns: whether it was added.
  func insert(_ link: Link) throws -> Bool
  /// Changes the asset and the facts of a link.
  func update(_ link: Link) throws
  /// Removes a link, if it is there.
  func removeLink(at location: Location) throws

  /// Adds an asset. Its links are added on their own.
  func insert(_ asset: Asset) throws
  /// Changes everything about an asset but its links.
  func update(_ asset: Asset) throws
  /// Removes an asset that has no links.
  func remove(_ asset: AssetID) throws

  /// Adds or changes a directory.
  func put(_ directory: DirectoryTree.Node) throws
  /// Notes how many links a directory holds.
  func setAssetCount(_ count: Int, of directory: DirectoryID) throws
  /// Notes that a directory has left the tree while its links are still being removed: a restart goes on
  /// with that.
  func orphan(_ directory: DirectoryID) throws
  /// Removes a directory that has no links.
  func remove(_ directory: DirectoryID) throws

  /// A new id; never given twice, also after a crash.
  func reserveAssetID() throws -> AssetID
  /// A new id; never given twice, also after a crash.
  func reserveAlbumID() throws -> AlbumID

  /// Writes a change into the journal.
  func append(_ change: Change) throws -> Place

  /// The latest birth time of any file that was ever indexed: a file born later cannot be known yet.
  var newestBirth: Int64 { get }
}

/// What a ``Librarian`` asks the disk.
public protocol LibraryDisk: AnyObject {
  /// What is at a name, now.
  func look(at location: Location) -> DiskAnswer
}

/// What the disk says about a name.
public enum DiskAnswer: Hashable, Sendable {
  /// This is there.
  case found(FileFacts)
  /// Its directory is there, and it is not in it.
  case absent
  /// Its directory is not where the tree has it, or cannot be read: nothing follows.
  case unknown
}
