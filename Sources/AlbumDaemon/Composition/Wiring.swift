internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Logging
internal import VarlinkServer
internal import Words

/// Who hears of what: changed decisions and a changed library, brought to all whom they concern, in this order.
@EventLoopActor
final class Wiring: StatusObserver, AppsInSight, LibraryObserver {
  private let views: ViewJournal
  private let monitors: StatusMonitors
  private let subscriptions: SubscriptionHub
  private let states: StateMonitors
  private let statusLog: StatusLog
  private let apps: KnownApps
  private let deleted: RecentlyDeleted
  private let trim: JournalTrim
  private let describer: Describer
  private let hasher: Hasher?
  private let statusLine: StatusLine
  private let indexDamage: IndexDamage
  private let server: VarlinkServer
  private let log: Logger

  init(
    views: ViewJournal, monitors: StatusMonitors, subscriptions: SubscriptionHub,
    states: StateMonitors, statusLog: StatusLog,
    apps: KnownApps, deleted: RecentlyDeleted, trim: JournalTrim, describer: Describer,
    hasher: Hasher?, statusLine: StatusLine, indexDamage: IndexDamage, server: VarlinkServer,
    log: Logger
  ) {
    self.views = views
    self.monitors = monitors
    self.subscriptions = subscriptions
    self.states = states
    self.statusLog = statusLog
    self.apps = apps
    self.deleted = deleted
    self.trim = trim
    self.describer = describer
    self.hasher = hasher
    self.statusLine = statusLine
    self.indexDamage = indexDamage
    self.server = server
    self.log = log
  }

  // MARK: Decisions

  func statusChanged(of key: RecordKey, from former: AuthorizationStatus?) {
    // What an app sees first: the others tell by it.
    views.update(key)
    monitors.changed(key)
    subscriptions.authorizationChanged { $0.app?.key == key.app }
    server.lookAgainAtReplies(about: key.app.uid)
    statusLog.changed(key, from: former)
  }

  var inUse: [RecordKey] { subscriptions.readers.map { $0.record(.readWrite) } }

  var seen: [RecordKey] { apps.seenRecords }

  // MARK: The library

  func libraryChanged(_ entries: [PlacedChange]) {
    // Before anybody is told.
    lookAgainAtReplies(entries)
    subscriptions.publish(entries)
    monitors.libraryChanged(entries)
    trim.grown()
    describer.libraryChanged(entries)
    hasher?.libraryChanged(entries)
  }

  /// What has been moved, hidden or deleted may be out of sight for who does not read the reply with its file; and with an
  /// album all that is in it, of which nothing is told.
  private func lookAgainAtReplies(_ entries: [PlacedChange]) {
    guard server.holdsReplies else { return }
    var concernsAll = false
    for placed in entries {
      switch placed.entry {
      case .change(let change):
        switch change.subject {
        case .asset(let id): server.lookAgainAtReplies(about: id)
        // What is in a new one was not seen before.
        case .album: concernsAll = concernsAll || change.operation != .inserted
        }
      // Of an app alone, about which something was decided.
      case .view: break
      case .reset: concernsAll = true
      }
    }
    if concernsAll { server.lookAgainAtReplies() }
  }

  func libraryStateChanged(_ state: LibraryState) {
    indexDamage.look()
    ServiceManager.status(statusLine.text)
    states.stateChanged()
    deleted.libraryChanged()
    describer.libraryStateChanged()
    hasher?.libraryStateChanged()
    let sentences = state.problems.map { Words.english.sentence($0) }
    let problems = sentences.isEmpty ? "" : ": " + sentences.joined(separator: "; ")
    log.log(
      level: state.problems.isEmpty ? .info : .warning,
      "The library is \(state.summary.rawValue)\(problems)",
      metadata: LogEventKind.libraryState.metadata())
  }
}
