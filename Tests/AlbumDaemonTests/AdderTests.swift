import AlbumAPI
import Authorization
import Dispatch
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import Storage
import Synchronization
import TestSupport
import Testing
import VarlinkServer

@testable import AlbumDaemon

@Suite("Copies of what apps bring", .timeLimit(.minutes(30)))
struct AdderTests {
  private let directory: TemporaryDirectory
  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 0x20, count: 4096)

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
    mkdir("\(directory.path)/photos", 0o755)
  }

  @EventLoopActor
  private final class Library {
    let monitor: LibraryMonitor
    let renderer: LibraryRenderer
    let adder: AssetAdder

    init(_ path: String, saveTo: String) throws {
      let store = try LibraryStore(path: "\(path)/library.sqlite")
      monitor = LibraryMonitor(database: store, roots: [LibraryRoot(path: "\(path)/photos")])
      renderer = LibraryRenderer(store: store, monitor: monitor)
      adder = AssetAdder(
        monitor: monitor, renderer: renderer, saveTo: saveTo, limit: 1 << 20,
        room: StateRoom(directory: path, reserveBytes: 0))
      try monitor.start(telling: NoObserver())
    }

    isolated deinit { monitor.stop() }

    func untilReady() async {
      while monitor.state.summary != .ready { await EventLoopActor.giveWay() }
    }

    func add(
      _ files: Brought, sidecars: [String] = [], share: DailyAdditions.Share? = nil,
      allow: @escaping @EventLoopActor () throws -> Void = {}
    ) async -> AssetAdder.Outcome {
      let beside = sidecars.enumerated().map {
        LibraryInterface.AddedSidecar(fileDescriptor: $0.offset + 1, sidecarExtension: $0.element)
      }
      return await adder.add(
        [.init(fileDescriptor: 0, filename: "a.jpg", sidecars: beside)], files, for: 1000, to: nil,
        share: share, allow: MayBegin(by: 1000, allow)
      ) { _ in }
    }
  }

  @EventLoopActor
  private final class TestClock {
    var now: UInt64 = 1
  }

  /// What an app brings: it shows one thing, and another may be copied.
  @EventLoopActor
  private final class Brought: BroughtFiles {
    private let shown: [UInt8]
    private let copied: [UInt8]
    /// How many were copied.
    private(set) var count = 0

    /// Called in place of writing.
    private let writing: (@Sendable () -> Void)?

    nonisolated init(
      _ shown: [UInt8] = AdderTests.jpeg, copied: [UInt8]? = nil, writing: (@Sendable () -> Void)? = nil
    ) {
      self.shown = shown
      self.copied = copied ?? shown
      self.writing = writing
    }

    func look(at index: Int, _ count: Int) async throws(PeerFiles.Failure) -> [UInt8] {
      Array(shown.prefix(count))
    }

    /// What the child of the porter's has open that hangs at the end of the file.
    private(set) var hanging: CInt = -1
    var hangs = false

    func copy(
      _ index: Int, to target: CInt, limit: Int64, goesOn: @escaping @EventLoopActor (Int64) -> Bool
    ) async throws(PeerFiles.Failure) -> Int64 {
      count += 1
      if hangs {
        hanging = dup(target)
        #expect(pwrite(target, copied, copied.count, 0) == copied.count)
        throw PeerFiles.Failure(code: .unreadable, cause: SystemError("copy", code: ECANCELED))
      }
      if let writing {
        writing()
        return Int64(copied.count)
      }
      #expect(pwrite(target, copied, copied.count, 0) == copied.count)
      return Int64(copied.count)
    }
  }

  private func content(_ name: String) -> [UInt8]? {
    guard let file = try? OwnedDescriptor(open("\(directory.path)/\(name)", O_RDONLY), call: "open") else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = read(file.number, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  @Test("S18, S29: what was decided while it was copied counts: nothing appears")
  func revokedMeanwhile() async throws {
    struct Revoked: Error {}
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let failures = await library.add(Brought()) { throw Revoked() }.failures.count
    #expect(failures == 1 && content("photos/Saved/a.jpg") == nil)
    let added = await library.add(Brought()).assets.count
    #expect(added == 1 && content("photos/Saved/a.jpg") == Self.jpeg)
  }

  @Test(
    "S29, S41: what was decided while a slow file system kept the copy waiting counts: nothing appears",
    .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
  func revokedWhileSlow() async throws {
    struct Revoked: Error {}
    let path = directory.path
    let slow = try HangingFileSystem(at: "\(path)/photos", ["Saved/1.jpg"])
    defer { withExtendedLifetime(slow) {} }
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    await library.untilReady()
    let revocation = Revocation()
    let (copying, copied) = AsyncStream<Void>.makeStream()
    // The first time that it is looked for its directory afterwards, there is no answer.
    let files = Brought(writing: {
      slow.hang(on: .lookUp)
      copied.yield()
    })
    let adding = Task { await library.add(files) { if revocation.isDone { throw Revoked() } } }
    for await _ in copying { break }
    try await onThread { slow.awaitTrap() }
    revocation.isDone = true
    slow.answer()
    let outcome = await adding.value
    #expect(outcome.assets.isEmpty && outcome.failures.first?.error is Revoked)
    // Nor is anything wrong with it, once it has answered.
    await library.untilReady()
    let added = await library.add(Brought(writing: {}))
    #expect(added.failures.isEmpty && added.assets.map(\.filename) == [FileName("a.jpg")])
  }

  private final class Revocation: Sendable {
    private let state = Mutex(false)
    var isDone: Bool {
      get { state.withLock { $0 } }
      set { state.withLock { $0 = newValue } }
    }
  }

  @Test("S31: what is media is found out of the copy: its bringer changes the file whenever it likes")
  func swapped() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let outcome = await library.add(Brought(copied: Array("#!/bin/sh\n".utf8)))
    #expect(outcome.assets.isEmpty && outcome.failures.first?.error is LibraryInterface.NotMedia)
    #expect(content("photos/Saved/a.jpg") == nil)
  }

  @Test("S31: the name fits the copy, not what its bringer showed before")
  func swappedKind() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let film: [UInt8] = [0, 0, 0, 16] + Array("ftypqt  ".utf8)
    let outcome = await library.add(Brought(copied: film))
    #expect(outcome.assets.map(\.filename) == [FileName("a.jpg.mov")])
  }

  @Test("S43, S47: `saveTo` is made part by part, and a symbolic link on the way is not followed")
  func nested() async throws {
    let path = directory.path
    mkdir("\(path)/outside", 0o755)
    try #require(symlink("../outside", "\(path)/photos/Link") == 0)
    let library = try await EventLoopActor.run { try Library(path, saveTo: "In/Here") }
    let added = await library.add(Brought()).assets.count
    #expect(added == 1 && content("photos/In/Here/a.jpg") == Self.jpeg)
    let other = await EventLoopActor.run {
      AssetAdder(
        monitor: library.monitor, renderer: library.renderer, saveTo: "Link/Here", limit: 1 << 20,
        room: StateRoom(directory: path, reserveBytes: 0))
    }
    let failures = await other.add(
      [.init(fileDescriptor: 0, filename: "a.jpg")], Brought(), for: 1000, to: nil, share: nil,
      allow: nobodyAsked
    ) { _ in }.failures.count
    #expect(failures == 1 && access("\(path)/outside/Here", F_OK) != 0)
  }

  private static func app(_ id: String, uid: UInt32 = 1000) -> PeerIdentity {
    PeerIdentity(
      appID: id, uid: uid, evidence: .init(.flatpak, id), isVerified: true, manifest: nil,
      manifestFile: "\(id).yaml")
  }

  @Test(
    "an app adds so many bytes and files within a day, all the apps of a user four times as many; then it waits"
  )
  func perDay() async throws {
    try await EventLoopActor.run {
      let clock = TestClock()
      let size = Int64(Self.jpeg.count)
      let additions = DailyAdditions(.init(bytes: Int(size) * 2 + 1, files: 1000), accountable: { $0 % 1000 })
      { clock.now }
      let share = additions.share(of: Self.app("org.example.One"))
      for _ in 0..<2 { try share.take(bytes: size, files: 1) }
      #expect(try share.left() == 1)
      #expect(throws: AuthorizationInterface.Throttled.self) { try share.take(bytes: 2, files: 1) }
      // Another user id of the same user is that user.
      for number in 2...4 {
        try additions.share(of: Self.app("org.example.\(number)", uid: 2000)).take(bytes: size * 2, files: 1)
      }
      #expect(throws: AuthorizationInterface.Throttled.self) {
        try additions.share(of: Self.app("org.example.Five", uid: 3000)).take(bytes: size, files: 1)
      }
      try additions.share(of: Self.app("org.example.One", uid: 1001)).take(bytes: size, files: 1)
      #expect(share.isOver.retryAfterSeconds <= 86_400)
      clock.now += 86_400_000_000
      #expect(try share.left() == size * 2 + 1)
      try share.take(bytes: 1, files: 1)
      #expect(additions.count == 2, "days that are over are forgotten")
      let few = DailyAdditions(.init(bytes: 1 << 30, files: 2), accountable: { $0 }).share(
        of: Self.app("a.b.C"))
      try few.take(bytes: 1, files: 2)
      #expect(throws: AuthorizationInterface.Throttled.self) { try few.left() }
    }
  }

  @Test("what is more than an app may add within a day is not added, and the library does not have it")
  func beyondTheDay() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let share = await EventLoopActor.run {
      DailyAdditions(.init(bytes: Self.jpeg.count + 1, files: 9), accountable: { $0 })
        .share(of: Self.app("org.example.One"))
    }
    #expect(await library.add(Brought(), share: share).assets.count == 1)
    let more = await library.add(Brought(), share: share)
    #expect(more.assets.isEmpty && more.failures.first?.error is AuthorizationInterface.Throttled)
    #expect(content("photos/Saved/a (2).jpg") == nil)
    // An owner's additions are nobody's share.
    #expect(await library.add(Brought()).assets.count == 1)
  }

  @Test("S27: an app's share of a journal is a tenth, and of a short one still enough to do anything")
  func shareOfJournal() {
    let shares = [1, 999, 1000, 5000].map { DailyAdditions.Limit.changes(ofJournal: $0).files }
    #expect(shares == [100, 100, 100, 500])
  }

  @Test("S31: of an item with many sidecars no more is written than the day allows, and one file")
  func sidecarsBeyondTheDay() async throws {
    let path = directory.path
    let library = try await EventLoopActor.run { try Library(path, saveTo: "Saved") }
    let share = await EventLoopActor.run {
      DailyAdditions(.init(bytes: 3 * Self.jpeg.count, files: 99), accountable: { $0 })
        .share(of: Self.app("org.example.One"))
    }
    let files = Brought()
    let outcome = await library.add(
      files, sidecars: ["xmp", "XMP", "Xmp", "aae", "AAE", "thm", "jpg.xmp"], share: share)
    #expect(outcome.failures.first?.error is AuthorizationInterface.Throttled)
    #expect(await files.count == 4)
    #expect(entries(of: "\(path)/photos/Saved").isEmpty)
  }

  @Test("R6: behind a hundred copies of one user, another waits at the disk for a single step of one")
  func turns() async throws {
    let library = try await EventLoopActor.run { try Library(directory.path, saveTo: "Saved") }
    let (order, done) = AsyncStream<UInt32>.makeStream()
    // Nothing runs until everything was given.
    let gate = DispatchSemaphore(value: 0)
    await EventLoopActor.run {
      let disks = DiskThreads(library.monitor.contents)
      let place = DirectoryID(of: library.monitor.state.roots[0].id)
      Task.onLoopNow { _ = try? await disks[place, for: 1].run { gate.wait() } }
      for user in [UInt32](repeating: 1, count: 100) + [2] {
        Task.onLoopNow { _ = try? await disks[place, for: user].run { done.yield(user) } }
      }
    }
    // Each of them has come so far.
    await Task.onLoop { for _ in 0..<8 { await EventLoopActor.giveWay() } }.value
    gate.signal()
    var all: [UInt32] = []
    for await user in order {
      all.append(user)
      if all.count == 101 { break }
    }
    #expect(all.prefix(2).contains(2))
  }

  @Test("what was copied of a file that hangs at its end takes no room, whoever still has it open")
  @EventLoopActor
  func hangs() async throws {
    let library = try Library(directory.path, saveTo: "Saved")
    let share = DailyAdditions(.init(bytes: 1 << 20, files: 9), accountable: { $0 })
      .share(of: Self.app("org.example.One"))
    let files = Brought()
    files.hangs = true
    let outcome = await library.add(files, share: share)
    #expect(outcome.failures.first?.error is LibraryInterface.InvalidFileDescriptor)
    var facts = stat()
    try #require(files.hanging >= 0 && fstat(files.hanging, &facts) == 0)
    #expect(facts.st_size == 0 && facts.st_blocks == 0)
    #expect(share.free == 1 << 20)
    // And it is not there under a name either, however late something is written.
    #expect(pwrite(files.hanging, Self.jpeg, Self.jpeg.count, 0) == Self.jpeg.count)
    #expect(entries(of: "\(directory.path)/photos/Saved").isEmpty)
    close(files.hanging)
  }

  @Test("what is being copied is nobody else's: copies at a time have together what is left of the day")
  @EventLoopActor
  func together() async throws {
    let library = try Library(directory.path, saveTo: "Saved")
    let disk = DiskThreads(library.monitor.contents)[
      DirectoryID(of: library.monitor.state.roots[0].id), for: 1000]
    let step = PeerFiles.stepBytes
    let share = DailyAdditions(.init(bytes: Int(step) * 5, files: 99), accountable: { $0 })
      .share(of: Self.app("org.example.One"))
    func growing() throws -> GrowingCopies {
      try GrowingCopies(share: share, room: StateRoom(directory: "/", reserveBytes: 0), limit: 1 << 30)
    }
    let (one, other) = (try growing(), try growing())
    #expect(one.begin(on: disk) == 5 * step && share.free == 4 * step)
    #expect(other.begin(on: disk) == 4 * step && other.isBoundByDay && share.free == 3 * step)
    #expect(one.goesOn(step) && one.goesOn(2 * step) && share.free == step)
    #expect(other.goesOn(step) && share.free == 0)
    // Nothing is left: neither goes on, and nobody else begins.
    #expect(!one.goesOn(3 * step) && !other.goesOn(2 * step))
    #expect(one.stopped("a").code == .tooLarge && one.isBoundByDay)
    #expect(share.isOver.retryAfterSeconds < 60)
    #expect(throws: AuthorizationInterface.Throttled.self) { _ = try growing() }
    // What fails gives all back, and what is whole the rest.
    one.end()
    one.end()
    #expect(share.free == 3 * step && !one.goesOn(1) && share.free == 3 * step)
    try other.filled(10, "b")
    #expect(share.free == 5 * step - 10)
    #expect(other.begin(most: 7, on: disk) == 7 && !other.isBoundByDay)
    other.end()
    try share.take(bytes: 10, files: 1)
    #expect(share.free == 5 * step - 10)
    // Alone, one has all that is left, to the last byte.
    let last = try growing()
    #expect(last.begin(on: disk) == 5 * step - 10)
    for count in 1...4 { #expect(last.goesOn(Int64(count) * step)) }
    try last.filled(5 * step - 10, "c")
    last.end()
  }

  @Test("where the state's disk has no more room, a copy ends while it grows")
  @EventLoopActor
  func noMoreRoom() async throws {
    let library = try Library(directory.path, saveTo: "Saved")
    let disk = DiskThreads(library.monitor.contents)[
      DirectoryID(of: library.monitor.state.roots[0].id), for: 1000]
    let growing = try GrowingCopies(
      share: nil, room: StateRoom(directory: directory.path, reserveBytes: .max), limit: 1 << 40)
    #expect(growing.begin(on: disk) == 1 << 40)
    while growing.goesOn(1) { await EventLoopActor.giveWay() }
    #expect(growing.stopped("a").code == .noSpace)
  }
}
