internal import GRDB

/// The tables of `registry.sqlite`. Times are microseconds since 1970.
///
/// A later version adds a migration after the last one, and never changes one that was released.
enum RegistrySchema {
  /// In the file's header, so that no other database is taken for a registry: "albm".
  static let applicationID: Int32 = 0x616C_626D

  static var migrator: DatabaseMigrator {
    var migrator = DatabaseMigrator()
    migrator.registerMigration("registry-1") { database in
      try database.execute(
        sql: """
          PRAGMA application_id = \(applicationID);

          CREATE TABLE decision (
            uid INTEGER NOT NULL, app TEXT NOT NULL,
            level TEXT NOT NULL CHECK (level IN ('addOnly', 'readWrite')),
            status TEXT NOT NULL CHECK (status IN ('denied', 'authorized', 'limited')),
            decidedAt INTEGER NOT NULL,
            until INTEGER, pid INTEGER, startTime INTEGER, bootID TEXT,
            lastUsed INTEGER,
            PRIMARY KEY (uid, app, level),
            CHECK (level <> 'addOnly' OR status <> 'limited'),
            CHECK (until IS NULL OR pid IS NULL),
            CHECK ((pid IS NULL) = (startTime IS NULL) AND (pid IS NULL) = (bootID IS NULL))
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE selection (
            uid INTEGER NOT NULL, app TEXT NOT NULL, level TEXT NOT NULL,
            kind TEXT NOT NULL CHECK (kind IN ('asset', 'album')), id TEXT NOT NULL,
            PRIMARY KEY (uid, app, level, kind, id)
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE refusal (
            uid INTEGER NOT NULL, app TEXT NOT NULL,
            level TEXT NOT NULL CHECK (level IN ('addOnly', 'readWrite')),
            count INTEGER NOT NULL CHECK (count > 0), lastRefusedAt INTEGER NOT NULL,
            PRIMARY KEY (uid, app, level)
          ) STRICT, WITHOUT ROWID;

          CREATE TABLE app (
            uid INTEGER NOT NULL, app TEXT NOT NULL,
            evidenceKind TEXT NOT NULL, evidence TEXT NOT NULL,
            firstSeen INTEGER NOT NULL, lastSeen INTEGER NOT NULL,
            PRIMARY KEY (uid, app)
          ) STRICT, WITHOUT ROWID;
          """)
    }
    migrator.registerMigration("registry-languages") { database in
      try database.execute(sql: "ALTER TABLE app ADD COLUMN language TEXT")
    }
    // Whoever could read before there was a choice received pictures as they are (rule S55).
    migrator.registerMigration("registry-location") { database in
      try database.execute(
        sql: """
          ALTER TABLE decision ADD COLUMN location INTEGER NOT NULL DEFAULT 0 CHECK (location IN (0, 1));
          UPDATE decision SET location = 1 WHERE level = 'readWrite' AND status <> 'denied';
          """)
    }
    return migrator
  }
}
