import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import Linux
import LoopTesting
import Storage
import TestSupport
import Testing

@testable import AlbumDaemon

@Suite("The hasher", .timeLimit(.minutes(30))) struct HasherTests {
  private let directory: TemporaryDirectory

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  @EventLoopActor
  private final class Library: LibraryObserver {
    let photos: PhotoLibrary
    private(set) var hasher: Hasher?
    var isBehind = false
    private(set) var changes: [Change] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ path: String, roots: [String] = ["photos"], _ photos: [String]) throws {
      self.photos = try PhotoLibrary(path, roots: roots, photos)
      hasher = Hasher(
        library: self.photos.monitor, store: self.photos.store, settlesAfter: .milliseconds(10),
        settlesUnsureAfter: .milliseconds(10), patience: .milliseconds(200)
      ) { [unowned self] in isBehind }
    }

    func start() throws {
      try photos.monitor.start(telling: self)
      hasher?.start()
    }

    func libraryChanged(_ entries: [PlacedChange]) {
      changes += entries.compactMap(\.change)
      hasher?.libraryChanged(entries)
      resume()
    }

    func libraryStateChanged(_ state: LibraryState) {
      hasher?.libraryStateChanged()
      resume()
    }

    private func resume() {
      let all = waiting
      waiting = []
      for continuation in all { continuation.resume() }
    }

    func until(_ condition: (Library) throws -> Bool) async rethrows {
      while try !condition(self) { await withCheckedContinuation { waiting.append($0) } }
    }

    func hash(_ name: String) throws -> String? { try photos.asset(name).contentHash?.text }

    isolated deinit {
      hasher?.stop()
      photos.monitor.stop()
    }
  }

  /// Of `other`.
  private static let other = "sha256:d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"

  private static func write(_ text: String, to path: String) throws {
    let file = try OwnedDescriptor(open(path, O_WRONLY | O_TRUNC | O_CLOEXEC), call: "open")
    try #require(Glibc.write(file.number, text, text.utf8.count) == text.utf8.count)
  }

  /// The loop does what there is to do.
  @EventLoopActor
  private static func turn() async {
    await withCheckedContinuation { continuation in EventLoopActor.afterReturn { continuation.resume() } }
  }

  @Test("S96: all that is there is hashed behind, and told as changed; a restart goes on where it was")
  func hashed() async throws { try await hashed(directory.path) }

  @EventLoopActor
  private func hashed(_ path: String) async throws {
    do {
      let library = try Library(path, ["1.jpg", "2.jpg", "3.jpg"].map { "photos/\($0)" })
      try library.start()
      await library.until {
        $0.photos.monitor.state.summary == .ready && $0.photos.store.hashed.unhashedCount == 0
      }
      #expect(library.changes.map(\.operation) == Array(repeating: .changed(content: false), count: 3))
      #expect(Set(try ["1.jpg", "2.jpg", "3.jpg"].compactMap { try library.hash($0) }).count == 3)
    }
    let again = try Library(path, ["photos/4.jpg"])
    try again.start()
    await again.until {
      $0.photos.monitor.state.summary == .ready && $0.photos.store.hashed.unhashedCount == 0
    }
    #expect(again.changes.map(\.operation) == [.inserted, .changed(content: false)], "nothing is read twice")
  }

  @Test("S96: what changes is hashed again, and what is renamed is not")
  func changed() async throws { try await changed(directory.path) }

  @EventLoopActor
  private func changed(_ path: String) async throws {
    let library = try Library(path, ["photos/1.jpg"])
    try library.start()
    try await library.until { try $0.photos.monitor.state.summary == .ready && $0.hash("1.jpg") != nil }
    let first = try library.hash("1.jpg")
    #expect(rename("\(path)/photos/1.jpg", "\(path)/photos/2.jpg") == 0)
    try await library.until {
      try $0.photos.store.files.asset(AssetID(rawValue: 1))?.filename == FileName("2.jpg")
    }
    #expect(try library.hash("2.jpg") == first)
    try Self.write("other", to: "\(path)/photos/2.jpg")
    try await library.until { try $0.hash("2.jpg") == Self.other }
    #expect(
      library.changes.suffix(2).map(\.operation) == [.changed(content: true), .changed(content: false)])
  }

  @Test("S96: while what comes before it is done, nothing is hashed")
  func behind() async throws { try await behind(directory.path) }

  @EventLoopActor
  private func behind(_ path: String) async throws {
    let library = try Library(path, ["photos/1.jpg"])
    library.isBehind = true
    try library.start()
    await library.until { $0.photos.monitor.state.summary == .ready }
    #expect(library.photos.store.hashed.unhashedCount == 1)
    library.isBehind = false
    await library.until { $0.photos.store.hashed.unhashedCount == 0 }
  }

  @Test("S96: a file that is mostly holes is not read, and others have their turn")
  func sparse() async throws { try await sparse(directory.path) }

  @EventLoopActor
  private func sparse(_ path: String) async throws {
    let library = try Library(path, ["photos/1.jpg", "photos/2.mp4"])
    try #require(truncate("\(path)/photos/2.mp4", 1 << 41) == 0)
    try library.start()
    await library.until { $0.photos.monitor.state.summary == .ready }
    // Of the one that is not hashed nothing is told.
    while library.photos.store.hashed.unhashedCount > 0 { await Self.turn() }
    #expect(try library.hash("1.jpg") != nil && library.hash("2.mp4") == nil)
    #expect(library.changes.count == 1)
  }

  @Test(
    "S41, S96: a root that hangs while a file of it is read keeps nobody waiting, and is gone on with when it answers",
    .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
  func hangs() async throws { try await hangs(directory.path) }

  @EventLoopActor
  private func hangs(_ path: String) async throws {
    mkdir("\(path)/slow", 0o755)
    let slow = try HangingFileSystem(at: "\(path)/slow", ["X/1.jpg"])
    let library = try Library(path, roots: ["photos", "slow"], [])
    slow.keep(.read)
    try library.start()
    await library.until { $0.photos.monitor.state.summary == .ready }
    // What is in the other root comes before it, or behind it, and has its hash all the same.
    for name in ["a.jpg", "b.jpg"] {
      let file = try OwnedDescriptor(
        open("\(path)/photos/\(name)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o644), call: "open")
      try #require(Glibc.write(file.number, name, name.utf8.count) == name.utf8.count)
    }
    await library.until {
      $0.photos.store.files.assetCount == 3 && $0.photos.store.hashed.unhashedCount == 1
    }
    #expect(try library.hash("1.jpg") == nil)
    slow.answer()
    try await library.until { try $0.hash("1.jpg") != nil }
  }
}
