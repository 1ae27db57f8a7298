internal import GRDB
internal import Glibc
internal import Linux

/// A damaged index is put aside, and another made with what can still be read of it
/// (docs/decisions/0047-damaged-databases.md).
///
/// The files in the library are what the index is about, so that nothing is lost but ids: it is made again by a scan. What
/// is read of the old one is taken by groups, each whole or not at all, and none that contradicts itself. The journal is
/// never taken: its tokens expire.
struct LibrarySalvage {
  let path: String

  /// Where the old one is kept; only the last one is.
  var aside: String { path + ".damaged" }
  /// A file that is there from when damage is found until another index has taken the damaged one's place.
  private var note: String { path + ".is-damaged" }
  private var new: String { path + ".new" }

  /// Tables that are good for something together, and only with those of other groups that are kept.
  private static let groups: [Group] = [
    Group(
      .ids, [], ["volume", "root", "directory", "asset", "link", "extraLink"],
      [
        // By a volume that is not known everything would look as if it had come from another disk.
        "SELECT 1 FROM root WHERE volume <> 0 AND volume NOT IN (SELECT number FROM volume)",
        "SELECT 1 FROM directory WHERE volume <> 0 AND volume NOT IN (SELECT number FROM volume)",
        """
        SELECT 1 FROM link WHERE directory NOT IN (SELECT id FROM directory)
          OR asset NOT IN (SELECT id FROM asset) AND NOT (resource = 2 AND asset = 0)
        """,
        "SELECT 1 FROM asset WHERE directory NOT IN (SELECT id FROM directory)",
        "SELECT 1 FROM asset a WHERE NOT EXISTS (SELECT 1 FROM link l WHERE l.directory = a.directory AND l.name = a.name AND l.asset = a.id)",
        "SELECT 1 FROM directory WHERE parent NOT IN (SELECT id FROM directory) OR root NOT IN (SELECT id FROM root)",
        "SELECT 1 FROM extraLink e WHERE NOT EXISTS (SELECT 1 FROM link l WHERE l.directory = e.directory AND l.name = e.name AND l.asset = e.asset)",
        """
        SELECT 1 WHERE (SELECT ifnull(sum(assetCount), 0) FROM directory) - (SELECT count(*) FROM extraLink)
          <> (SELECT count(*) FROM asset) AND NOT EXISTS (SELECT 1 FROM directory WHERE orphan)
        """,
        "SELECT 1 WHERE (SELECT ifnull(max(id), 0) FROM asset) >= (SELECT value FROM meta WHERE name = 'nextAsset')",
        "SELECT 1 WHERE (SELECT ifnull(max(id), 0) FROM directory) >= (SELECT value FROM meta WHERE name = 'nextAlbum')",
      ]
    ),
    Group(
      .deleted, [.ids], ["deletedAsset", "deletedLink", "deletedAlbum"],
      [
        "SELECT 1 FROM deletedLink WHERE asset NOT IN (SELECT id FROM deletedAsset)",
        "SELECT 1 FROM deletedAsset WHERE volume <> 0 AND volume NOT IN (SELECT number FROM volume)",
      ]
    ),
    Group(
      .views, [.ids, .deleted], ["viewer", "viewerAsset", "viewerAlbum", "ownAlbum", "hiddenAlbum"],
      ["SELECT 1 FROM viewerAsset WHERE viewer NOT IN (SELECT id FROM viewer)"]
    ),
    Group(
      .descriptions, [.ids], ["description"],
      ["SELECT 1 FROM description WHERE asset NOT IN (SELECT id FROM asset)"]
    ),
    Group(
      .edits, [.ids, .deleted], ["edit", "adjustment"],
      ["SELECT 1 FROM edit WHERE volume <> 0 AND volume NOT IN (SELECT number FROM volume)"]
    ),
    Group(
      .keyPhotos, [.ids], ["albumKey"],
      [
        "SELECT 1 FROM albumKey WHERE album >= (SELECT value FROM meta WHERE name = 'nextAlbum')",
        "SELECT 1 FROM albumKey WHERE asset >= (SELECT value FROM meta WHERE name = 'nextAsset')",
      ]
    ),
    Group(
      .customOrder, [.ids], ["albumOrder"],
      [
        "SELECT 1 FROM albumOrder WHERE album NOT IN (SELECT id FROM directory)",
        "SELECT 1 FROM albumOrder WHERE asset >= (SELECT value FROM meta WHERE name = 'nextAsset')",
        // There is room for what is put at either end.
        "SELECT 1 FROM albumOrder WHERE position NOT BETWEEN -(1 << 62) AND 1 << 62",
      ]
    ),
  ]

