package import EventLoop

/// What changes the library on behalf of a call, each a type of its own.
@EventLoopActor
package struct LibraryEdits {
  /// Adds files, makes albums, links.
  package let editor: LibraryEditor
  /// Writes into the journal what is not found by comparing.
  package let journal: JournalWriter
  /// Writes what files say of themselves.
  package let descriptions: DescriptionWriter
  /// Writes the hashes of files.
  package let hashes: HashWriter
  /// What was deleted, as it is written down.
  package let records: DeletionRecords
  /// Deletes.
  package let deletions: Deletions
  /// Restores.
  package let restorations: Restorations
  /// Overwrites.
  package let replacements: Replacements
  /// What assets were before they were edited.
  package let originals: Originals
  /// Puts that back.
  package let reversions: Reversions
  /// Takes out of albums.
  package let removals: Removals
  /// Moves and renames assets.
  package let assetMoves: AssetMoves
  /// Moves and renames albums.
  package let albumMoves: AlbumMoves
  /// Removes empty albums.
  package let albumRemovals: AlbumRemovals
  /// Chooses key photos.
  package let albumKeys: AlbumKeys
  /// Puts what is in albums in order.
  package let albumOrders: AlbumOrders
  /// Marks favourites and hidden assets.
  package let flags: FlagChanges
  /// Ends what a crash has left half done.
  package let halfDone: HalfDone

  init(_ between: BetweenTurns, _ contents: LibraryContents) {
    editor = LibraryEditor(between, contents)
    journal = JournalWriter(between)
    descriptions = DescriptionWriter(between)
    hashes = HashWriter(between)
    records = DeletionRecords(between)
    deletions = Deletions(between, records, contents)
    restorations = Restorations(between, records)
    replacements = Replacements(between, records)
    originals = Originals(between)
    reversions = Reversions(between, records)
    removals = Removals(between, records, contents)
    albumMoves = AlbumMoves(between)
    albumKeys = AlbumKeys(between)
    albumOrders = AlbumOrders(between)
    flags = FlagChanges(between, contents)
    albumRemovals = AlbumRemovals(between)
    assetMoves = AssetMoves(between, records, contents)
    halfDone = HalfDone(
      between, records, deletions, restorations, replacements, reversions, removals, assetMoves)
  }
}
