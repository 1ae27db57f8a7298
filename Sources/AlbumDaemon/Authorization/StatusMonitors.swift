internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import VarlinkServer

/// The callers of `Authorization.Monitor`: told of a status when it is another than they were last told.
///
/// A slow one is told later, once, of where things have come to: its place is what it was last told.
@EventLoopActor
final class StatusMonitors {
  private struct Told: Equatable {
    let status: AuthorizationStatus
    let selectionCount: Int?
    let location: Bool?
  }

  private final class Monitor {
    let call: ServerCall
    var app: PeerIdentity
    var told: [AccessLevel: Told] = [:]
    /// Whether it is told when its peer has read what it was told before.
    var isWaiting = false

    init(_ call: ServerCall, _ app: PeerIdentity) {
      self.call = call
      self.app = app
    }
  }

  private let decisions: Decisions
  private let callers: Callers
  private let views: ViewJournal
  private var monitors: [ObjectIdentifier: Monitor] = [:]
  /// Limited apps of which another count may be seen, or some was counted and not yet all: one has its turn at a time.
  private var concerned: [RecordKey] = []
  /// Those of which some was counted since their last turn: however many are to be told, that goes on in the next.
  private var underway: Set<RecordKey> = []
  private lazy var counting = DeferredCall(priority: 10) { [unowned self] in countNext() }

  init(decisions: Decisions, callers: Callers, views: ViewJournal) {
    self.decisions = decisions
    self.callers = callers
    self.views = views
  }

  /// Tells the current statuses, and every change until the caller goes.
  func add(_ call: ServerCall, _ app: PeerIdentity) {
    let monitor = Monitor(call, app)
    monitors[ObjectIdentifier(call)] = monitor
    call.onEnd { [weak self] in self?.monitors[ObjectIdentifier(call)] = nil }
    update(monitor)
  }

  /// A record's status may have changed.
  func changed(_ key: RecordKey) {
    for monitor in monitors.values where monitor.app.key == key.app {
      update(monitor)
    }
  }

  /// Manifests have changed: who calls may be another app now (S35), and is told its status next. One about
  /// which nothing can be told any more is told that (S36).
  func identitiesChanged() {
    for monitor in Array(monitors.values) {
      do { monitor.app = try callers.identity(of: monitor.call, onlyAsks: true) } catch {
        monitor.call.fail(error)
      }
    }
  }

  /// Any status may have changed.
  func everythingChanged() {
    for monitor in monitors.values { update(monitor) }
  }

  /// The library has changed, and with it how much limited apps see of what is selected for them (S16). What a burst
  /// brings about is counted when others had their turn.
  func libraryChanged(_ entries: [PlacedChange]) {
    let limited = monitors.values.lazy.filter { $0.told[.readWrite]?.status == .limited }
    let unconcerned = Set(limited.map { $0.app.record(.readWrite) }).subtracting(concerned)
    for key in unconcerned where views.mayCount(key, otherwiseAfter: entries) {
      concerned.append(key)
    }
    if !concerned.isEmpty { counting.arm() }
  }

  private func countNext() {
    guard !concerned.isEmpty else { return }
    let key = concerned.removeFirst()
    if !concerned.isEmpty { counting.arm() }
    underway.remove(key)
    changed(key)
  }

  private func update(_ monitor: Monitor) {
    guard !monitor.isWaiting else { return }
    guard monitor.call.isDrained else {
      monitor.isWaiting = true
      return monitor.call.whenDrained { [weak self, weak monitor] in
        guard let monitor else { return }
        monitor.isWaiting = false
        self?.update(monitor)
      }
    }
    for level in AccessLevel.allCases {
      let key = monitor.app.record(level)
      let effective = decisions.status(of: key)
      if effective.status == .limited, underway.contains(key) { continue }
      guard case .counted(let selectionCount) = views.selectionCount(of: key, effective.status) else {
        underway.insert(key)
        if !concerned.contains(key) { concerned.append(key) }
        counting.arm()
        continue
      }
      let now = Told(
        status: effective.status, selectionCount: selectionCount,
        location: effective.location(of: key, for: monitor.app.manifest))
      guard monitor.told[level] != now else { continue }
      monitor.told[level] = now
      monitor.call.reply(
        AuthorizationInterface.Monitor.Reply(
          accessLevel: .init(level), status: .init(now.status), selectionCount: now.selectionCount,
          location: now.location),
        continues: true)
    }
  }
}
