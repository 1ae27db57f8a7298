internal import GRDB

/// The tables of `library.sqlite`. Times are nanoseconds since 1970, but `journal.time` seconds.
///
/// `asset` says all that a page shows, so that reading a million assets touches one table. `link` says all
/// that a scan compares. `extraLink` holds the links beyond the first of the few assets that have several.
enum LibrarySchema {
  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("library-1") { database in
      try database.execute(
        sql: """
          CREATE TABLE meta (name TEXT PRIMARY KEY, value NOT NULL) WITHOUT ROWID;
          INSERT INTO meta VALUES
            ('journal', random()), ('keyHigh', random()), ('keyLow', random()),
            ('nextAsset', 1), ('nextAlbum', 1), ('newestBirth', 0), ('scanned', 0);

          CREATE TABLE root (
            id INTEGER PRIMARY KEY, path BLOB NOT NULL UNIQUE, inode INTEGER NOT NULL,
            birth INTEGER NOT NULL, fileSystem INTEGER NOT NULL);

          CREATE TABLE directory (
            id INTEGER PRIMARY KEY, root INTEGER NOT NULL, parent INTEGER, name BLOB NOT NULL,
            inode INTEGER NOT NULL, birth INTEGER NOT NULL, assetCount INTEGER NOT NULL,
            orphan INTEGER NOT NULL);

          CREATE TABLE asset (
            id INTEGER PRIMARY KEY, mediaType INTEGER NOT NULL, created INTEGER NOT NULL,
            modified INTEGER NOT NULL, byteCount INTEGER NOT NULL, inode INTEGER NOT NULL,
            birth INTEGER NOT NULL, directory INTEGER NOT NULL, name BLOB NOT NULL,
            linkCount INTEGER NOT NULL);
          CREATE INDEX asset_inode ON asset (inode);
          CREATE INDEX asset_created ON asset (created);
          CREATE INDEX asset_modified ON asset (modified);

          CREATE TABLE link (
            directory INTEGER NOT NULL, name BLOB NOT NULL, asset INTEGER NOT NULL,
            resource INTEGER NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL,
            byteCount INTEGER NOT NULL, modified INTEGER NOT NULL,
            PRIMARY KEY (directory, name)) WITHOUT ROWID;

          CREATE TABLE extraLink (
            asset INTEGER NOT NULL, directory INTEGER NOT NULL, name BLOB NOT NULL,
            PRIMARY KEY (asset, directory, name)) WITHOUT ROWID;

          CREATE TABLE journal (
            seq INTEGER PRIMARY KEY, time INTEGER NOT NULL, kind INTEGER NOT NULL, op INTEGER NOT NULL,
            id INTEGER NOT NULL, name BLOB, detail INTEGER, byteCount INTEGER, created INTEGER,
            modified INTEGER, before BLOB, after BLOB);
          """)
    }
    migrator.registerMigration("library-2") { database in
      try database.execute(sql: "ALTER TABLE directory ADD COLUMN mount INTEGER NOT NULL DEFAULT 0")
    }
    migrator.registerMigration("library-views") { database in
      try database.execute(
        sql: """
          ALTER TABLE journal ADD COLUMN viewer INTEGER;
          CREATE INDEX journal_viewer ON journal (viewer, seq) WHERE viewer IS NOT NULL;

          CREATE TABLE viewer (
            id INTEGER PRIMARY KEY, uid INTEGER NOT NULL, app TEXT NOT NULL,
            seesEverything INTEGER NOT NULL, UNIQUE (uid, app));
          CREATE TABLE viewerAsset (
            viewer INTEGER NOT NULL, asset INTEGER NOT NULL, PRIMARY KEY (viewer, asset)) WITHOUT ROWID;
          CREATE TABLE viewerAlbum (
            viewer INTEGER NOT NULL, album INTEGER NOT NULL, PRIMARY KEY (viewer, album)) WITHOUT ROWID;
          CREATE TABLE ownAlbum (
            uid INTEGER NOT NULL, app TEXT NOT NULL, album INTEGER NOT NULL, gone INTEGER,
            PRIMARY KEY (uid, app, album)) WITHOUT ROWID;
          CREATE TABLE hiddenAlbum (album INTEGER PRIMARY KEY, gone INTEGER);
          """)
    }
    migrator.registerMigration("library-deleted") { database in
      // What was deleted and is kept, with where it was. `deleted` is in seconds; an asset may have several
      // links.
      try database.execute(
        sql: """
          CREATE TABLE deletedAsset (
            id INTEGER PRIMARY KEY, key INTEGER NOT NULL, state INTEGER NOT NULL, deleted INTEGER NOT NULL,
            app TEXT, root INTEGER NOT NULL, place INTEGER NOT NULL, mediaType INTEGER NOT NULL,
            created INTEGER NOT NULL, modified INTEGER NOT NULL, byteCount INTEGER NOT NULL,
            inode INTEGER NOT NULL, birth INTEGER NOT NULL);
          CREATE TABLE deletedLink (
            asset INTEGER NOT NULL, number INTEGER NOT NULL, resource INTEGER NOT NULL,
            directory INTEGER NOT NULL, name BLOB NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL,
            PRIMARY KEY (asset, number)) WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("library-movies") { database in
      try database.execute(
        sql: """
          ALTER TABLE directory ADD COLUMN movieCount INTEGER NOT NULL DEFAULT 0;
          UPDATE directory SET movieCount = (
            SELECT count(*) FROM link WHERE link.directory = directory.id
            AND lower(substr(CAST(link.name AS TEXT), -4)) IN ('.mov', '.mp4'));
          """)
    }
    migrator.registerMigration("library-places") { database in
      try database.execute(sql: "ALTER TABLE root ADD COLUMN place BLOB")
    }
    migrator.registerMigration("library-titles") { database in
      // What a limited app called an album of its own, where its directory had to get another name.
      try database.execute(
        sql: "ALTER TABLE ownAlbum ADD COLUMN name BLOB; ALTER TABLE ownAlbum ADD COLUMN title BLOB")
    }
    migrator.registerMigration("library-successors") { database in
      // Which file takes the place of one that is overwritten; NULL where that is not known.
      try database.execute(
        sql: """
          ALTER TABLE deletedAsset ADD COLUMN newInode INTEGER;
          ALTER TABLE deletedAsset ADD COLUMN newBirth INTEGER;
          """)
    }
    migrator.registerMigration("library-volumes") { database in
      // 0: written before there were volumes. What a root is on was `fileSystem`, which is of no use once its volume is
      // known.
      try database.execute(
        sql: """
          CREATE TABLE volume (
            number INTEGER PRIMARY KEY, fileSystem BLOB NOT NULL, subvolume INTEGER NOT NULL,
            copy INTEGER NOT NULL, UNIQUE (fileSystem, subvolume, copy));
          ALTER TABLE root ADD COLUMN volume INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE directory ADD COLUMN volume INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE deletedAsset ADD COLUMN volume INTEGER NOT NULL DEFAULT 0;
          """)
    }
    migrator.registerMigration("library-repeats") { database in
      // How many of the names in a directory are of assets that have another one there. `assetCount` counts names.
      try database.execute(
        sql: """
          ALTER TABLE directory ADD COLUMN repeatCount INTEGER NOT NULL DEFAULT 0;
          UPDATE directory SET repeatCount = (
            SELECT count(*) - count(DISTINCT link.asset) FROM link
            WHERE link.directory = directory.id AND link.resource = 0)
          WHERE EXISTS (SELECT 1 FROM extraLink);
          """)
    }
    migrator.registerMigration("library-descriptions", migrate: addDescriptions)
    migrator.registerMigration("library-deleted-albums") { database in
      // Where albums were that were deleted, and that deleted assets are restored to.
      try database.execute(
        sql: "CREATE TABLE deletedAlbum (id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, name BLOB NOT NULL)"
      )
    }
    migrator.registerMigration("library-sidecars") { database in
      // How many sidecars an asset has. Their rows are links of resource 2, of asset 0 beside which nothing lies, and are
      // counted in `movieCount`. NULL in the journal: none.
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN sidecars INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE journal ADD COLUMN sidecars INTEGER;
          """)
    }
    migrator.registerMigration("library-deleted-pages") { database in
      // What was deleted is read in pages, oldest first.
      try database.execute(sql: "CREATE INDEX deletedAsset_deleted ON deletedAsset (deleted, id)")
    }
    migrator.registerMigration("library-hashes") { database in
      // The SHA-256 of a photo or video as it is now. It is in no journal: whoever is told of a change looks here
      // (docs/decisions/0117-content-hash.md). An asset is always added without.
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN hashed INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE asset ADD COLUMN hash BLOB;
          CREATE INDEX asset_unhashed ON asset (hashed) WHERE hashed = 0;
          CREATE INDEX asset_hash ON asset (hash) WHERE hash IS NOT NULL;
          """)
    }
    migrator.registerMigration("library-flags") { database in
      // What people say of assets, as `AssetFlags` has it. In the journal NULL is 0, and 8 says that it was hidden before.
      // `flagsKnown`: what changed before that time was read.
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN flags INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE deletedAsset ADD COLUMN flags INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE journal ADD COLUMN flags INTEGER;
          CREATE INDEX asset_favorite ON asset (created) WHERE flags & 1 <> 0;
          CREATE INDEX asset_hidden ON asset (id) WHERE flags & 2 <> 0;
          INSERT INTO meta VALUES ('flagsKnown', 0);
          """)
    }
    migrator.registerMigration("library-edits") { database in
      // What assets were before they were edited: `edit` of an asset is its `EditState`, NULL in the journal is none. A row
      // of `edit` has the original and, with new…, what the edit has led to. `adjustment` says how; until an edit is done it
      // is under the id of the row of `deletedAsset` that says what is going to happen.
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN edit INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE journal ADD COLUMN edit INTEGER;
          CREATE TABLE edit (
            asset INTEGER PRIMARY KEY, key INTEGER NOT NULL, root INTEGER NOT NULL, place INTEGER NOT NULL,
            volume INTEGER NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL, byteCount INTEGER NOT NULL,
            created INTEGER NOT NULL, modified INTEGER NOT NULL, mediaType INTEGER NOT NULL,
            directory INTEGER NOT NULL, name BLOB NOT NULL,
            newInode INTEGER NOT NULL, newBirth INTEGER NOT NULL, newByteCount INTEGER NOT NULL,
            newModified INTEGER NOT NULL);
          CREATE TABLE adjustment (
            asset INTEGER PRIMARY KEY, format TEXT NOT NULL, version TEXT NOT NULL, mayTellPlace INTEGER NOT NULL,
            data BLOB NOT NULL);
          """)
    }
    migrator.registerMigration("library-arrival") { database in
      // When the library first had an asset (S101). Of what it had before that was noted, when its file came to its file system,
      // as far as that is known: as a first scan finds it. Of what was deleted before, 0.
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN arrived INTEGER NOT NULL DEFAULT 0;
          \(fillArrivals);
          CREATE INDEX asset_arrived ON asset (arrived);
          ALTER TABLE deletedAsset ADD COLUMN arrived INTEGER NOT NULL DEFAULT 0;
          """)
    }
    migrator.registerMigration("library-key-photos") { database in
      // Which asset stands for an album (S102).
      try database.execute(
        sql: "CREATE TABLE albumKey (album INTEGER PRIMARY KEY, asset INTEGER NOT NULL)")
    }
    migrator.registerMigration("library-raw-pairs") { database in
      // Whether an asset has RAW beside its photo, which is a link of resource 3; NULL in the journal: none. Which of what is there
      // belongs together is found by the next comparison; that looks only where `movieCount` says that something can.
      try database.execute(
        sql: """
          ALTER TABLE asset ADD COLUMN raw INTEGER NOT NULL DEFAULT 0;
          ALTER TABLE journal ADD COLUMN raw INTEGER;
          CREATE INDEX asset_raw ON asset (created) WHERE raw <> 0;
          UPDATE directory SET movieCount = movieCount + (
            SELECT count(*) FROM link WHERE link.directory = directory.id
            AND lower(substr(CAST(link.name AS TEXT), -4)) IN (
              '.dng', '.gpr', '.raw', '.cr2', '.cr3', '.crw', '.nef', '.nrw', '.arw', '.srf', '.sr2', '.raf', '.orf', '.rw2',
              '.rwl', '.pef', '.ptx', '.srw', '.x3f', '.iiq', '.3fr', '.fff', '.dcr', '.kdc', '.mrw', '.erf', '.mef', '.mos'));
          """)
    }
    migrator.registerMigration("library-custom-order") { database in
      // Where assets are in the order that people have put those of an album in (S103); of what has no row, nobody has said.
      try database.execute(
        sql: """
          CREATE TABLE albumOrder (
            album INTEGER NOT NULL, asset INTEGER NOT NULL, position INTEGER NOT NULL,
            PRIMARY KEY (album, asset)) WITHOUT ROWID;
          CREATE INDEX albumOrder_position ON albumOrder (album, position);
          """)
    }
    return migrator
  }

  /// When assets arrived of which that was not noted: when their files came to their file systems, as a first scan finds it.
  static let fillArrivals = """
    UPDATE main.asset SET arrived = min(
      CASE WHEN birth > 0 THEN birth ELSE modified END, CAST(strftime('%s', 'now') AS INTEGER) * 1000000000)
    WHERE arrived = 0
    """

  /// What files say of themselves (docs/decisions/0092-descriptions.md). `created` is what is told; `fileCreated` NULL where
  /// that is the file's own. `asset.description` and `journal.description` are as `AssetDescription` has them; the table has a
  /// row for each file that was read, with which file that was: `changed` is its st_ctime. `state` 1 is of what cannot be
  /// read, 2 of what was not read yet, `version` says by which version. `placeRanges` is where its bytes say where it was
  /// taken. Times of
  /// cameras and lengths are in microseconds, offsets in minutes.
  private static func addDescriptions(_ database: Database) throws {
    try database.execute(
      sql: """
        ALTER TABLE asset ADD COLUMN fileCreated INTEGER;
        ALTER TABLE asset ADD COLUMN described INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE asset ADD COLUMN description BLOB;
        CREATE INDEX asset_undescribed ON asset (created) WHERE described = 0;
        ALTER TABLE journal ADD COLUMN description BLOB;

        CREATE TABLE description (
          asset INTEGER NOT NULL, resource INTEGER NOT NULL,
          volume INTEGER NOT NULL, inode INTEGER NOT NULL, birth INTEGER NOT NULL, byteCount INTEGER NOT NULL,
          modified INTEGER NOT NULL, changed INTEGER NOT NULL,
          state INTEGER NOT NULL, version INTEGER NOT NULL, takenLocal INTEGER, takenOffset INTEGER,
          pixelWidth INTEGER, pixelHeight INTEGER, duration INTEGER, subtypes INTEGER NOT NULL,
          latitude REAL, longitude REAL, altitude REAL, placeRanges BLOB,
          PRIMARY KEY (asset, resource)) WITHOUT ROWID;
        CREATE INDEX description_unreadable ON description (version) WHERE state = 1;
        CREATE INDEX description_subtypes ON description (subtypes) WHERE subtypes <> 0;
        CREATE INDEX description_place ON description (latitude, longitude) WHERE latitude IS NOT NULL;

        -- How many assets were created on a day of the host's, and the first, as `MomentTable` counts them.
        CREATE TABLE moment (
          day INTEGER NOT NULL, mediaType INTEGER NOT NULL, count INTEGER NOT NULL, firstCreated INTEGER, first INTEGER,
          PRIMARY KEY (day, mediaType)) WITHOUT ROWID;
        INSERT INTO meta VALUES ('momentZone', 0);
        """)
  }
}