  private struct Group {
    let kept: LibraryDamage.Kept
    let needs: Set<LibraryDamage.Kept>
    let tables: [String]
    let contradictions: [String]

    init(
      _ kept: LibraryDamage.Kept, _ needs: Set<LibraryDamage.Kept>, _ tables: [String],
      _ contradictions: [String]
    ) {
      self.kept = kept
      self.needs = needs
      self.tables = tables
      self.contradictions = contradictions
    }
  }

  /// Notes that it is damaged: the next start makes another.
  func noteDamage() {
    let file = open(note, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    if file >= 0 { close(file) }
  }

  /// Whether that was noted, and no other was made since.
  var isNoted: Bool { access(note, F_OK) == 0 }

  /// Puts the damaged one aside and makes another in its place. What is interrupted is begun again at the next start.
  ///
  /// - Returns: what could be kept.
  func makeAnew() throws(StorageError) -> Set<LibraryDamage.Kept> {
    noteDamage()
    if access(path, F_OK) == 0 {
      // A log alone is of this one: a start was killed after it had put that aside. Of a former one the log goes first.
      if access(path + "-wal", F_OK) == 0 || access(aside, F_OK) == 0 {
        for suffix in ["-wal", "-shm", ""] { unlink(aside + suffix) }
      }
      // The log first: without its database it is nothing, and a new database must never meet it.
      rename(path + "-wal", aside + "-wal")
      guard rename(path, aside) == 0 else {
        throw StorageError(errno: errno, "cannot be renamed", path: path)
      }
    }
    for name in [path + "-wal", path + "-shm", path + "-redo", new, new + "-wal", new + "-shm"] {
      unlink(name)
    }
    let kept: Set<LibraryDamage.Kept>
    do { kept = try fill() } catch { throw StorageError(error, path: path) }
    guard rename(new, path) == 0 else { throw StorageError(errno: errno, "cannot be renamed", path: path) }
    unlink(note)
    return kept
  }

  private func fill() throws -> Set<LibraryDamage.Kept> {
    var configuration = Configuration()
    configuration.label = "library"
    let queue = try DatabaseQueue(path: new, configuration: configuration)
    try LibrarySchema.migrator.migrate(queue)
    let kept = try queue.writeWithoutTransaction { database -> Set<LibraryDamage.Kept> in
      do { try database.execute(sql: "ATTACH ? AS old", arguments: [aside]) } catch { return [] }
      defer { try? database.execute(sql: "DETACH old") }
      var kept: Set<LibraryDamage.Kept> = []
      for group in Self.groups where group.needs.isSubset(of: kept) {
        do {
          try database.inTransaction {
            if group.kept == .ids { try Self.takeMeta(database) }
            for table in group.tables { try Self.take(table, database) }
            // Nobody says any more of which bytes they were: a row that was damaged can be read all the same.
            if group.kept == .ids {
              try database.execute(sql: "UPDATE main.asset SET hashed = 0, hash = NULL")
              try database.execute(sql: LibrarySchema.fillArrivals)
              // One of a version that paired less has counted less.
              try database.execute(sql: DirectoryTable.countCompanionsAgain)
            }
            for contradiction in group.contradictions
            where try Row.fetchOne(database, sql: contradiction + " LIMIT 1") != nil {
              throw DatabaseError(resultCode: .SQLITE_CORRUPT)
            }
            return .commit
          }
        } catch is DatabaseError {
          continue
        }
        kept.insert(group.kept)
      }
      // What is not known any more is said of no asset.
      try database.execute(
        sql: "UPDATE asset SET edit = 0 WHERE edit <> 0 AND id NOT IN (SELECT asset FROM edit)")
      // They are read again.
      if !kept.contains(.descriptions) { try database.execute(sql: "UPDATE asset SET described = 0") }
      return kept
    }
    try queue.retire()
    return kept
  }

  /// All rows of a table, by the columns that both have: the damaged one may be of a version before this, and SQLite
  /// would take the name of a column that is not there for a text. Without its indexes, which may be what is damaged.
  private static func take(_ table: String, _ database: Database) throws {
    guard try database.tableExists(table, in: "old") else { return }
    let old = Set(try database.columns(in: table, in: "old").map(\.name))
    let columns = try database.columns(in: table, in: "main").map(\.name).filter(old.contains)
      .map { "\"\($0)\"" }.joined(separator: ", ")
    try database.execute(
      sql: "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM old.\(table) NOT INDEXED")
  }

  /// The key of the ids, and which were given out. The life of the machine is forgotten with the journal, so that what
  /// was given out last, and is not written, is not given out again (`PowerLoss.swift`).
  private static func takeMeta(_ database: Database) throws {
    try database.execute(
      sql: """
        UPDATE main.meta SET value = (SELECT value FROM old.meta WHERE name = main.meta.name)
          WHERE name IN ('keyHigh', 'keyLow', 'nextAsset', 'nextAlbum', 'newestBirth', 'scanned')
        """)
    guard
      try Row.fetchOne(database, sql: "SELECT 1 FROM main.meta WHERE typeof(value) <> 'integer' LIMIT 1")
        == nil
    else { throw DatabaseError(resultCode: .SQLITE_CORRUPT) }
  }
}

/// An index that was found to be damaged, and put aside.
package struct LibraryDamage: Hashable, Sendable {
  /// What of it the new one has.
  package enum Kept: Hashable, Sendable, CaseIterable {
    /// The ids of assets and albums.
    case ids
    /// What was deleted and can be restored.
    case deleted
    /// What limited apps were told, and which albums apps have created.
    case views
    /// What photos and videos say of themselves.
    case descriptions
    /// What assets were before they were edited.
    case edits
    /// Which assets stand for albums.
    case keyPhotos
    /// In which order people have put what is in albums.
    case customOrder
  }

  /// What SQLite said.
  package let reason: String
  /// What of it the new one has.
  package let kept: Set<Kept>
  /// Where it is kept.
  package let file: String
}

extension LibraryDamage: CustomStringConvertible {
  /// One line for a log.
  package var description: String {
    let parts = Kept.allCases.filter(kept.contains).map { part in
      switch part {
      case .ids: "the ids of assets and albums"
      case .deleted: "what can be restored"
      case .views: "which albums are whose"
      case .descriptions: "what photos and videos say of themselves"
      case .edits: "what photos and videos were before they were edited"
      case .keyPhotos: "the key photos of albums"
      case .customOrder: "the order of what is in albums"
      }
    }
    return
      "The index was damaged (\(reason)) and is made again from the album directories; of the old one, which is now "
      + "\(file), is kept: \(parts.isEmpty ? "nothing, so that assets have other ids" : parts.joined(separator: ", "))"
  }
}

extension LibraryStore {
  /// Opens the index. One that is damaged, or was found to be while it was used, is put aside for a new one
  /// (``damage``).
  package static func opened(path: String, boot: String = presentBoot) throws(StorageError) -> LibraryStore {
    let salvage = LibrarySalvage(path: path)
    let reason: String
    do throws(StorageError) {
      if !salvage.isNoted { return try LibraryStore(path: path, boot: boot) }
      reason = "it was found damaged while it was used"
    } catch {
      guard error.code == .corrupt else { throw error }
      reason = error.message
    }
    let kept = try salvage.makeAnew()
    let store = try LibraryStore(path: path, boot: boot)
    store.damage = LibraryDamage(reason: reason, kept: kept, file: salvage.aside)
    return store
  }

  /// The index was found to be damaged: the next ``opened(path:boot:)`` makes another.
  package func noteDamage() { LibrarySalvage(path: path).noteDamage() }

  /// Whether that was found.
  package var isDamaged: Bool { LibrarySalvage(path: path).isNoted }
}
