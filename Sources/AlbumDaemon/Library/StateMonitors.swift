internal import AlbumAPI
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import VarlinkServer
internal import Words

/// The callers of `Library.MonitorState`: told how the library is when that is otherwise than they were last told (S98).
///
/// A slow one is told later, once, of how it is by then.
@EventLoopActor
final class StateMonitors {
  private typealias Reply = LibraryInterface.MonitorState.Reply

  private final class Monitor {
    let call: ServerCall
    var told: Reply?
    var isWaiting = false

    init(_ call: ServerCall) { self.call = call }
  }

  private let library: LibraryMonitor
  private let store: any LibraryReading
  private let access: LibraryAccess
  private var monitors: [ObjectIdentifier: Monitor] = [:]
  /// Armed while there is a scan, and somebody who listens.
  private lazy var progress = Timer { [unowned self] in
    tellAll()
    armWhileScanning()
  }
  private static let interval = Duration.milliseconds(500)

  init(library: LibraryMonitor, store: any LibraryReading, access: LibraryAccess) {
    self.library = library
    self.store = store
    self.access = access
  }

  /// Tells how it is, and every change until the caller goes.
  func add(_ call: ServerCall) {
    let monitor = Monitor(call)
    monitors[ObjectIdentifier(call)] = monitor
    call.onEnd { [weak self] in self?.remove(call) }
    update(monitor, LibrarySnapshot(library, store))
    armWhileScanning()
  }

  /// The library is in another state.
  func stateChanged() {
    tellAll()
    armWhileScanning()
  }

  private func remove(_ call: ServerCall) {
    monitors[ObjectIdentifier(call)] = nil
    if monitors.isEmpty { progress.disarm() }
  }

  private func armWhileScanning() {
    guard !monitors.isEmpty, library.scanProgress != nil else { return progress.disarm() }
    progress.arm(after: Self.interval)
  }

  private func tellAll() {
    guard !monitors.isEmpty else { return }
    let now = LibrarySnapshot(library, store)
    for monitor in Array(monitors.values) { update(monitor, now) }
  }

  private func update(_ monitor: Monitor, _ now: LibrarySnapshot) {
    guard !monitor.isWaiting else { return }
    guard monitor.call.isDrained else {
      monitor.isWaiting = true
      return monitor.call.whenDrained { [weak self, weak monitor] in
        guard let self, let monitor else { return }
        monitor.isWaiting = false
        update(monitor, LibrarySnapshot(library, store))
      }
    }
    do {
      // What somebody may know is looked at each time (S29).
      let seesEverything = try access.seesEverything(monitor.call)
      let reply = now.reply(isOwner: try access.actsAsOwner(monitor.call), seesEverything: seesEverything)
      guard monitor.told != reply else { return }
      monitor.told = reply
      monitor.call.reply(reply, continues: true)
    } catch { monitor.call.fail(error) }
  }
}

/// How the library is, looked at once for all who are told.
@EventLoopActor
struct LibrarySnapshot {
  private let state: LibraryState
  private let progress: ScanProgress?
  private let assetCount: Int

  init(_ library: LibraryMonitor, _ store: any LibraryReading) {
    state = library.state
    progress = library.scanProgress
    assetCount = store.files.assetCount
  }

  /// The roots as a caller is told of them.
  static func roots(_ state: LibraryState, isOwner: Bool) -> [LibraryInterface.Root] {
    state.roots.map { root in
      LibraryInterface.Root(
        path: isOwner ? root.path : nil, state: root.offline == nil ? .init(state.summary) : .offline,
        problem: isOwner ? root.offline.map { Words.english.reason($0) } : nil,
        name: root.name)
    }
  }

  func reply(isOwner: Bool, seesEverything: Bool) -> LibraryInterface.MonitorState.Reply {
    .init(
      state: .init(state.summary), roots: Self.roots(state, isOwner: isOwner),
      // Of what a limited app does not see, it is not told how much there is (S16).
      scan: seesEverything
        ? progress.map { .init(directoriesDone: $0.done, directoriesLeft: $0.left, assetCount: assetCount) }
        : nil)
  }
}
