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
    #expect(library.count == 1)
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
    func count() -> Int? { library.count }
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

  @Test(
    "S22: of a selection that grows only what joined it is looked at; all of it where the two do not add up")
  func grows() async throws {
    let directory = try TemporaryDirectory()
    try await grows(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func grows(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    func seen() throws -> Set<AssetID>? { try library.views.viewer(of: library.key)?.view.assets }
    await library.set(.limited)
    await library.select([a])
    // Nothing but the journal writes what is seen. Whoever did would be found out by who compares everything.
    let other = AssetID(rawValue: 1_000_000)
    try library.show([other])
    await library.add([b])
    #expect(try seen() == [other, b], "what was there is not looked at")
    library.views.update()
    #expect(try seen() == [a, b])
    let start = library.store.place
    library.unselect([a])
    await library.add([a])
    #expect(try seen() == [a, b])
    #expect(
      try library.steps(after: start).allSatisfy {
        $0 == .asset(a, isSelected: false) || $0 == .asset(a, isSelected: true)
      })
    try library.show([a, b, other])
    await library.add([b])
    #expect(try seen() == [a, b], "one too many")
    library.end()
  }

  @Test(
    "S16, S22: whatever is decided and selected, and however fast, what is seen is what the registry says",
    arguments: 0..<8)
  func anything(_ seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    try await anything(directory.path, seed)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func anything(_ path: String, _ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let library = try await ViewedLibrary(path)
    let ids = [try library.id("a.jpg"), try library.id("b.jpg"), AssetID(rawValue: 7), AssetID(rawValue: 8)]
    await library.set(.limited)
    for _ in 0..<60 {
      let some = ids.filter { _ in Bool.random(using: &random) }
      switch Int.random(in: 0..<12, using: &random) {
      case 0: await library.select(some)
      case 1...4: await library.add(some)
      case 5, 6: library.unselect(some)
      case 7, 8: library.addSoon(some)
      case 9:
        library.unselect(some)
        library.addSoon(some)
      case 10: await library.set(Bool.random(using: &random) ? .authorized : .denied)
      default: await library.set(.limited)
      }
      guard Bool.random(using: &random) else { continue }
      await library.set(.limited)
      #expect(try library.views.viewer(of: library.key)?.view.assets == library.selected)
      #expect(library.count == library.selected.intersection(ids[..<2]).count)
    }
    library.end()
  }

  @Test("R6, S16: of a large selection a thousand are looked at in a turn, once")
  func large() async throws {
    let directory = try TemporaryDirectory()
    try await large(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func large(_ path: String) async throws {
    let library = try await ViewedLibrary(path)
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    await library.set(.limited)
    await library.select([a, b] + Self.gone)
    let told = (0..<4).map { _ in library.counting }
    #expect(told == [.underway, .underway, .counted(2), .counted(2)])
    // What joins it is all that is looked at.
    await library.select([a] + Self.gone)
    #expect(library.counting == .counted(1))
    library.end()
  }

  @Test(
    "R6, S16, S19: where an album is hidden two hundred are looked at in a turn, and what is in it is not counted"
  )
  func shared() async throws {
    let directory = try TemporaryDirectory()
    mkdir("\(directory.path)/photos", 0o755)
    mkdir("\(directory.path)/photos/Family", 0o755)
    try await shared(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func shared(_ path: String) async throws {
    let library = try await ViewedLibrary(path, photos: ["photos/a.jpg", "photos/Family/b.jpg"])
    let (a, b) = (try library.id("a.jpg"), try library.id("b.jpg"))
    await library.set(.limited)
    await library.select([a, b] + Self.gone.prefix(450))
    #expect(library.count == 2)
    try library.share("Family")
    let told = (0..<3).map { _ in library.counting }
    #expect(told == [.underway, .underway, .counted(1)])
    library.end()
  }

  /// What is selected and has left the library.
  private static let gone = (1000..<3500).map { AssetID(rawValue: $0) }

  @Test(
    "R6, S16, S22: while a large selection is counted, whatever is selected or not any more counts as it is then",
    arguments: 0..<4)
  func changing(_ seed: UInt64) async throws {
    let directory = try TemporaryDirectory()
    try await changing(directory.path, seed)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func changing(_ path: String, _ seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let library = try await ViewedLibrary(path)
    let ids = [try library.id("a.jpg"), try library.id("b.jpg")]
    await library.set(.limited)
    await library.select(ids + Self.gone)
    for _ in 0..<8 {
      // From then on it is counted anew.
      await library.set(.authorized)
      await library.set(.limited)
      while library.counting == .underway {
        let some = ids.filter { _ in Bool.random(using: &random) }
        if Bool.random(using: &random) { await library.add(some) } else { await library.remove(some) }
      }
      #expect(library.count == library.selected.intersection(ids).count)
    }
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
    #expect(library.count == 1)
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
  private let path: String
  private let library: PhotoLibrary
  private let center: AuthorizationCenter

  var store: LibraryStore { library.store }

  init(
    _ path: String, _ log: Logger = Logger(label: "test"),
    photos: [String] = ["photos/a.jpg", "photos/b.jpg"]
  ) async throws {
    self.path = path
    library = try PhotoLibrary(path, photos)
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

  func add(_ assets: [AssetID]) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      change(.add(selection(assets))) { continuation.resume() }
    }
  }

  func remove(_ assets: [AssetID]) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      change(.remove(selection(assets))) { continuation.resume() }
    }
  }

  /// What of it is seen, as far as that is counted by now.
  var counting: SelectionCount { views.selectionCount(of: key, .limited) }

  /// The same, of what is counted at once.
  var count: Int? {
    guard case .counted(let count) = counting else {
      Issue.record("it is still being counted")
      return nil
    }
    return count
  }

  /// Adds some, and does not wait for that.
  func addSoon(_ assets: [AssetID]) { change(.add(selection(assets))) {} }

  /// What the registry says.
  var selected: Set<AssetID> {
    Set(center.decisions.selection(of: key).assets.compactMap(store.ids.asset))
  }

  /// What nobody has decided.
  func show(_ assets: Set<AssetID>) throws {
    let key = ViewerKey(key.app)
    try library.monitor.edits.journal.changeViews {
      try $0.setView(of: key, to: .selection(assets: assets, albums: []), resets: false)
    }
  }

  private func selection(_ assets: [AssetID]) -> Selection {
    Selection(assets: Set(assets.map(store.ids.encode)))
  }

  private func change(_ change: SelectionChange, then: @escaping @EventLoopActor () -> Void) {
    center.changeSelection(of: [key], by: [change], author: .init(.settings, uid: 0)) { _ in then() }
  }

  /// Takes some away, and does not wait for anything.
  func unselect(_ assets: [AssetID]) {
    let selection = Selection(assets: Set(assets.map(store.ids.encode)))
    center.changeSelection(of: [key], by: [.remove(selection)], author: .init(.settings, uid: 0)) { _ in }
  }

  /// An album is hidden from apps that are limited.
  func share(_ album: String) throws { try library.monitor.reload(shared: ["\(path)/photos": [album]]) }

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
