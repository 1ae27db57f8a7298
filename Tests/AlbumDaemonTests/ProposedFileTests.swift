import CLinux
import EventLoop
import Glibc
import Linux
import LoopTesting
import TestSupport
import Testing
import VarlinkServer

@testable import AlbumDaemon

@Suite("What an app would put in a photo's place", .timeLimit(.minutes(30)))
struct ProposedFileTests {
  init() { LoopThread.start() }

  /// An app's file: its bytes as they are now, or so many that it says it has.
  @EventLoopActor
  private final class Brought: BroughtFiles {
    var bytes: [UInt8]
    var byteCount: Int64?
    private(set) var copies = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    func look(at index: Int, _ count: Int) async throws(PeerFiles.Failure) -> [UInt8] {
      Array(bytes.prefix(count))
    }

    func copy(_ index: Int, to target: CInt, limit: Int64) async throws(PeerFiles.Failure) -> Int64 {
      copies += 1
      guard byteCount ?? Int64(bytes.count) <= limit else {
        throw PeerFiles.Failure(code: .tooLarge, cause: SystemError("copy", code: EFBIG))
      }
      #expect(pwrite(target, bytes, bytes.count, 0) == bytes.count)
      return Int64(bytes.count)
    }
  }

  private static func content(_ file: CInt) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 1 << 22) { buffer, count in
      count = max(0, pread(file, buffer.baseAddress, buffer.count, 0))
    }
  }

  /// What is written of it, with a limit in bytes.
  @EventLoopActor
  private static func written(_ file: ProposedFile, limit: Int64 = 1 << 30) async throws -> [UInt8] {
    let target = try OwnedDescriptor(linux_sealable_memory_file(), call: "memfd_create")
    let number = target.number
    let byteCount = try await file.copy(0, to: number, limit: limit)
    let bytes = content(number)
    #expect(byteCount == Int64(bytes.count))
    _ = consume target
    return bytes
  }

  @Test("S33: what was shown is looked at and written, whatever the app does with its file")
  @EventLoopActor
  func shown() async throws {
    let first = [UInt8](repeating: 1, count: 3 << 20)
    let app = Brought(first)
    let file = ProposedFile(app, index: 0)
    let picture = try await file.forShowing()
    #expect(Self.content(try #require(picture.number(0))) == first)
    app.bytes = [UInt8](repeating: 2, count: 100)
    #expect(try await file.look(at: 0, 10) == [UInt8](repeating: 1, count: 10))
    #expect(try await Self.written(file) == first)
    _ = try await file.forShowing()
    #expect(app.copies == 1)
  }

  @Test("S33: what nobody was shown is the app's file as it is")
  @EventLoopActor
  func notShown() async throws {
    let app = Brought([1, 2, 3])
    let file = ProposedFile(app, index: 0)
    app.bytes = [4, 5]
    #expect(try await file.look(at: 0, 10) == [4, 5])
    #expect(try await Self.written(file) == [4, 5])
  }

  @Test("S33: a file that is too large for memory is not shown, and written all the same")
  @EventLoopActor
  func tooLarge() async throws {
    let app = Brought([1, 2, 3])
    let file = ProposedFile(app, index: 0)
    app.byteCount = ProposedFile.shownLimit + 1
    await #expect(throws: PictureFailure.unreadable) { _ = try await file.forShowing() }
    #expect(try await Self.written(file) == [1, 2, 3])
    app.byteCount = ProposedFile.shownLimit
    _ = try await file.forShowing()
  }

  @Test("S33: what was shown keeps to the limits of what is written")
  @EventLoopActor
  func limited() async throws {
    let file = ProposedFile(Brought([1, 2, 3]), index: 0)
    _ = try await file.forShowing()
    let target = try OwnedDescriptor(linux_sealable_memory_file(), call: "memfd_create")
    let number = target.number
    await #expect(throws: PeerFiles.Failure.self) { try await file.copy(0, to: number, limit: 2) }
    #expect(Self.content(number).isEmpty)
    _ = consume target
  }
}
