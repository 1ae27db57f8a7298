import Authorization
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import Logging
import LoopTesting
import Storage
import Synchronization
import Testing
import TestSupport

@testable import AlbumDaemon

@Suite("What apps see, when it cannot be written down", .timeLimit(.minutes(30)))
struct ViewJournalTests {
  init() {
    LoopThread.start()
  }

  @Test("S16, S22: without room for the journal the registry decides, and the app fetches anew afterwards")
  func limited() async throws {
    let directory = try TemporaryDirectory()
    try await limited(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func limited(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    await library.set(.limited)
    await library.select([a])
    #expect(try library.views.viewer(of: library.key)?.view.assets == [a])
    let place = library.store.place

    try library.block()
    await library.select([b])
    #expect(throws: (any Error).self) { try library.views.viewer(of: library.key) }
    // Asked for again, it is tried again, in vain.
    for _ in 0..<2 { #expect(library.views.limitedView(of: library.key).assets == [b]) }
    #expect(throws: (any Error).self) { try library.views.viewer(of: library.key) }
    #expect(library.store.place == place)

    try await library.unblock()
    #expect(throws: (any Error).self) { try library.views.viewer(of: library.key) }
    #expect(library.views.limitedView(of: library.key).assets == [b])
    #expect(try library.views.viewer(of: library.key)?.view.assets == [b])
    #expect(try library.steps(after: place) == [.reset])
    // From here on it is told what changes.
    let next = library.store.place
    await library.select([a, b])
    #expect(try library.steps(after: next) == [.asset(a, isSelected: true)])
    library.end()
  }

  @Test("S16, S29: what was taken away counts for the next look, also before anybody was told of it")
  func untold() async throws {
    let directory = try TemporaryDirectory()
    try await untold(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func untold(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    await library.set(.limited)
    await library.select([a, b])
    library.unselect([b])
    // Who only asks writes nothing (S5).
    #expect(library.views.selectionCount(of: library.key, .limited) == 1)
    #expect(try library.views.viewer(of: library.key)?.view.assets == [a, b])
    #expect(library.views.limitedView(of: library.key).assets == [a])
    #expect(try library.views.viewer(of: library.key)?.view.assets == [a])
    library.end()
  }

  @Test("S29: an app that was let see everything meanwhile is served again when there is room again")
  func authorized() async throws {
    let directory = try TemporaryDirectory()
    try await authorized(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func authorized(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    await library.set(.limited)
    await library.select([try library.id("a.jpg")])
    let place = library.store.place
    try library.block()
    await library.set(.authorized)
    #expect(throws: StorageError.self) { try library.views.viewer(of: library.key) }
    #expect(library.views.fullView(of: library.key).seesEverything)
    try await library.unblock()
    #expect(library.views.fullView(of: library.key).seesEverything)
    #expect(try library.views.viewer(of: library.key)?.view == .everything)
    #expect(try library.steps(after: place) == [.reset])
    library.end()
  }

  @Test("S22: what could not be written for one app is written with what changes for all")
  func update() async throws {
    let directory = try TemporaryDirectory()
    try await update(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func update(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    let b = try library.id("b.jpg")
    await library.set(.limited)
    try library.block()
    await library.select([b])
    #expect(throws: StorageError.self) { try library.views.viewer(of: library.key) }
    try await library.unblock()
    library.views.update()
    #expect(try library.views.viewer(of: library.key)?.view.assets == [b])
    library.end()
  }

  @Test("S5: asking how much is selected writes nothing, and the log is told once that it cannot be counted")
  func count() async throws {
    let directory = try TemporaryDirectory()
    try await count(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func count(_ path: String) async throws {
    let lines = Lines()
    let library = try await ViewedLibrary(path, Logger(label: "test") { _ in lines })
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    func count() -> Int? { library.views.selectionCount(of: library.key, .limited) }
    await library.set(.limited)
    try library.block()
    await library.select([a, b])
    try await library.unblock()
    // It could be written now, and is by who reads.
    let place = library.store.place
    #expect(count() == 2 && library.store.place == place)
    #expect(throws: StorageError.self) { try library.views.viewer(of: library.key) }
    _ = library.views.limitedView(of: library.key)
    #expect(library.store.place > place)

    try library.store.settle()
    try execute("ALTER TABLE asset RENAME TO other", on: library.store.path)
    for _ in 0..<3 { #expect(count() == nil) }
    let told = { lines.told.withLock { $0.count { $0.contains("could not be counted") } } }
    #expect(told() == 1)
    try execute("ALTER TABLE other RENAME TO asset", on: library.store.path)
    #expect(count() == 2 && told() == 1)
    library.end()
  }

  @Test("S16: what happens to what is not selected for an app is no reason to count again")
  func concerned() async throws {
    let directory = try TemporaryDirectory()
    try await concerned(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func concerned(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    await library.set(.limited)
    await library.select([a])
    let start = library.store.place
    func mayCount(_ entry: JournalEntry) -> Bool {
      library.views.mayCount(library.key, otherwiseAfter: [.init(place: start, entry: entry)])
    }
    func removal(_ id: AssetID) -> JournalEntry {
      .change(Change(.asset(id), .removed, albumsBefore: [], albumsAfter: [], snapshot: nil))
    }
    #expect(mayCount(removal(b)), "it was not counted yet")
    #expect(library.views.selectionCount(of: library.key, .limited) == 1)
    #expect(!mayCount(removal(b)) && mayCount(removal(a)))
    library.end()
  }
}

@EventLoopActor
private final class UpdatesViews: NobodyElse {
  private let views: ViewJournal

  init(_ views: ViewJournal) { self.views = views }

  override func statusChanged(of key: RecordKey, from former: AuthorizationStatus?) { views.update(key) }
}

/// A library of two photos, an app, and a journal that can be kept from taking what is about apps.
@EventLoopActor
private final class ViewedLibrary {
  let views: ViewJournal
  let key = RecordKey(uid: 1000, appID: "org.example.One", accessLevel: .readWrite)
  private let library: PhotoLibrary
  private let center: AuthorizationCenter

  var store: LibraryStore { library.store }

  init(_ path: String, _ log: Logger = Logger(label: "test")) async throws {
    library = try PhotoLibrary(path, ["photos/a.jpg", "photos/b.jpg"])
    let (store, monitor) = (library.store, library.monitor)
    var views: ViewJournal?
    center = try makeCenter(try Registry(directory: path), try AccessLog(path)) { decisions in
      let journal = ViewJournal(decisions: decisions, monitor: monitor, store: store, log: log)
      views = journal
      return UpdatesViews(journal)
    }
    self.views = try #require(views)
    try await library.start()
  }

  func end() { library.monitor.stop() }

  func id(_ name: String) throws -> AssetID { try library.asset(name).id }

  func set(_ status: DecidedStatus) async { await center.decide(key, status) }

  func select(_ assets: [AssetID]) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      let selection = Selection(assets: Set(assets.map(store.ids.encode)))
      center.changeSelection(
        of: [key], by: [.replace(selection)], author: .init(.settings, uid: 0)
      ) { _ in continuation.resume() }
    }
  }

  /// Takes some away, and does not wait for anything.
  func unselect(_ assets: [AssetID]) {
    let selection = Selection(assets: Set(assets.map(store.ids.encode)))
    center.changeSelection(of: [key], by: [.remove(selection)], author: .init(.settings, uid: 0)) { _ in }
  }

  /// From now on nothing about what apps see can be written.
  func block() throws {
    try store.settle()
    try setRoomForViews(false, on: store.path)
  }

  /// Now it can, once the monitor has tried.
  func unblock() async throws {
    try store.settle()
    try setRoomForViews(true, on: store.path)
    await library.until { $0 == .ready }
  }

  /// What became of what the app sees.
  func steps(after place: Place) throws -> [ViewChange.Step] {
    guard case .changes(let entries) = try store.journal.changes(after: place, limit: 100) else { return [] }
    return entries.compactMap(\.viewChange?.step)
  }
}
