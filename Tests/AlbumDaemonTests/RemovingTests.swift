import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Logging
import LoopTesting
import Storage
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("Deleting many", .timeLimit(.minutes(30)))
struct RemovingTests {
  init() {
    LoopThread.start()
  }

  @Test("others have their turn while a thousand assets are written down")
  @EventLoopActor
  func slices() async throws {
    let directory = try TemporaryDirectory()
    let root = "\(directory.path)/photos"
    mkdir(root, 0o755)
    for index in 0..<200 {
      let file = try OwnedDescriptor(
        open("\(root)/\(index).jpg", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), call: "open")
      try #require(write(file.number, "x", 1) == 1)
    }
    let store = try LibraryStore(path: "\(directory.path)/library.sqlite")
    let monitor = LibraryMonitor(database: store, roots: [LibraryRoot(path: root)])
    try monitor.start(telling: NoObserver())
    defer { monitor.stop() }
    // The suite's time limit is what ends a failure.
    while store.files.assetCount < 200 { await Task.yield() }
    let assets = try store.files.links(in: DirectoryID(of: RootID(rawValue: 1)), after: nil, limit: 1000)
    let index = IndexSync(monitor: monitor, store: store)
    let recentlyDeleted = RecentlyDeleted(
      monitor: monitor, index: index, keepDays: 30, log: Logger(label: "test"),
      clock: SystemDeletionClock(directory: directory.path, log: Logger(label: "test")))
    let remover = AssetRemover(
      monitor: monitor, store: store, limit: 1, room: .unlimited, index: index,
      recentlyDeleted: recentlyDeleted)
    let turns = Turns { try store.deleted.all().count }
    let (deleted, failure) = await remover.delete(assets.map(\.asset), by: nil, for: 1) { _ in }
    turns.end()
    #expect(deleted.count == 200 && failure == nil)
    #expect(1...64 ~= turns.largestStep, "written down between two turns of the loop")
  }
}

/// How much a number grows in one turn of the loop.
@EventLoopActor
private final class Turns {
  private(set) var largestStep = 0
  private var last = 0
  private var isOver = false
  private let count: @EventLoopActor () throws -> Int

  init(_ count: @escaping @EventLoopActor () throws -> Int) {
    self.count = count
    turn()
  }

  func end() { isOver = true }

  private func turn() {
    guard !isOver, let count = try? count() else { return }
    largestStep = max(largestStep, count - last)
    last = count
    Task { turn() }
  }
}
