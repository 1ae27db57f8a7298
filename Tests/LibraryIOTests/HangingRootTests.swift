import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Storage
import TestSupport
import Testing

/// Roots on file systems that stop answering, or have died: they keep nobody waiting but who asks for them (S41).
@Suite(
  .runningLoop, .timeLimit(.minutes(10)),
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
struct HangingRootTests {
  private static let names = ["X/1.jpg", "X/2.jpg"]

  private final class Prepared: @unchecked Sendable {
    var files: HangingFileSystem?
  }

  /// A library with a root `in`, and another, `slow`, of which it is to be told.
  @EventLoopActor
  private static func make(hangs: Bool = false) async throws -> (TestLibrary, HangingFileSystem) {
    let prepared = Prepared()
    let library = try await TestLibrary.make(roots: ["in", "slow"], waits: !hangs) { files in
      try files.put("in/a.jpg")
      try files.directory("slow")
      let slow = try HangingFileSystem(at: "\(files.base)/slow", names)
      if hangs { slow.hang() }
      prepared.files = slow
    }
    return (library, try #require(prepared.files))
  }

  @EventLoopActor
  private static func isSlow(_ library: TestLibrary, _ absence: RootAbsence?) -> Bool {
    library.monitor.state.roots.last?.offline == absence
  }

  @Test("21, S41: while a root hangs, others are watched; it is offline, and comes back with all that it had")
  @EventLoopActor
  func hangs() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && Self.isSlow($0, nil) }
    let id = try #require(try library.asset("X/1.jpg", root: 2)?.id)
    library.forget()
    slow.hang()
    // Everything that looks at all roots.
    library.monitor.rescan()
    await Task.detached { slow.awaitRequest() }.value
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    #expect(Self.isSlow(library, nil))
    await library.until { Self.isSlow($0, .notAnswering) }
    #expect(library.store.files.assetCount == 4)
    try library.files.put("in/c.jpg")
    try await library.until { try $0.asset("c.jpg") != nil }
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    #expect(library.monitor.contents.isOffline(asset))
    #expect(failure { _ = try library.monitor.contents.open(asset).take() } == .offline)
    slow.answer()
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.asset("X/1.jpg", root: 2)?.id == id)
    #expect(library.operations(id).isEmpty)
    library.end()
  }

  @Test(
    "21, S41: a file is opened on the root's thread, and who asks for one that hangs is told that it is offline"
  )
  @EventLoopActor
  func opening() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    let contents = library.monitor.contents
    #expect(contents.mayWait(for: asset))
    let file = try await contents.waitToOpen(asset).take()
    close(file)
    slow.hang()
    let code = Task { @EventLoopActor () -> LibraryFileError.Code? in
      do throws(LibraryFileError) {
        close(try await contents.waitToOpen(asset).take())
        return nil
      } catch { return error.code }
    }
    await Task.detached { slow.awaitRequest() }.value
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    #expect(await code.value == .offline)
    slow.answer()
    library.end()
  }

  @Test("22, S41: a root that hangs at the start keeps no other from being served")
  @EventLoopActor
  func hangsAtStart() async throws {
    let (library, slow) = try await Self.make(hangs: true)
    try await library.until { try $0.asset("a.jpg") != nil }
    await library.until { Self.isSlow($0, .notAnswering) }
    slow.answer()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    library.end()
  }

  @Test("22, S41: what is mounted elsewhere while a root hangs keeps nobody waiting", .mounting)
  @EventLoopActor
  func mounting() async throws {
    let (library, slow) = try await Self.make()
    await library.until { $0.monitor.state.summary == .ready }
    slow.hang()
    #expect(Mounting.disk(at: library.outside))
    defer { Mounting.unmount(library.outside) }
    await Task.detached { slow.awaitRequest() }.value
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    slow.answer()
    library.end()
  }

  @Test("23, S41: a root whose file system has died is offline, and keeps its assets")
  @EventLoopActor
  func dies() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    slow.die()
    await library.until { ![nil, .notAnswering].contains($0.monitor.state.roots.last?.offline) }
    #expect(library.store.files.assetCount == 3)
    library.end()
  }
}
