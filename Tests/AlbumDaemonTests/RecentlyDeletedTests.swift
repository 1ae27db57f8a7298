import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Logging
import LoopTesting
import Storage
import Testing
import TestSupport

@testable import AlbumDaemon

@Suite("What was deleted, and its days (S33)", .timeLimit(.minutes(30)))
struct RecentlyDeletedTests {
  private static let day: Int64 = 86_400
  private let directory: TemporaryDirectory

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  @Test("S33: removed for good when its days are over, not a second before; then the next")
  func due() async throws { try await due(directory.path) }

  @EventLoopActor
  private func due(_ path: String) async throws {
    let library = try await DeletingLibrary(path, roots: ["photos"], ["photos/a.jpg", "photos/b.jpg"])
    let a = try await library.delete("a.jpg", at: 1000)
    let b = try await library.delete("b.jpg", at: 1000 + 3 * Self.day)
    library.clock.now = 999 + 30 * Self.day
    library.deleted.libraryChanged()
    #expect(library.clock.waits == 1)
    #expect(try library.kept() == [a, b] && library.files(of: "photos") == 2)

    library.clock.pass(seconds: 1)
    await library.clock.untilWaiting()
    #expect(try library.kept() == [b] && library.files(of: "photos") == 1)
    // A day at most is slept at a time.
    for _ in 0..<2 {
      #expect(library.clock.waits == Self.day)
      library.clock.pass(seconds: Self.day)
      await library.clock.untilWaiting()
      #expect(try library.kept() == [b])
    }
    library.clock.pass(seconds: Self.day)
    while try !library.store.deleted.all().isEmpty { await Task.yield() }
    #expect(library.files(of: "photos") == 0)
    library.monitor.stop()
  }

  @Test("S33: the first deletion begins to wait; a clock that is set back removes nothing")
  func waits() async throws { try await waits(directory.path) }

  @EventLoopActor
  private func waits(_ path: String) async throws {
    let library = try await DeletingLibrary(path, roots: ["photos"], ["photos/a.jpg"])
    library.deleted.libraryChanged()
    #expect(library.clock.waits == nil)
    let id = try library.id("a.jpg")
    #expect(await library.remover.delete([id], by: nil, for: 1, mayBegin: { _ in }).deleted == [id])
    #expect(library.clock.waits == Self.day)
    library.clock.now = 5
    library.clock.pass(seconds: Self.day)
    await library.clock.untilWaiting()
    #expect(try library.clock.waits == Self.day && library.kept() == [id])
    library.monitor.stop()
  }

  @Test("S33, S41: what cannot be removed while its root is away is not in the way of the rest")
  func offline() async throws { try await offline(directory.path) }

  @EventLoopActor
  private func offline(_ path: String) async throws {
    let library = try await DeletingLibrary(path, roots: ["one", "two"], ["one/a.jpg", "two/b.jpg"])
    let a = try await library.delete("a.jpg", at: 1000)
    _ = try await library.delete("b.jpg", at: 1001)
    library.clock.now = 1001 + 30 * Self.day
    try #require(rename("\(path)/one", "\(path)/away") == 0)
    await library.until { $0 != .ready }
    library.deleted.libraryChanged()
    await library.clock.untilWaiting()
    #expect(try library.store.deleted.all().map(\.id) == [a] && library.files(of: "two") == 0)
    #expect(library.clock.waits == Self.day && library.files(of: "away") == 1)

    try #require(rename("\(path)/away", "\(path)/one") == 0)
    library.monitor.rescan()
    await library.until { $0 == .ready }
    library.deleted.libraryChanged()
    while try !library.store.deleted.all().isEmpty { await Task.yield() }
    #expect(library.files(of: "one") == 0)
    library.monitor.stop()
  }

  @Test("S33: read in pages, oldest first, each in a turn of its own, whatever goes meanwhile")
  func pages() async throws { try await pages(directory.path) }

