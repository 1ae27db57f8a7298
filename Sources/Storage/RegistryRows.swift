internal import Authorization
internal import GRDB

/// The registry's rows as values, and back.
struct RegistryRows {
  let database: Database
  let path: String

  func apply(_ change: AuthorizationChange) throws {
    switch change {
    case .put(let record, let selection):
      try put(record)
      if let selection { try put(selection, for: record.key) }
    case .select(let key, .replace(let selection)): try put(selection, for: key)
    case .select(let key, .add(let selection)):
      try run(
        "INSERT OR IGNORE INTO selection (uid, app, level, kind, id) VALUES (?, ?, ?, ?, ?)", key, selection)
    case .select(let key, .remove(let selection)):
      try run(
        "DELETE FROM selection WHERE uid = ? AND app = ? AND level = ? AND kind = ? AND id = ?", key,
        selection)
    case .remove(let key):
      try run("DELETE FROM decision WHERE uid = ? AND app = ? AND level = ?", key)
      try run("DELETE FROM selection WHERE uid = ? AND app = ? AND level = ?", key)
    case .refusals(let key, nil):
      try run("DELETE FROM refusal WHERE uid = ? AND app = ? AND level = ?", key)
    case .refusals(let key, let count?):
      try run(
        "INSERT OR REPLACE INTO refusal (uid, app, level, count, lastRefusedAt) VALUES (?, ?, ?, ?, ?)", key,
        count.count, count.lastRefusedAt.microseconds)
    }
  }

  func noteSeen(_ app: PeerIdentity, since first: Timestamp, at now: Timestamp) throws {
    try execute(
      """
      INSERT INTO app (uid, app, evidenceKind, evidence, firstSeen, lastSeen) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (uid, app) DO UPDATE SET evidenceKind = excluded.evidenceKind,
        evidence = excluded.evidence, lastSeen = excluded.lastSeen
      """,
      [
        app.uid, app.appID, app.evidence.kind.rawValue, app.evidence.value, first.microseconds,
        now.microseconds,
      ])
  }

  func noteSeenAgain(_ app: AppKey, at now: Timestamp) throws {
    try execute(
      "UPDATE app SET lastSeen = ? WHERE uid = ? AND app = ?", [now.microseconds, app.uid, app.appID])
  }

  func forget(_ app: AppKey) throws {
    try execute(
      """
      DELETE FROM app WHERE uid = ? AND app = ?
        AND NOT EXISTS (SELECT 1 FROM decision WHERE decision.uid = app.uid AND decision.app = app.app)
      """, [app.uid, app.appID])
  }

  func note(language: String, of app: PeerIdentity) throws {
    try execute("UPDATE app SET language = ? WHERE uid = ? AND app = ?", [language, app.uid, app.appID])
  }

  func noteUse(of key: RecordKey, at now: Timestamp) throws {
    try execute(
      "UPDATE decision SET lastUsed = ? WHERE uid = ? AND app = ? AND level = ?",
      [now.microseconds, key.uid, key.appID, key.accessLevel.rawValue])
  }

  func snapshot() throws -> RegistrySnapshot {
    var snapshot = RegistrySnapshot()
    for row in try rows("SELECT * FROM decision ORDER BY uid, app, level") {
      let record = try AuthorizationRecord(try key(row), try decision(row))
      snapshot.records.append(record)
      if let used: Int64 = try row["lastUsed"] {
        snapshot.lastUsed[record.key] = Timestamp(microseconds: used)
      }
    }
    for row in try rows("SELECT * FROM selection") {
      let key = try key(row)
      var selection = snapshot.selections[key] ?? Selection()
      let (kind, id): (String, String) = (try row["kind"], try row["id"])
      if kind == "asset" { selection.assets.insert(id) } else { selection.albums.insert(id) }
      snapshot.selections[key] = selection
    }
    for row in try rows("SELECT * FROM refusal") {
      snapshot.refusals[try key(row)] = RefusalRecord(
        count: try row["count"], lastRefusedAt: Timestamp(microseconds: try row["lastRefusedAt"]))
    }
    for row in try rows("SELECT * FROM app ORDER BY uid, app") {
      guard let kind = EvidenceKind(rawValue: try row["evidenceKind"]) else { throw unknown("evidence", row) }
      snapshot.apps.append(
        .init(
          key: AppKey(uid: try uid(row), appID: try row["app"]),
          evidence: IdentityBinding(kind, try row["evidence"]),
          firstSeen: Timestamp(microseconds: try row["firstSeen"]),
          lastSeen: Timestamp(microseconds: try row["lastSeen"]), language: try row["language"]))
    }
    return snapshot
  }

