import Authorization
import Glibc
import Testing
import TestSupport

@testable import Storage

@Suite("What is taken away comes to the disk")
struct RegistryDebtTests {
  private func decision(_ number: Int, _ status: DecidedStatus) throws -> AuthorizationRecord {
    let key = RecordKey(uid: 1000, appID: "org.example.App\(number)", accessLevel: .readWrite)
    return try AuthorizationRecord(key, Decision(status, decidedAt: Timestamp(seconds: 1)))
  }

  /// A registry whose disk takes no more: it may have no more pages.
  private func full() async throws -> (StateDirectory, Registry, grants: Int) {
    let directory = try StateDirectory()
    let registry = try Registry(directory: directory.path, pageLimit: 16)
    var grants = 0
    while grants < 10_000 {
      let next = AuthorizationChange.put(try decision(grants, .authorized))
      guard await apply([next], to: registry, revoking: false) else { break }
      grants += 1
    }
    return (directory, registry, grants)
  }

  private func apply(_ changes: [AuthorizationChange], to registry: Registry, revoking: Bool) async -> Bool {
    await withCheckedContinuation { continuation in
      registry.apply(changes, revocations: revoking ? changes : []) {
        continuation.resume(returning: (try? $0.get()) != nil)
      }
    }
  }

  @Test("what was not written is written before what is given later, and nothing overtakes it")
  func order() async throws {
    let (directory, registry, grants) = try await full()
    // Too much for the pages that there are; and what comes after it has to wait for it.
    let denials = try (0..<200).map { AuthorizationChange.put(try decision(grants + $0, .denied)) }
    #expect(await apply(denials, to: registry, revoking: true) == false)
    let grant = AuthorizationChange.put(try decision(grants, .authorized))
    #expect(await apply([grant], to: registry, revoking: false) == false)
    #expect(try registry.load().records.count == grants)
    // It says so at its end, too.
    #expect(throws: StorageError.self) { try registry.close() }
    withExtendedLifetime(directory) {}
  }

  @Test("its space is really there, and nobody else may read it")
  func reserve() throws {
    let directory = try StateDirectory()
    let registry = try directory.open()
    var status = stat()
    try #require(stat("\(directory.path)/registry.reserve", &status) == 0)
    #expect(status.st_size == RegistryReserve.byteCount && status.st_mode & 0o7777 == 0o600)
    #expect(off_t(status.st_blocks) * 512 >= RegistryReserve.byteCount)
    withExtendedLifetime(registry) {}
  }

  @Test("it is given up once, and taken again")
  func giveUp() throws {
    let directory = try StateDirectory()
    let reserve = RegistryReserve(path: "\(directory.path)/registry.reserve")
    reserve.make()
    #expect(reserve.giveUp() && directory.names.isEmpty)
    #expect(!reserve.giveUp())
    reserve.make()
    #expect(directory.names == ["registry.reserve"])
  }
}
