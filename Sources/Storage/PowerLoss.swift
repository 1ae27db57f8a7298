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
enum PowerLoss {
  /// More places, and more ids, than can be lost.
  static let placeGap: Int64 = 1 << 32
  static let idGap: Int64 = 1 << 24

  /// Whether this is the boot in which the index was last written.
  static func isKnown(_ boot: String, _ connection: LibraryConnection) throws(StorageError) -> Bool {
    let known = try connection.statement("SELECT value = ? FROM meta WHERE name = 'boot'")
    known.bind(1, boot)
    return try known.first { $0.int(0) != 0 } ?? false && !boot.isEmpty
  }

  /// Remembers the boot, in a batch.
  static func note(_ boot: String, _ connection: LibraryConnection) throws(StorageError) {
    let note = try connection.statement("INSERT OR REPLACE INTO meta VALUES ('boot', ?)")
    note.bind(1, boot)
    try note.run()
  }
}

extension LibraryStore {
  /// The kernel's id of the present boot (random(4)); empty if it cannot be read, which counts as another
  /// boot every time.
  package static var presentBoot: String { SmallFile.bootID ?? "" }
}
