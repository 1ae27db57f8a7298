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

    /// What the child of the porter's has open that hangs at the end of the file.
    private(set) var hanging: CInt = -1
    var hangs = false
    /// Called in the middle.
    var copying: (@EventLoopActor () -> Void)?

    func copy(
      _ index: Int, to target: CInt, limit: Int64, goesOn: @escaping @EventLoopActor (Int64) -> Bool
    ) async throws(PeerFiles.Failure) -> Int64 {
      copies += 1
      copying?()
      if hangs {
        hanging = dup(target)
        #expect(pwrite(target, bytes, bytes.count, 0) == bytes.count)
        throw PeerFiles.Failure(code: .unreadable, cause: SystemError("copy", code: ECANCELED))
      }
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

  @EventLoopActor
  private static func proposed(_ app: Brought, in copies: ShownCopies = ShownCopies()) -> ProposedFile {
    ProposedFile(app, index: 0, in: copies, of: 1000)
  }

  /// What is written of it, with a limit in bytes.
  @EventLoopActor
  private static func written(_ file: ProposedFile, limit: Int64 = 1 << 30) async throws -> [UInt8] {
    let target = try OwnedDescriptor(linux_sealable_memory_file(), call: "memfd_create")
    let number = target.number
    let byteCount = try await file.copy(0, to: number, limit: limit) { _ in true }
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
    let file = Self.proposed(app)
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
    let file = Self.proposed(app)
    app.bytes = [4, 5]
    #expect(try await file.look(at: 0, 10) == [4, 5])
    #expect(try await Self.written(file) == [4, 5])
  }

  @Test("S33: a file that is too large for memory is not shown, and written all the same")
  @EventLoopActor
  func tooLarge() async throws {
    let app = Brought([1, 2, 3])
    let file = Self.proposed(app)
    app.byteCount = ProposedFile.shownLimit + 1
    await #expect(throws: PictureFailure.unreadable) { _ = try await file.forShowing() }
    #expect(try await Self.written(file) == [1, 2, 3])
    app.byteCount = ProposedFile.shownLimit
    _ = try await file.forShowing()
  }

  @Test("S33: what was shown keeps to the limits of what is written")
  @EventLoopActor
  func limited() async throws {
    let file = Self.proposed(Brought([1, 2, 3]))
    _ = try await file.forShowing()
    let target = try OwnedDescriptor(linux_sealable_memory_file(), call: "memfd_create")
    let number = target.number
    await #expect(throws: PeerFiles.Failure.self) {
      try await file.copy(0, to: number, limit: 2) { _ in true }
    }
    #expect(Self.content(number).isEmpty)
    _ = consume target
  }

  @Test("what was copied of a file that hangs at its end is held by nobody, and cannot be written any more")
  @EventLoopActor
  func hangs() async throws {
    let copies = ShownCopies()
    let app = Brought([UInt8](repeating: 1, count: 3 << 20))
    app.hangs = true
    let file = Self.proposed(app, in: copies)
    app.copying = { #expect(copies.byteCount == ProposedFile.shownLimit) }
    await #expect(throws: PictureFailure.unreadable) { _ = try await file.forShowing() }
    #expect(copies.byteCount == 0)
    var facts = stat()
    try #require(app.hanging >= 0 && fstat(app.hanging, &facts) == 0)
    #expect(facts.st_size == 0 && facts.st_blocks == 0)
    #expect(pwrite(app.hanging, [1], 1, 0) < 0 && errno == EPERM)
    #expect(ftruncate(app.hanging, 1) < 0 && errno == EPERM)
    close(app.hanging)
    app.hangs = false
    _ = try await file.forShowing()
    #expect(copies.byteCount == 3 << 20)
  }

  @Test("copies of one user, and of all, have so much memory; what goes gives it back")
  @EventLoopActor
  func memory() async throws {
    let copies = ShownCopies()
    let limit = ProposedFile.shownLimit
    #expect(copies.take(limit, of: 1000) && copies.take(limit, of: 1000) && !copies.take(1, of: 1000))
    do {
      let file = Self.proposed(Brought([1]), in: copies)
      await #expect(throws: PictureFailure.busy) { _ = try await file.forShowing() }
      copies.release(limit, of: 1000)
      _ = try await file.forShowing()
      #expect(copies.byteCount == limit + 1)
    }
    #expect(copies.byteCount == limit)
    #expect(copies.take(limit, of: 1000) && copies.take(2 * limit, of: 1001) && !copies.take(1, of: 1002))
  }
}
