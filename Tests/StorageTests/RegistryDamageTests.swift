import Authorization
import Glibc
import LibraryModel
import Testing
import TestSupport

@testable import Storage

@Suite("A registry that cannot be used")
struct RegistryDamageTests {
  /// A closed registry with so many decisions.
  func registry(_ count: Int = 3) async throws -> StateDirectory {
    let directory = try StateDirectory()
    let registry = try directory.open()
    try await registry.apply((0..<count).map { .put(try decision($0)) })
    return directory
  }

  func decision(_ number: Int) throws -> AuthorizationRecord {
    try AuthorizationRecord(
      RecordKey(uid: 1000, appID: "org.example.App\(number)", accessLevel: .readWrite),
      Decision(.denied, decidedAt: Timestamp(seconds: 1)))
  }

  @Test(
    "It is reported with what to do, and never made anew",
    arguments: ["", "not a database", "SQLite format 3\0"])
  func notADatabase(content: String) throws {
    let directory = try StateDirectory()
    try directory.write("registry.sqlite", Array(content.utf8))
    let failure = try #require(directory.failure())
    #expect(failure.code == .corrupt)
    #expect(failure.path == "\(directory.path)/registry.sqlite")
    #expect(failure.advice.contains("restore a backup"))
    #expect(try directory.bytes("registry.sqlite") == Array(content.utf8))
  }

  @Test("Another database is not a registry")
  func anotherDatabase() throws {
    let directory = try StateDirectory()
    do { _ = try LibraryStore(path: "\(directory.path)/registry.sqlite") }
    #expect(directory.failure()?.code == .corrupt)
  }

  @Test("A log without its database is a registry that was removed, not a first start")
  func logOnly() throws {
    let directory = try StateDirectory()
    try directory.write("registry.sqlite-wal", [1, 2, 3])
    #expect(directory.failure()?.code == .corrupt)
    #expect(directory.names == ["registry.sqlite-wal"])
  }

  @Test("What an interrupted first start left behind is made again")
  func interrupted() throws {
    let directory = try StateDirectory()
    try directory.write("registry.sqlite.new", Array("half".utf8))
    try directory.write("registry.sqlite.new-wal", Array("half".utf8))
    #expect(try directory.open().load().records.isEmpty)
    #expect(!directory.names.contains { $0.contains(".new") })
  }

  @Test("A newer version's registry is left alone")
  func newer() async throws {
    let directory = try await registry()
    var bytes = try directory.bytes("registry.sqlite")
    let name = Array("registry-1".utf8)
    var found = 0
    for place in 0..<(bytes.count - name.count) where Array(bytes[place..<place + name.count]) == name {
      bytes[place + name.count - 1] = UInt8(ascii: "9")
      found += 1
    }
    #expect(found == 2, "the row and its index")
    try directory.write("registry.sqlite", bytes)
    #expect(directory.failure()?.code == .newerSchema)
    #expect(try directory.bytes("registry.sqlite") == bytes)
  }

  @Test("A full disk fails the write, keeps what was acknowledged, and says so")
  func full() async throws {
    let directory = try StateDirectory()
    let registry = try Registry(directory: directory.path, pageLimit: 16)
    var acknowledged = 0
    var failure: StorageError?
    while failure == nil, acknowledged < 10_000 {
      let next = try decision(acknowledged)
      do throws(StorageError) {
        try await registry.apply([.put(next)])
        acknowledged += 1
      } catch {
        failure = error
      }
    }
    #expect(failure?.code == .full)
    #expect(failure?.advice == "make room on its file system")
    #expect(acknowledged > 10)
    #expect(try registry.load().records.count == acknowledged)
    #expect(try directory.copy().open().load().records.count == acknowledged)
  }

  @Test("A directory that is not there, or no directory")
  func cannotOpen() throws {
    let directory = try StateDirectory()
    #expect(throws: StorageError.self) { try Registry(directory: "\(directory.path)/missing") }
    try directory.write("file", [])
    do throws(StorageError) {
      _ = try Registry(directory: "\(directory.path)/file")
      Issue.record("opened")
    } catch {
      #expect(error.code == .cannotOpen)
      #expect(error.message.contains("Not a directory"))
    }
  }

  @Test(
    "A column whose name is damaged is an error, never a crash, and never a grant without its end",
    arguments: [
      "uid", "app", "level", "status", "decidedAt", "until", "pid", "startTime", "bootID", "lastUsed",
    ])
  func damagedColumn(name: String) async throws {
    let directory = try StateDirectory()
    do {
      let registry = try directory.open()
      let ends: GrantDuration =
        ["pid", "startTime", "bootID"].contains(name)
        ? .untilExit(ProcessInstance(pid: 1, startTime: 1, bootID: "boot")) : .until(Timestamp(seconds: 2))
      let key = RecordKey(uid: 1000, appID: "org.example.App", accessLevel: .readWrite)
      try await registry.apply([
        .put(
          try AuthorizationRecord(
            key, Decision(.authorized, decidedAt: Timestamp(seconds: 1), duration: ends)))
      ])
    }
    try execute(
      "ALTER TABLE decision RENAME COLUMN \(name) TO damaged", on: "\(directory.path)/registry.sqlite")
    let failure = #expect(throws: StorageError.self) { try directory.open().load() }
    #expect(failure?.code == .corrupt && failure?.advice.contains("restore a backup") == true)
  }

  @Test(
    "Damaged anywhere: it is read, or an error says what to do; never a crash, and never more than there was",
    arguments: 1...3)
  func damaged(seed: UInt64) async throws {
    let original = try await registry(200).bytes("registry.sqlite")
    var random = SeededGenerator(seed: seed)
    func next(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }
    let directory = try StateDirectory()
    var (found, read) = (0, 0)
    for _ in 0..<60 {
      var bytes = original
      for _ in 0...next(8) { bytes[next(bytes.count)] = UInt8(next(256)) }
      if next(4) == 0 { bytes.removeLast(next(bytes.count)) }
      for name in directory.names { unlink("\(directory.path)/\(name)") }
      try directory.write("registry.sqlite", bytes)
      do throws(StorageError) {
        let loaded = try directory.open().load()
        read += 1
        #expect(loaded.records.count <= 200 && loaded.selections.isEmpty)
      } catch {
        found += 1
        #expect(!error.message.isEmpty && !error.advice.isEmpty)
      }
    }
    #expect(found > 5 && read > 5)
  }
}
