import CLinux
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import LoopTesting
import Storage
import Synchronization
import Testing
import TestSupport

/// Runs the loop before anything waits for it.
struct RunningLoop: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    LoopThread.start()
    try await function()
  }
}

extension Trait where Self == RunningLoop {
  static var runningLoop: Self { RunningLoop() }
}

/// One of the few libraries that there may be at a time: each takes an inotify instance, of which a user has 128
/// (fs.inotify.max_user_instances), and time of the one loop, so that with many of them each would wait for long.
final class LibrarySlot: Sendable {
  private static let state = Mutex((free: 6, waiting: [CheckedContinuation<Void, Never>]()))

  private init() {}

  static func take() async -> LibrarySlot {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
    return LibrarySlot()
  }

  deinit {
    let next: CheckedContinuation<Void, Never>? = Self.state.withLock { state in
      if state.waiting.isEmpty {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

/// A library in a temporary directory, watched: `in` is the root, `out` lies outside.
@EventLoopActor
final class TestLibrary: LibraryObserver {
  nonisolated let base: String
  nonisolated var root: String { base + "/in" }
  nonisolated var outside: String { base + "/out" }
  private(set) var store: LibraryStore
  private(set) var monitor: LibraryMonitor
  private(set) var changes: [Change] = []
  /// The places of all that was told.
  private(set) var places: [Place] = []
  private(set) var batches = 0
  /// Called when something is told.
  var whenTold: @EventLoopActor () -> Void = {}
  /// What a failure should mention.
  var context = ""
  private var waiting: [CheckedContinuation<Void, Never>] = []
  private var slot: LibrarySlot?
  private let requiresMountPoint: Bool
  private let watchLimit: Int
  private let idleInterval: Duration
  private let blockDevices: String
  private var roots: [String]
  private var whenFilling: (@EventLoopActor (TestLibrary) throws -> Void)?

  /// Makes the directories, lets `prepare` fill them, and waits until the first scan is done.
  init(
    in directory: String, requiresMountPoint: Bool, watchLimit: Int, roots: [String], waits: Bool,
    pollInterval: Duration, idleInterval: Duration, blockDevices: String,
    whenFilling: (@EventLoopActor (TestLibrary) throws -> Void)?, prepare: (TestFiles) throws -> Void
  ) async throws {
    var template = Array("\(directory)/albumd-test-XXXXXX".utf8CString)
    let made = template.withUnsafeMutableBufferPointer {
      $0.baseAddress.flatMap { mkdtemp($0) }.map { String(cString: $0) } ?? ""
    }
    base = made
    let files = TestFiles(base: made)
    try files.directory("in")
    try files.directory("out")
    try prepare(files)
    self.requiresMountPoint = requiresMountPoint
    self.watchLimit = watchLimit
    self.idleInterval = idleInterval
    self.blockDevices = blockDevices
    self.roots = roots
    store = try LibraryStore(path: made + "/library.sqlite")
    monitor = LibraryMonitor(
      database: store,
      roots: roots.map { LibraryRoot(path: "\(made)/\($0)", requiresMountPoint: requiresMountPoint) },
      watchLimit: watchLimit, pollInterval: pollInterval, idleInterval: idleInterval,
      blockDevices: blockDevices)
    self.whenFilling = whenFilling
    try await begin(waits: waits)
  }

  /// Starts on the executor of the loop.
  ///
  /// - Parameters:
  ///   - roots: where the roots are, in the temporary directory.
  ///   - waits: whether the first scan is done when this returns.
  ///   - pollInterval: how often directories are compared that are not watched.
  ///   - idleInterval: how often it is compared while nothing happens: hardly ever, where a test is not about that.
  ///   - blockDevices: what the kernel says of block devices.
  ///   - whenFilling: called in the turn of the loop in which the first files are in the index.
  nonisolated static func make(
    in directory: String = "/tmp", requiresMountPoint: Bool = false, watchLimit: Int = .max,
    roots: [String] = ["in"], waits: Bool = true, pollInterval: Duration = .milliseconds(50),
    idleInterval: Duration = .seconds(3600),
    blockDevices: String = "/nowhere",
    prepare: @Sendable (TestFiles) throws -> Void = { _ in },
    whenFilling: (@EventLoopActor (TestLibrary) throws -> Void)? = nil
  ) async throws -> TestLibrary {
    let slot = await LibrarySlot.take()
    let library = try await TestLibrary(
      in: directory, requiresMountPoint: requiresMountPoint, watchLimit: watchLimit, roots: roots,
      waits: waits, pollInterval: pollInterval, idleInterval: idleInterval, blockDevices: blockDevices,
      whenFilling: whenFilling, prepare: prepare)
    await library.keep(slot)
    return library
  }

  private func keep(_ slot: LibrarySlot) {
    self.slot = slot
  }

  /// In every turn of the loop, as the listings come.
  private func lookWhetherFilling() {
    guard let body = whenFilling else { return }
    guard store.files.assetCount > 0 else {
      Task { lookWhetherFilling() }
      return
    }
    whenFilling = nil
    do { try body(self) } catch { Issue.record(error) }
  }

  private func begin(waits: Bool = true) async throws {
    try monitor.start(telling: self)
    lookWhetherFilling()
    if waits { await until { $0.monitor.state.summary != .scanning } }
  }

  /// Ends the monitor as a crash would, lets `meanwhile` change files, and starts anew, perhaps with other
  /// roots.
  func restart(roots: [String]? = nil, meanwhile: (TestFiles) throws -> Void) async throws {
    monitor.stop()
    try meanwhile(files)
    changes = []
    places = []
    self.roots = roots ?? self.roots
    store = try LibraryStore(path: base + "/library.sqlite")
    monitor = LibraryMonitor(
      database: store,
      roots: self.roots.map { LibraryRoot(path: "\(base)/\($0)", requiresMountPoint: requiresMountPoint) })
    try await begin()
  }

  /// Adds a file as an app does.
  func add(
    _ source: CInt, as name: String, in directory: DirectoryID = DirectoryID(of: RootID(rawValue: 1)),
    limit: Int64 = 100
  ) async throws -> Asset {
    let files = NewFiles(in: try await monitor.contents.open(directory, for: 1))
    try files.copy(source, as: FileName(name), limit: limit)
    let asset = try await monitor.edits.editor.add(files, as: FileName(name), in: directory)
    try files.sync()
    return asset
  }

  func libraryChanged(_ placed: [PlacedChange]) {
    whenTold()
    places += placed.map(\.place)
    changes += placed.compactMap(\.change)
    batches += 1
    wake()
  }

  func libraryStateChanged(_ state: LibraryState) { wake() }

  private func wake() {
    let all = waiting
    waiting = []
    for continuation in all { continuation.resume() }
  }

  /// Waits, from one report to the next, until a condition holds. One that never does is a failure of the
  /// test, not of the whole run.
  func until(
    _ condition: (TestLibrary) throws -> Bool, location: SourceLocation = #_sourceLocation
  ) async rethrows {
    var isOver = false
    let deadline = Timer { [unowned self] in
      isOver = true
      wake()
    }
    deadline.arm(after: .seconds(600))
    defer { deadline.disarm() }
    while try !condition(self) {
      if isOver {
        let state = monitor.state
        let difference = try? indexed().symmetricDifference(files.media(beneath: "in"))
        Issue.record(
          "waited in vain: \(context) \(state) \(monitor.statistics) differing: \(difference ?? [])",
          sourceLocation: location)
        return
      }
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  /// Waits until all that was done so far is known: one more file is made, and awaited.
  func settle(_ name: String = "sentinel-\(UInt32.random(in: 0...UInt32.max)).jpg") async throws {
    try files.put("in/\(name)")
    try await until { try $0.asset(name) != nil }
  }

  func end() {
    monitor.stop()
    files.remove("")
    slot = nil
  }

  nonisolated var files: TestFiles { TestFiles(base: base) }

  /// The directory at a path in a root, the first by default.
  func directory(_ path: String, root: Int32 = 1) -> DirectoryID? {
    var id = DirectoryID(of: RootID(rawValue: root))
    for name in path.split(separator: "/") {
      guard let child = monitor.contents.tree.child(Location(id, FileName(String(name)))) else { return nil }
      id = child.id
    }
    return id
  }

  /// The asset at a path in a root.
  func asset(_ path: String, root: Int32 = 1) throws -> Asset? {
    try link(path, root: root).flatMap { try store.files.asset($0.asset) }
  }

  /// The row for a path in a root.
  func link(_ path: String, root: Int32 = 1) throws -> Link? {
    let names = path.split(separator: "/").map(String.init)
    guard let directory = directory(names.dropLast().joined(separator: "/"), root: root) else { return nil }
    return try store.files.link(at: Location(directory, FileName(names.last ?? "")))
  }

  /// What happened to an asset since the start, or the last ``forget()``.
  func operations(_ id: AssetID?) -> [Change.Operation] {
    changes.filter { change in id.map { change.subject == .asset($0) } ?? false }.map(\.operation)
  }

  func forget() {
    changes = []
  }

  /// The paths of all albums, beneath the root.
  var paths: [String] {
    monitor.contents.tree.all.filter { !$0.id.isRoot }.map { node in
      monitor.contents.tree.path(of: node.id)?.map(\.description).joined(separator: "/") ?? "?"
    }
  }

  /// The paths of everything in the index, beneath the root.
  func indexed() throws -> Set<String> {
    var found: Set<String> = []
    for node in monitor.contents.tree.all {
      let path = monitor.contents.tree.path(of: node.id)?.map(\.description) ?? ["?"]
      for link in try store.files.links(in: node.id, after: nil, limit: 1_000_000) {
        found.insert((path + [link.location.name.description]).joined(separator: "/"))
      }
    }
    return found
  }
}

/// Why the library did not do something; `nil` where it did, or failed otherwise.
@EventLoopActor
func failure(_ body: @EventLoopActor () async throws -> Void) async -> LibraryFileError.Code? {
  do { try await body() } catch { return (error as? LibraryFileError)?.code }
  return nil
}

/// The same of what is done at once.
func failure(_ body: () throws -> Void) -> LibraryFileError.Code? {
  do { try body() } catch { return (error as? LibraryFileError)?.code }
  return nil
}

/// Files beneath a temporary directory; what fails fails the test.
struct TestFiles: Sendable {
  let base: String

  struct Failure: Error {
    let call: String
    let code: CInt
  }

  private func check(_ result: CInt, _ call: String) throws {
    if result < 0 { throw Failure(call: call, code: errno) }
  }

  func put(_ path: String, _ content: String = "x") throws {
    try writeWhole("\(base)/\(path)", content.utf8)
  }

  /// Opens for writing, and leaves open.
  func open(_ path: String) throws -> CInt {
    let file = Glibc.open("\(base)/\(path)", O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    try check(file, "open \(path)")
    return file
  }

  func directory(_ path: String) throws {
    var made = base
    for name in path.split(separator: "/") {
      made += "/\(name)"
      if mkdir(made, 0o755) < 0, errno != EEXIST { try check(-1, "mkdir \(path)") }
    }
  }

  func move(_ from: String, _ to: String) throws {
    try check(Glibc.rename("\(base)/\(from)", "\(base)/\(to)"), "rename \(from)")
  }

  func exchange(_ one: String, _ other: String) throws {
    try check(linux_rename(AT_FDCWD, "\(base)/\(one)", AT_FDCWD, "\(base)/\(other)", 2), "renameat2")
  }

  func link(_ from: String, _ to: String) throws {
    try check(Glibc.link("\(base)/\(from)", "\(base)/\(to)"), "link \(from)")
  }

  func symlink(_ target: String, _ path: String) throws {
    try check(Glibc.symlink("\(base)/\(target)", "\(base)/\(path)"), "symlink")
  }

  func unlink(_ path: String) throws {
    try check(Glibc.unlink("\(base)/\(path)"), "unlink \(path)")
  }

  /// Removes a directory and all in it.
  func remove(_ path: String) {
    let full = path.isEmpty ? base : "\(base)/\(path)"
    for name in entries(of: full) {
      let child = path.isEmpty ? name : "\(path)/\(name)"
      if Glibc.unlink("\(base)/\(child)") < 0 { remove(child) }
    }
    rmdir(full)
  }
}