  @EventLoopActor
  private func pages(_ path: String) async throws {
    let names = (0..<2 * RecentlyDeleted.page).map { "\(1000 + $0).jpg" }
    let library = try await DeletingLibrary(path, roots: ["photos"], names.map { "photos/\($0)" })
    // The last ones first: the order is that of their times, and of their ids where those are the same.
    for (number, name) in names.enumerated().reversed() {
      _ = try await library.delete(name, at: Int64(number / 3))
    }
    var turns = 0
    let others = Task { @EventLoopActor in
      while !Task.isCancelled {
        turns += 1
        await EventLoopActor.giveWay()
      }
    }
    var (seen, pages): ([DeletedAsset], [Int]) = ([], [])
    try await library.deleted.forEachPage { page, isLast in
      if pages.isEmpty { _ = try await library.deleted.purge(page[0], mayBegin: nobodyAsked) }
      #expect(isLast == (pages.count == 1) && turns >= pages.count)
      seen += page
      pages.append(page.count)
      turns = 0
      return true
    }
    others.cancel()
    #expect(pages == [RecentlyDeleted.page, RecentlyDeleted.page])
    #expect(seen.map(\.deleted) == seen.map(\.deleted).sorted() && Set(seen.map(\.id)).count == names.count)
    #expect(try library.kept().count == names.count - 1)
    // Who has heard enough gets no more.
    try await library.deleted.forEachPage { page, isLast in
      #expect(page.count == RecentlyDeleted.page && !isLast)
      return false
    }
    library.monitor.stop()
  }
}

/// A library of some photos, and days that pass as a test likes.
@EventLoopActor
private final class DeletingLibrary {
  let remover: AssetRemover
  let deleted: RecentlyDeleted
  let clock = FakeClock()
  private let library: PhotoLibrary
  private let path: String

  init(_ path: String, roots: [String], _ photos: [String]) async throws {
    self.path = path
    library = try PhotoLibrary(path, roots: roots, photos)
    let (store, monitor) = (library.store, library.monitor)
    let index = IndexSync(monitor: monitor, store: store)
    deleted = RecentlyDeleted(
      monitor: monitor, index: index, keepDays: 30, log: Logger(label: "test"), clock: clock)
    remover = AssetRemover(
      monitor: monitor, store: store, limit: 1 << 20, room: .unlimited, index: index,
      recentlyDeleted: deleted)
    try await library.start()
  }

  var store: LibraryStore { library.store }
  var monitor: LibraryMonitor { library.monitor }

  func until(_ condition: (LibraryState.Summary) -> Bool) async { await library.until(condition) }

  func id(_ name: String) throws -> AssetID { try library.asset(name).id }

  func delete(_ name: String, at time: Int64) async throws -> AssetID {
    let asset = try library.asset(name)
    try await monitor.edits.deletions.carryOut(
      monitor.edits.deletions.record(asset, by: nil, at: time), mayBegin: nobodyAsked)
    return asset.id
  }

  func kept() throws -> [AssetID] { try store.deleted.all().filter { $0.state == .deleted }.map(\.id) }

  /// How many files rest in a root.
  func files(of root: String) -> Int { entries(of: "\(path)/\(root)/.albumd-deleted").count }
}

/// Rings when a test lets time pass.
@EventLoopActor
private final class FakeClock: DeletionClock {
  var now: Int64 = 0
  private var ring: @EventLoopActor () -> Void = {}
  private(set) var waits: Int64?
  private var waiting: CheckedContinuation<Void, Never>?
  var isWaiting: Bool { waits != nil }

  nonisolated init() {}

  func time(_ seconds: Int64, after time: Int64) -> Int64 { time + seconds }
  func end() {}

  func wait(seconds: Int64, _ ring: @escaping @EventLoopActor () -> Void) {
    waits = seconds
    self.ring = ring
    waiting?.resume()
    waiting = nil
  }

  func untilWaiting() async {
    if waits == nil { await withCheckedContinuation { waiting = $0 } }
  }

  func stopWaiting() { waits = nil }

  func pass(seconds: Int64) {
    now += seconds
    guard let due = waits else { return }
    waits = due > seconds ? due - seconds : nil
    if waits == nil { ring() }
  }
}
