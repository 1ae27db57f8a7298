import Authorization
import Glibc
import TestSupport
import Testing

@testable import Storage

private func key(_ app: String, _ level: AccessLevel = .readWrite, uid: UInt32 = 1000) -> RecordKey {
  RecordKey(uid: uid, appID: app, accessLevel: level)
}

private func record(
  _ app: String, _ status: DecidedStatus, _ duration: GrantDuration = .always,
  level: AccessLevel = .readWrite,
  uid: UInt32 = 1000
) throws -> AuthorizationRecord {
  try AuthorizationRecord(
    key(app, level, uid: uid), Decision(status, decidedAt: Timestamp(seconds: 7), duration: duration))
}

@Suite("Registry")
struct RegistryTests {
  @Test("S3, S10: every kind of decision is read back as it was written")
  func decisions() async throws {
    let directory = try StateDirectory()
    let process = ProcessInstance(pid: .max, startTime: .max, bootID: "b-1")
    let records = [
      try record("a", .denied, level: .addOnly), try record("a", .limited),
      try record("b", .authorized, .until(Timestamp(microseconds: .max))),
      try record("/usr/bin/ö 'x'", .authorized, .untilExit(process), uid: .max),
    ]
    do {
      let registry = try directory.open()
      #expect(try registry.load() == RegistrySnapshot())
      try await registry.apply(records.map { .put($0) })
    }
    let loaded = try directory.open().load()
    #expect(Set(loaded.records) == Set(records))
  }

  @Test("S8: a later decision takes the place of an earlier one; a reset removes it")
  func replace() async throws {
    let directory = try StateDirectory()
    let registry = try directory.open()
    let process = ProcessInstance(pid: 1, startTime: 2, bootID: "b")
    try await registry.apply([.put(try record("a", .authorized, .untilExit(process)))])
    try await registry.apply([.put(try record("a", .denied))])
    try await registry.apply([
      .put(try record("b", .denied, level: .addOnly)), .put(try record("b", .denied)),
    ])
    #expect(try registry.load().records.first == record("a", .denied))
    try await registry.apply([.remove(key("b"))])
    #expect(try registry.load().records.map(\.key) == [key("a"), key("b", .addOnly)])
  }

  @Test("S55: whether a grant includes location is read back; one from before there was a choice keeps it")
  func location() async throws {
    let directory = try StateDirectory()
    let path: String
    do {
      let registry = try directory.open()
      path = registry.path
      let with = Decision(.limited, decidedAt: Timestamp(seconds: 9), includesLocation: true)
      try await registry.apply([
        .put(try AuthorizationRecord(key("a"), with)), .put(try record("b", .authorized)),
        .put(try record("c", .denied)), .put(try record("b", .authorized, level: .addOnly)),
      ])
      #expect(try registry.load().records.filter(\.decision.includesLocation).map(\.key) == [key("a")])
      try registry.close()
    }
    // As the version before this one left it.
    try execute("ALTER TABLE decision DROP COLUMN location", on: path)
    try execute("DELETE FROM grdb_migrations WHERE identifier = 'registry-location'", on: path)
    let records = try directory.open().load().records
    #expect(records.filter(\.decision.includesLocation).map(\.key) == [key("a"), key("b")])
  }

  @Test("S13: counts of not now")
  func refusals() async throws {
    let registry = try StateDirectory().open()
    let two = RefusalRecord(count: 2, lastRefusedAt: Timestamp(seconds: 9))
    try await registry.apply([
      .refusals(key("a"), RefusalRecord(count: 1, lastRefusedAt: Timestamp(seconds: 5)))
    ])
    try await registry.apply([.refusals(key("a"), two), .refusals(key("b"), two)])
    try await registry.apply([.refusals(key("b"), nil)])
    #expect(try registry.load().refusals == [key("a"): two])
  }

  @Test("S17: a selection is kept with its decision, through other decisions, until the reset")
  func selections() async throws {
    let registry = try StateDirectory().open()
    let selection = Selection(assets: ["1", "2"], albums: ["1"])
    try await registry.apply([.put(try record("a", .limited), selection: Selection(assets: ["9"]))])
    try await registry.apply([.put(try record("a", .limited), selection: selection)])
    try await registry.apply([.put(try record("a", .denied))])
    #expect(try registry.load().selections == [key("a"): selection])
    try await registry.apply([.remove(key("a"))])
    #expect(try registry.load().selections.isEmpty)
  }