  private func put(_ record: AuthorizationRecord) throws {
    var until: Int64?
    var process: ProcessInstance?
    switch record.decision.duration {
    case .always: break
    case .until(let end): until = end.microseconds
    case .untilExit(let instance): process = instance
    }
    try run(
      """
      INSERT INTO decision (uid, app, level, status, decidedAt, until, pid, startTime, bootID, location)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (uid, app, level) DO UPDATE SET status = excluded.status, decidedAt = excluded.decidedAt,
        until = excluded.until, pid = excluded.pid, startTime = excluded.startTime, bootID = excluded.bootID,
        location = excluded.location
      """,
      record.key, record.decision.status.rawValue, record.decision.decidedAt.microseconds, until,
      process?.pid, process.map { Int64(bitPattern: $0.startTime) }, process?.bootID,
      record.decision.includesLocation)
  }

  private func put(_ selection: Selection, for key: RecordKey) throws {
    try run("DELETE FROM selection WHERE uid = ? AND app = ? AND level = ?", key)
    try run("INSERT INTO selection (uid, app, level, kind, id) VALUES (?, ?, ?, ?, ?)", key, selection)
  }

  /// Once for each that is selected.
  private func run(_ sql: String, _ key: RecordKey, _ selection: Selection) throws {
    for (kind, ids) in [("asset", selection.assets), ("album", selection.albums)] {
      for id in ids { try run(sql, key, kind, id) }
    }
  }

  private func key(_ row: CheckedRow) throws -> RecordKey {
    guard let level = AccessLevel(rawValue: try row["level"]) else { throw unknown("access level", row) }
    return RecordKey(uid: try uid(row), appID: try row["app"], accessLevel: level)
  }

  private func uid(_ row: CheckedRow) throws -> UInt32 {
    guard let uid = UInt32(exactly: try row["uid"] as Int64) else { throw unknown("user id", row) }
    return uid
  }

  private func decision(_ row: CheckedRow) throws -> Decision {
    guard let status = DecidedStatus(rawValue: try row["status"]) else { throw unknown("status", row) }
    let duration: GrantDuration
    if let until: Int64 = try row["until"] {
      duration = .until(Timestamp(microseconds: until))
    } else if let pid: Int64 = try row["pid"] {
      guard let pid = Int32(exactly: pid) else { throw unknown("process", row) }
      duration = .untilExit(
        ProcessInstance(
          pid: pid, startTime: UInt64(bitPattern: try row["startTime"] as Int64), bootID: try row["bootID"]))
    } else {
      duration = .always
    }
    return Decision(
      status, decidedAt: Timestamp(microseconds: try row["decidedAt"]), duration: duration,
      includesLocation: try row["location"] as Int64 == 1)
  }

  private func unknown(_ what: String, _ row: CheckedRow) -> StorageError {
    row.unknown("a row with an unknown \(what)")
  }

  private func rows(_ sql: String) throws -> [CheckedRow] {
    try Row.fetchAll(database, sql: sql).map {
      CheckedRow(row: $0, path: path, advice: StorageError.registryAdvice)
    }
  }

  private func run(_ sql: String, _ key: RecordKey, _ rest: (any DatabaseValueConvertible)?...) throws {
    try execute(sql, [key.uid, key.appID, key.accessLevel.rawValue] + rest)
  }

  private func execute(_ sql: String, _ arguments: [(any DatabaseValueConvertible)?]) throws {
    let statement = try database.cachedStatement(sql: sql)
    try statement.execute(arguments: StatementArguments(arguments))
  }
}
