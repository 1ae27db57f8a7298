import AlbumAPI
import Glibc
import Linux
import Synchronization
import TestSupport
import Testing

@testable import AlbumClient

@Suite("Reading what was picked") struct ReadingTests {
  private final class Flag: Sendable {
    private let value = Mutex(false)
    var isSet: Bool { value.withLock { $0 } }
    func set() { value.withLock { $0 = true } }
  }

  @Test("S23: a few picked files are read at a time, each by a thread; the others wait")
  func turns() async throws {
    let scratch = try TemporaryDirectory()
    let file = try OwnedDescriptor(
      open(scratch.path + "/a.jpg", O_RDWR | O_CREAT | O_CLOEXEC, 0o600), call: "open")
    let count = write(file.number, "photo", 5)
    #expect(count == 5)
    let reading = Turnstile(1)
    let picked = PickedAsset(
      .init(filename: "a.jpg", mediaType: .image, accessible: true), file: file, pairedVideo: nil,
      sidecars: [], reading: reading)
    let isRead = Flag()
    let bytes = try await reading.pass { () async throws(AlbumError) in
      let bytes = Task {
        defer { isRead.set() }
        return try await picked.loadData()
      }
      while await reading.queueLength == 0, !isRead.isSet { await Task.yield() }
      #expect(!isRead.isSet)
      return bytes
    }
    #expect(try await bytes.value == Array("photo".utf8))
  }
}