  @Test("S18, S22: a selection is changed by what joins and leaves it, beside its decision")
  func selectionChanges() async throws {
    let registry = try StateDirectory().open()
    try await registry.apply([.select(key("a"), .add(Selection(assets: ["1", "2"], albums: ["1"])))])
    try await registry.apply([.put(try record("a", .limited))])
    try await registry.apply([
      .select(key("a"), .remove(Selection(assets: ["1"], albums: ["1"]))),
      .select(key("a"), .add(Selection(assets: ["2", "3"]))),
    ])
    #expect(try registry.load().selections == [key("a"): Selection(assets: ["2", "3"])])
    try await registry.apply([.select(key("a"), .replace(Selection(albums: ["2"])))])
    #expect(try registry.load().selections == [key("a"): Selection(albums: ["2"])])
    #expect(try registry.load().records.map(\.decision.status) == [.limited])
  }

  @Test("Apps that were here, and decisions that were used")
  func seen() async throws {
    let registry = try StateDirectory().open()
    func note(_ evidence: String, _ second: Int64) async {
      let app = PeerIdentity(
        appID: "a", uid: 1, evidence: .init(.userUnit, evidence), isVerified: false, manifest: nil,
        manifestFile: "")
      await withCheckedContinuation { done in
        registry.noteSeen(app, since: Timestamp(seconds: second), at: Timestamp(seconds: second)) { result in
          #expect(throws: Never.self) { try result.get() }
          done.resume()
        }
      }
    }
    await note("one.service", 1)
    await note("two.service", 5)
    try await registry.apply([.put(try record("a", .authorized))])
    await withCheckedContinuation { done in
      registry.noteUse(of: key("a"), at: Timestamp(seconds: 6)) { _ in done.resume() }
    }
    let loaded = try registry.load()
    let app = try #require(loaded.apps.first)
    #expect(loaded.apps.count == 1)
    #expect(app.evidence == IdentityBinding(.userUnit, "two.service"))
    #expect(app.firstSeen == Timestamp(seconds: 1) && app.lastSeen == Timestamp(seconds: 5))
    #expect(loaded.lastUsed == [key("a"): Timestamp(seconds: 6)])
    // A decision that is made anew, as with every change of a selection, does not forget its use.
    try await registry.apply([.put(try record("a", .authorized))])
    #expect(try registry.load().lastUsed == loaded.lastUsed)
  }

  @Test("A transaction is all or nothing, and completions come in order")
  func order() async throws {
    let registry = try StateDirectory().open()
    let (stream, continuation) = AsyncStream<Int>.makeStream()
    for number in 0..<50 {
      registry.apply([.put(try record("a\(number)", number % 2 == 0 ? .denied : .authorized))]) { _ in
        continuation.yield(number)
        if number == 49 { continuation.finish() }
      }
    }
    var order: [Int] = []
    for await number in stream { order.append(number) }
    #expect(order == Array(0..<50))
    // A count of zero is none: the whole transaction is refused, with the decision in it.
    let none = RefusalRecord(count: 0, lastRefusedAt: Timestamp(seconds: 1))
    await #expect(throws: StorageError.self) {
      try await registry.apply([.put(try record("z", .denied)), .refusals(key("z"), none)])
    }
    #expect(try registry.load().records.count == 50)
  }

  @Test("What was acknowledged survives a kill: it is in the files, and they are synchronized")
  func killed() async throws {
    let directory = try StateDirectory()
    let registry = try directory.open()
    let settings = try registry.settings()
    #expect(settings.journalMode == "wal")
    #expect(settings.synchronous == 2, "FULL: fsync(2) at every commit")
    for number in 0..<20 {
      try await registry.apply([.put(try record("a\(number)", .denied))])
      let loaded = try directory.copy().open().load()
      #expect(loaded.records.count == number + 1)
    }
    withExtendedLifetime(registry) {}
  }

  @Test("Only the daemon's user may read the registry")
  func mode() async throws {
    let directory = try StateDirectory()
    let registry = try directory.open()
    try await registry.apply([.put(try record("a", .denied))])
    #expect(
      directory.names == [
        "backups", "registry.reserve", "registry.sqlite", "registry.sqlite-shm", "registry.sqlite-wal",
      ])
    try #require(entries(of: "\(directory.path)/backups").count == 1)
    for name in directory.names + entries(of: "\(directory.path)/backups").map({ "backups/\($0)" }) {
      var status = stat()
      try #require(stat("\(directory.path)/\(name)", &status) == 0)
      #expect(status.st_mode & 0o7777 == (name == "backups" ? 0o700 : 0o600), "\(name)")
    }
    withExtendedLifetime(registry) {}
  }
}
