import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import Storage
import TestSupport
import Testing

/// Roots on file systems that stop answering, or have died: they keep nobody waiting but who asks for them (S41).
@Suite(
  .runningLoop, .timeLimit(.minutes(30)),
  .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
struct HangingRootTests {
  private static let names = ["X/1.jpg", "X/2.jpg"]

  private final class Prepared: @unchecked Sendable {
    var files: HangingFileSystem?
    var others: HangingFileSystem?
  }

  /// A library with a root `in`, and another, `slow`, of which it is to be told.
  @EventLoopActor
  private static func make(
    _ names: [String] = names, hangs: Bool = false, isWatched: Bool = true
  ) async throws -> (TestLibrary, HangingFileSystem) {
    let prepared = Prepared()
    let library = try await TestLibrary.make(
      watchLimit: isWatched ? .max : 0, roots: ["in", "slow"], waits: !hangs,
      pollInterval: isWatched ? .milliseconds(50) : .seconds(3600)
    ) { files in
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
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitRequest() }.value
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
    #expect(try await contents.waitToOpen(asset, for: 1).number >= 0)
    slow.hang()
    let code = Task { @EventLoopActor () -> LibraryFileError.Code? in
      do throws(LibraryFileError) {
        _ = try await contents.waitToOpen(asset, for: 1)
        return nil
      } catch { return error.code }
    }
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitRequest() }.value
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    #expect(await code.value == .offline)
    slow.answer()
    library.end()
  }

  /// How many threads, or open files, this process has.
  private static func count(_ directory: String) -> Int {
    guard let listing = opendir("/proc/self/\(directory)") else { return 0 }
    defer { closedir(listing) }
    var count = 0
    while readdir(listing) != nil { count += 1 }
    return count
  }

  @Test(
    "21, S41: what is closed in a file system that hangs takes one thread, and no more is opened than can wait"
  )
  func closing() async {
    // What is counted is the whole process's.
    await #expect(processExitsWith: .success) {
      LoopThread.start()
      try await HangingRootTests.closing()
    }
  }

  @EventLoopActor
  private static func closing() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    let contents = library.monitor.contents
    let (threads, files) = (Self.count("task"), Self.count("fd"))
    slow.keep(.flush)
    var opened = 0
    var refusal: LibraryFileError?
    while refusal == nil, opened < 4 * Closer.most {
      do throws(LibraryFileError) {
        _ = try await contents.waitToOpen(asset, for: 1)
        opened += 1
      } catch { refusal = error }
    }
    #expect((Closer.most...Closer.most + 8).contains(opened), "some are on their way to be closed: \(opened)")
    #expect(refusal?.code == .offline)
    #expect(Self.count("task") < threads + 8, "not a thread for each")
    #expect(Self.count("fd") < files + 2 * Closer.most)
    // All else of it is answered.
    #expect(Self.isSlow(library, nil))
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    slow.answer()
    while true {
      do throws(LibraryFileError) {
        _ = try await contents.waitToOpen(asset, for: 1)
        break
      } catch { #expect(error.code == .offline) }
    }
    library.end()
  }

  @Test("21, S41: a root that hangs gathers so many questions and no more: the others are refused at once")
  func asking() async {
    // The loop is this test's alone: no other keeps it for as long as a root may be silent.
    await #expect(processExitsWith: .success) {
      LoopThread.start()
      try await HangingRootTests.asking()
    }
  }

  @EventLoopActor
  private static func asking() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    let contents = library.monitor.contents
    slow.hang()
    // Those that are answered before the root is offline, and after.
    let asked = (0..<300).map { _ in
      Task { @EventLoopActor () -> Bool in
        _ = try? await contents.waitToOpen(asset, for: 1)
        return Self.isSlow(library, nil)
      }
    }
    var refused = 0
    for task in asked where await task.value { refused += 1 }
    // What the daemon itself waits for counts as well, at times.
    #expect((160...180).contains(refused), "128 wait of 300")
    await library.until { Self.isSlow($0, .notAnswering) }
    slow.answer()
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try await contents.waitToOpen(asset, for: 1).number >= 0)
    library.end()
  }

  @Test("21, S41: copies that get no name are removed where nobody waits for it")
  @EventLoopActor
  func copies() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let album = try #require(library.directory("X", root: 2))
    do {
      let directory = try await library.monitor.contents.open(album, for: 1)
      let files = try await Task.detached(executorPreference: ThreadPerJob()) {
        let files = NewFiles(in: directory)
        _ = try files.make(as: FileName("3.jpg"))
        return files
      }.value
      slow.hang(on: .unlink)
      withExtendedLifetime(files) {}
    }
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitTrap() }.value
    try library.files.put("in/b.jpg")
    try await library.until { try $0.asset("b.jpg") != nil }
    slow.answer()
    await library.until { $0.monitor.state.summary == .ready }
    library.end()
  }

  @Test("21, S41: an edit has one deadline, however many steps it has")
  func editing() async {
    // The same.
    await #expect(processExitsWith: .success) {
      LoopThread.start()
      try await HangingRootTests.editing()
    }
  }

  @EventLoopActor
  private static func editing() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    let edits = library.monitor.edits
    let record = try edits.replacements.record(asset, by: nil, at: 1)
    let directory = try await edits.records.openHidden(of: record, for: 1)
    let name = try #require(record.fileNames.first)
    try await Task.detached(executorPreference: ThreadPerJob()) {
      let files = NewFiles(in: directory)
      _ = try files.make(as: FileName(name))
      #expect(try files.place([FileName(name)]))
    }.value
    // What has happened is looked at before: else that is asked first, and the edit waits for its turn (race 40).
    try await library.settle()
    slow.hang(on: .lookUp)
    let edit = Task { @EventLoopActor () -> LibraryFileError.Code? in
      do {
        _ = try await edits.replacements.carryOut(record, of: asset.id)
        return nil
      } catch { return (error as? LibraryFileError)?.code }
    }
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitTrap() }.value
    // The first step takes two seconds of the three that a root has for each.
    var timer: Timer?
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      timer = Timer { continuation.resume() }
      timer?.arm(after: .seconds(2))
    }
    slow.answer(until: .renameWithFlags)
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitTrap() }.value
    // By the clock of the loop, as the root's own: where the machine does other things as well both are late.
    var isLate = false
    let late = Timer { isLate = true }
    late.arm(after: .milliseconds(2900))
    #expect(await edit.value == .offline)
    #expect(!isLate, "what was left of three seconds")
    late.disarm()
    slow.answer()
    try await library.until {
      try $0.asset("X/1.jpg", root: 2)?.id == asset.id && $0.monitor.state.summary == .ready
    }
    library.end()
  }

  @Test("40, S41: an edit is done in the middle of a listing, which does not take the root offline")
  @EventLoopActor
  func editedWhileListed() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let asset = try #require(try library.asset("X/1.jpg", root: 2))
    // Nothing but the edit ends it.
    slow.listEndlessly(until: .renameWithFlags)
    library.monitor.rescan()
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitEndlessListing() }.value
    let moves = library.monitor.edits.assetMoves
    let relocation = try #require(try moves.recordRename(asset, to: [FileName("3.jpg")]))
    #expect(try await moves.carryOut(relocation, of: asset.id).primary.name == FileName("3.jpg"))
    #expect(Self.isSlow(library, nil))
    await library.until { $0.monitor.state.summary == .ready }
    #expect(try library.asset("X/3.jpg", root: 2)?.id == asset.id)
    library.end()
  }

  @Test(
    "35, S33: what is deleted while it is listed does not come back for a moment, whether it is watched or not",
    arguments: [true, false])
  @EventLoopActor
  func deletedWhileListed(isWatched: Bool) async throws {
    let (library, slow) = try await Self.make(["1.jpg"], isWatched: isWatched)
    try await library.until {
      try $0.asset("1.jpg", root: 2) != nil && $0.monitor.state.summary != .scanning
    }
    let asset = try #require(try library.asset("1.jpg", root: 2))
    library.forget()
    // It is listed before it is put away, and compared after.
    slow.listEndlessly(until: .rename)
    library.monitor.rescan()
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitEndlessListing() }.value
    let deletions = library.monitor.edits.deletions
    try await deletions.carryOut(deletions.record(asset, by: nil, at: 1000))
    await library.until { $0.monitor.state.summary != .scanning }
    #expect(library.changes.map(\.operation) == [.removed])
    library.end()
  }

  @Test("40, S41: what an edit has done is looked at where it was done, however late that is answered")
  @EventLoopActor
  func lookedAtLate() async throws {
    let (library, slow) = try await Self.make()
    try await library.until { try $0.asset("X/2.jpg", root: 2) != nil && $0.monitor.state.summary == .ready }
    let album = try #require(library.directory("X", root: 2))
    try await library.settle()
    // Later than the loop waits for.
    slow.lookUp(after: 110_000)
    let made = try await library.monitor.edits.editor.makeAlbum(FileName("Y"), in: album)
    #expect(library.directory("X/Y", root: 2) == made.id)
    slow.lookUp(after: 0)
    await library.until { $0.monitor.state.summary == .ready }
    #expect(library.directory("X/Y", root: 2) == made.id)
    library.end()
  }

  @Test("22, S41: a volume that says the same of itself as one that hangs is found without asking that one")
  @EventLoopActor
  func twins() async throws {
    let prepared = Prepared()
    let library = try await TestLibrary.make(roots: ["in", "slow", "late"]) { files in
      try files.put("in/a.jpg")
      for name in ["slow", "late"] { try files.directory(name) }
      prepared.files = try HangingFileSystem(at: "\(files.base)/slow", Self.names)
      let late = try HangingFileSystem(at: "\(files.base)/late", ["Y/3.jpg"])
      late.hang()
      prepared.others = late
    }
    let (slow, late) = (try #require(prepared.files), try #require(prepared.others))
    try await library.until {
      try $0.asset("X/2.jpg", root: 2) != nil && Self.isSlow($0, .notAnswering)
    }
    slow.hang()
    late.answer()
    try await library.until { try $0.asset("Y/3.jpg", root: 3) != nil && Self.isSlow($0, nil) }
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
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitRequest() }.value
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
