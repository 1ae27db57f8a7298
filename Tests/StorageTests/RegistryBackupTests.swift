import Authorization
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import Storage

@Suite("Backups of the registry")
struct RegistryBackupTests {
  private final class Clock: Sendable {
    private let seconds = Mutex<Int64>(1_700_000_000)
    var now: Timestamp { Timestamp(seconds: seconds.withLock { $0 }) }
    func pass(_ count: Int64) { seconds.withLock { $0 += count } }
  }

  private func record(_ number: Int) throws -> AuthorizationRecord {
    try AuthorizationRecord(
      RecordKey(uid: 1000, appID: "org.example.App\(number)", accessLevel: .readWrite),
      Decision(.denied, decidedAt: Timestamp(seconds: 1)))
  }

  private func names(_ directory: StateDirectory) -> [String] {
    entries(of: "\(directory.path)/backups").sorted()
  }

  /// The apps about which a backup says something.
  private func apps(_ directory: StateDirectory, _ backup: String?) throws -> Set<String> {
    let restored = try StateDirectory()
    try restored.write("registry.sqlite", try directory.bytes("backups/\(try #require(backup))"))
    return Set(try restored.open().load().records.map(\.key.appID))
  }

  @Test("one a day, the last seven: at the start, with what is decided first, an hour later and at the end")
  func daily() async throws {
    let directory = try StateDirectory()
    let clock = Clock()
    let registry = try Registry(directory: directory.path, pageLimit: nil) { clock.now }
    try await registry.apply([.put(try record(0))])
    #expect(names(directory) == ["registry-2023-11-14.sqlite"])
    #expect(try apps(directory, names(directory).last).isEmpty, "made at the start")
    for number in 1..<12 {
      clock.pass(86_400)
      try await registry.apply([.put(try record(number))])
      // What is given next comes after the backup.
      try await registry.apply([.put(try record(100 + number))])
    }
    #expect(names(directory).count == 7)
    #expect(names(directory).first == "registry-2023-11-19.sqlite")
    let newest = names(directory).last
    #expect(newest == "registry-2023-11-25.sqlite")
    #expect(try apps(directory, newest).contains("org.example.App11"))
    #expect(try !apps(directory, newest).contains("org.example.App111"))
    clock.pass(3600)
    try await registry.apply([.put(try record(200))])
    try await registry.apply([.put(try record(201))])
    #expect(try apps(directory, newest).isSuperset(of: ["org.example.App111", "org.example.App200"]))
    #expect(try !apps(directory, newest).contains("org.example.App201"))
    try registry.close()
    #expect(try apps(directory, newest).contains("org.example.App201"))
    #expect(names(directory).count == 7)
  }

  @Test("one that cannot be made leaves nothing, and keeps nobody from deciding")
  func impossible() async throws {
    let directory = try StateDirectory()
    try directory.write("backups", [])
    let registry = try directory.open()
    try await registry.apply([.put(try record(1))])
    #expect(try registry.load().records.count == 1)
    #expect(try directory.bytes("backups").isEmpty)
  }
}
