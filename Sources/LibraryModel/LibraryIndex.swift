/// The rows of files in the index, for whoever only reads them.
package protocol FileRows: AnyObject {
  /// How many assets there are.
  var assetCount: Int { get }
  /// The latest birth time of any file that was ever indexed: a file born later cannot be known yet.
  var newestBirth: Int64 { get }
  /// The link with a name.
  func link(at location: Location) throws -> Link?
  /// Links of files with this inode number, whatever their birth time, in every root.
  func links(inode: UInt64) throws -> [Link]
  /// Up to `limit` links in a directory with names after `name`, in order.
  func links(in directory: DirectoryID, after name: FileName?, limit: Int) throws -> [Link]
  /// The links in a directory whose names begin with these bytes and a dot, in order.
  func links(in directory: DirectoryID, stem: [UInt8]) throws -> [Link]
  /// An asset with all its links.
  func asset(_ id: AssetID) throws -> Asset?
  /// Whether what an asset was before it was edited is kept, and what that says of it when its file has this content.
  func editState(of asset: AssetID, _ content: ContentStamp) throws -> EditState
}

/// The same, for the one who writes them.
package protocol FileIndex: FileRows {
  /// Adds a link, unless its name is taken.
  ///
  /// - Returns: whether it was added.
  func insert(_ link: Link) throws -> Bool
  /// Adds a link whose name was just seen to be free: by a listing of all that there is in its directory.
  ///
  /// Where it is not free after all, the batch fails, now or when it ends.
  func add(_ link: Link) throws
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
  /// What was done to an asset has not led to what it is now, whatever its length and time say.
  func forgetResult(of asset: AssetID) throws

  /// A new id; never given twice, also after a crash.
  func reserveAssetID() throws -> AssetID
}

/// The rows of roots and directories, for whoever only reads them.
package protocol DirectoryRows: AnyObject {
  /// The roots that there have ever been.
  func roots() throws -> [StoredRoot]
  /// All directories, and those that have left the library while their links are being removed.
  func directories() throws -> (present: [DirectoryTree.Node], orphans: [DirectoryTree.Node])
  /// How many names a directory holds, counted.
  func countNames(in directory: DirectoryID) throws -> NameCounts
  /// The volumes that there have ever been.
  func volumes() throws -> [NumberedVolume]
}

/// The same, for the one who writes them.
package protocol DirectoryIndex: DirectoryRows {
  /// Adds or changes a root.
  func put(_ root: StoredRoot) throws
  /// Adds a volume.
  func put(_ volume: NumberedVolume) throws
  /// Adds or changes a directory.
  func put(_ directory: DirectoryTree.Node) throws
  /// Notes how many names a directory holds.
  func setCounts(_ counts: NameCounts, of directory: DirectoryID) throws
  /// Notes that a directory has left the tree while its links are still being removed: a restart goes on
  /// with that.
  func orphan(_ directory: DirectoryID) throws
  /// Removes a directory that has no links.
  func remove(_ directory: DirectoryID) throws

  /// A new id; never given twice, also after a crash.
  func reserveAlbumID() throws -> AlbumID
}

/// What was deleted and is still kept, for whoever only reads it.
package protocol DeletedRows: AnyObject {
  /// Everything, oldest first.
  func all() throws -> [DeletedAsset]
  /// So many of those that rest, oldest first, after that one.
  func resting(after last: DeletedAsset?, limit: Int) throws -> [DeletedAsset]
  /// What of it is half done.
  func halfDone() throws -> [DeletedAsset]
  /// One of them.
  func asset(_ id: AssetID) throws -> DeletedAsset?
  /// Where an album was that was deleted, and that assets are kept from.
  func album(_ id: AlbumID) throws -> Location?
}

/// The same, for the one who writes it.
package protocol DeletedIndex: DeletedRows {
  /// Notes where an album was that is deleted, as long as assets are kept from it, or from one in it; those that nothing is
  /// kept from any more are forgotten.
  func putAlbum(_ id: AlbumID, at location: Location) throws
  /// Adds or changes one.
  func put(_ deleted: DeletedAsset) throws
  /// Forgets one.
  func remove(_ id: AssetID) throws
}

/// The journal, for the one who writes it.
package protocol JournalIndex: AnyObject {
  /// Writes a change into the journal.
  func append(_ change: Change) throws -> Place
}

/// Which albums are shared ones (S19).
package protocol SharedAlbumIndex: AnyObject {
  /// Notes whether an album is a shared one. Where that is news, it is written into the journal for
  /// every limited viewer, with what it means for the assets that are in it.
  ///
  /// - Parameters:
  ///   - parent: the album around it, if any.
  ///   - snapshot: the album as it is.
  /// - Returns: what was written.
  func noteShared(
    _ album: AlbumID, _ isShared: Bool, parent: AlbumID?, snapshot: Change.Snapshot
  ) throws -> [PlacedChange]

  /// What was noted of an album last.
  func isNotedShared(_ album: AlbumID) throws -> Bool
}

/// What limited apps see, and how it comes to that: written inside a batch, into the journal as well (S22).
package protocol ViewIndex: SharedAlbumIndex {
  /// Brings the view of an app in line with what the registry says.
  ///
  /// - Parameter resets: whether it is told to fetch anew rather than the difference.
  /// - Returns: what was written into the journal.
  func setView(of key: ViewerKey, to target: ViewTarget, resets: Bool) throws -> [PlacedChange]
  /// Notes that an app created an album (S19).
  ///
  /// - Parameter title: what the app is told that it is called, as long as its directory has the name that it has now;
  ///   that name when nil.
  /// - Returns: what was written into the journal.
  func noteCreated(
    _ album: AlbumID, by key: ViewerKey, parent: AlbumID?, snapshot: Change.Snapshot, title: FileName?
  ) throws -> [PlacedChange]
  /// Notes what the app that created an album is told that it is called, as long as its directory has a name.
  func noteTitle(of album: AlbumID, name: FileName, _ title: FileName) throws
}

