internal import LibraryModel
internal import Linux

/// Power loss may take back the last commits, after clients were given their tokens and ids. Those numbers
/// must not be given out again for something else: an old token would skip what happened instead (S26), and
/// a selection that holds an old id, which the registry keeps with a sync of its own, would show another
/// asset (S16).
///
/// Nothing is lost while the kernel lives, whatever dies. So the index remembers the boot, and in another one
/// goes on far beyond all that could have been lost: what is not synced is less than
/// ``LibraryCheckpoints/bound`` pages. A token from within a gap of the journal has expired (S27); tokens
/// from before it stay good.
extension LibraryStore {
  /// The kernel's id of the present boot (random(4)); empty if it cannot be read, which counts as another
  /// boot every time.
  package static var presentBoot: String { SmallFile.bootID ?? "" }

  private static let placeGap: Int64 = 1 << 32
  private static let idGap: Int64 = 1 << 24

  func survive(_ boot: String) throws(StorageError) {
    if try isKnown(boot) { return }
    // Synced: tokens of this boot must not outlive the gap that they lie behind.
    try run("PRAGMA synchronous = FULL")
    try begin()
    do {
      let note = try statement("INSERT OR REPLACE INTO meta VALUES ('boot', ?)")
      note.bind(1, boot)
      try note.run()
      if reservedAssets.next > 1 || reservedAlbums.next > 1 || place > .start { try leaveGap() }
    } catch {
      rollback()
      throw error
    }
    try commit()
    try settle()
    try run("PRAGMA synchronous = NORMAL")
  }

  /// Whether this is the boot in which the index was last written.
  func isKnown(_ boot: String) throws(StorageError) -> Bool {
    let known = try statement("SELECT value = ? FROM meta WHERE name = 'boot'")
    known.bind(1, boot)
    return try known.first { $0.int(0) != 0 } ?? false && !boot.isEmpty
  }

  private func leaveGap() throws(StorageError) {
    let ids = try statement("UPDATE meta SET value = value + ? WHERE name IN ('nextAsset', 'nextAlbum')")
    ids.bind(1, LibraryStore.idGap)
    try ids.run()
    reservedAssets = Reservation(at: reservedAssets.next + LibraryStore.idGap)
    reservedAlbums = Reservation(at: reservedAlbums.next + LibraryStore.idGap)
    let end = Place(rawValue: place.rawValue + LibraryStore.placeGap)
    let first = try scalar("SELECT ifnull(min(seq), 0) FROM journal")
    // Gaps before all that is left say nothing any more.
    for old in gaps where old.end.rawValue < first - 1 {
      let removal = try statement("DELETE FROM meta WHERE name = ?")
      removal.bind(1, "gap \(old.end.rawValue)")
      try removal.run()
    }
    let note = try statement("INSERT INTO meta VALUES (?, ?)")
    note.bind(1, "gap \(end.rawValue)")
    note.bind(2, place.rawValue)
    try note.run()
    gaps.append((place, end))
    place = end
  }

  /// Reads the gaps, oldest first.
  func readGaps() throws(StorageError) -> [(begin: Place, end: Place)] {
    try statement(
      """
      SELECT value, CAST(substr(name, 5) AS INTEGER) AS gapEnd FROM meta
      WHERE name >= 'gap ' AND name < 'gap!' ORDER BY gapEnd
      """
    ).all { (Place(rawValue: $0.int(0)), Place(rawValue: $0.int(1))) }
  }

  /// The place that has `changes` changes after it; below the start if there are not so many.
  func place(before changes: Int64) -> Int64 {
    var rest = changes
    var position = place
    for gap in gaps.reversed() {
      let behind = position.rawValue - gap.end.rawValue
      if rest <= behind { break }
      rest -= behind
      position = gap.begin
    }
    return position.rawValue - rest
  }
}