/// What a ``Librarian`` needs of the index: rows, one at a time, inside a transaction that others begin
/// and end. The tables in Storage keep them in SQLite.
///
/// Every call may throw the store's error; the batch is then rolled back as a whole.
package struct LibraryIndex {
  package let files: any FileIndex
  package let directories: any DirectoryIndex
  package let journal: any JournalIndex
  package let sharing: any SharedAlbumIndex
  package let keyPhotos: (any KeyPhotoIndex)?
  package let customOrder: (any CustomOrderIndex)?

  /// An index of these.
  package init(
    files: any FileIndex, directories: any DirectoryIndex, journal: any JournalIndex,
    sharing: any SharedAlbumIndex, keyPhotos: (any KeyPhotoIndex)? = nil,
    customOrder: (any CustomOrderIndex)? = nil
  ) {
    self.customOrder = customOrder
    self.keyPhotos = keyPhotos
    self.files = files
    self.directories = directories
    self.journal = journal
    self.sharing = sharing
  }
}

/// An index that keeps what it is told. Nobody has it but the one who writes, `LibraryBatch` in LibraryIO: all others
/// have what only reads.
package protocol LibraryDatabase: AnyObject {
  /// What a librarian writes.
  var index: LibraryIndex { get }
  /// What limited apps see.
  var views: any ViewIndex { get }
  /// What was deleted.
  var deleted: any DeletedIndex { get }
  /// What files say of themselves.
  var descriptions: any DescriptionIndex { get }
  /// What was edited.
  var edits: any EditIndex { get }
  /// Whether a scan has ever been finished.
  var hasScanned: Bool { get }

  /// Begins a batch.
  func begin() throws
  /// Ends it: all of it is kept, whatever happens to the process, or, if this throws, nothing.
  ///
  /// - Returns: whether there is something to ``settle()`` now, after there was nothing.
  @discardableResult
  func commit() throws -> Bool
  /// Does in one go what ``commit()`` has put off. If this throws, it is still kept, and tried again with the
  /// next call.
  func settle() throws
  /// The same, and leaves everything in the one file, which can be copied then: nothing is written after this.
  func close() throws
  /// Takes it back.
  func rollback()
  /// Whether a batch is open.
  var isWriting: Bool { get }
  /// Whether the next batch must wait for ``onRoomForWriting(_:)``.
  var mustPause: Bool { get }
  /// Calls `body`, on any thread, when batches may be written again, or with what keeps them from that: it is tried
  /// again when this is called again.
  func onRoomForWriting(_ body: @escaping @Sendable ((any Error)?) -> Void)

  /// Notes that a scan is finished.
  ///
  /// - Returns: the entry of the journal that says so to those who hold a place from before.
  func finishScan() throws -> PlacedChange
  /// Files that were changed before that time, in any way, say beside their content what the index has: nanoseconds since 1970;
  /// 0 where that is not known of any.
  var flagsKnown: Int64 { get }
  /// Notes that.
  func noteFlagsKnown(until time: Int64) throws

  /// Removes up to `limit` of the oldest changes that need not be kept.
  ///
  /// - Returns: whether there is more to remove.
  func trimJournal(keepChanges changes: Int64, keepDays days: Int64, limit: Int64) throws -> Bool
}

/// What a ``Librarian`` asks the disk.
package protocol LibraryDisk: AnyObject {
  /// What is at a name, now.
  ///
  /// - Parameter tree: says where the directory is.
  func look(at location: Location, in tree: DirectoryTree) -> DiskAnswer
  /// Whether someone has a file open for writing (S40).
  func completeness(of location: Location, in tree: DirectoryTree) -> Completeness
}

/// What the disk says about the writers of a file.
package enum Completeness: Hashable, Sendable {
  /// There are none.
  case complete
  /// There is one.
  case beingWritten
  /// It cannot tell; for how many nanoseconds the file has not been written to.
  case unknown(quietFor: Int64)
}

/// What the disk says about a name.
package enum DiskAnswer: Hashable, Sendable {
  /// This is there.
  case found(FileFacts)
  /// Its directory is there, and it is not in it.
  case absent
  /// Its directory is not where the tree has it, or cannot be read: nothing follows.
  case unknown
  /// Its root is offline, or what was mounted there: nothing follows until that is back.
  case offline
}

/// A root as the index remembers it, to know it again (S41).
package struct StoredRoot: Hashable, Sendable {
  /// Its id.
  package var id: RootID
  /// Its path in the configuration.
  package var path: FileName
  /// Which directory it was.
  package var identity: FileIdentity
  /// Which file system it was on: `f_fsid` of statfs(2), of a root that was last there before volumes had numbers.
  package var formerFileSystem: UInt64
  /// Its path from the root of that file system, wherever and whatever part of that is mounted; `nil` when it
  /// is not known.
  package var place: FileName?

  /// A root.
  package init(
    id: RootID, path: FileName, identity: FileIdentity, formerFileSystem: UInt64 = 0, place: FileName? = nil
  ) {
    self.id = id
    self.path = path
    self.identity = identity
    self.formerFileSystem = formerFileSystem
    self.place = place
  }
}
