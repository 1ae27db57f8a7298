internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import VarlinkServer

/// What the daemon says of itself as a whole, for owners.
@EventLoopActor
struct DaemonReport {
  let started: Timestamp
  let configuration: ConfigurationInForce
  let server: VarlinkServer
  let library: LibraryMonitor
  let store: any LibraryReading
  let subscriptions: SubscriptionHub
  let center: AuthorizationCenter
  let apps: KnownApps
  let accessLog: AccessLog
  let pictures: PicturePool

  /// `Manager.GetStatistics`.
  func statistics() throws -> ManagerInterface.GetStatistics.Reply {
    let served = server.statistics
    let watched = library.statistics
    return ManagerInterface.GetStatistics.Reply(
      started: Instant(started), connections: server.connectionCount, subscriptions: subscriptions.count,
      agents: center.agentCount, promptsWaiting: center.decisions.promptCount,
      assets: Int(store.files.assetCount),
      albums: library.contents.albums.count,
      journalFirst: try store.journal.firstPlace().map { Int($0.rawValue) },
      journalLast: Int(store.place.rawValue), watches: watched.watches, polledDirectories: watched.unwatched,
      memoryBytes: residentBytes(), calls: served.calls, connectionsAccepted: served.accepted,
      connectionsRefused: served.refused, protocolViolations: served.violations, fileEvents: watched.events,
      queueOverflows: watched.overflows, scans: watched.scans, changes: watched.changes,
      accessLogLost: accessLog.book.lost)
  }

  /// What the daemon knows for `Manager.Check`, who looks at the rest, and the roots not to be touched.
  func health() -> (
    HealthInspector, HealthFacts, offline: [String: RootAbsence], apart: Set<String>
  ) {
    var facts = HealthFacts()
    facts.owners = configuration.current.owners
    // As it was read last: unlike the roots themselves, it counts from a reload.
    facts.shared = Dictionary(
      configuration.current.roots.map { ($0.path, $0.shared) }, uniquingKeysWith: { $1 })
    facts.manifests = configuration.current.apps.manifests.values.sorted { $0.appID < $1.appID }
    let keys = apps.records
    facts.policies = center.decisions.policies.policies.map { policy in
      (policy, Set(keys.filter(policy.applies).map(\.appID)).count)
    }
    let offline = Dictionary(
      library.state.roots.compactMap { root in root.offline.map { (root.path, $0) } },
      uniquingKeysWith: { $1 })
    // Lost roots and missing watches are told by themselves.
    facts.libraryProblems = library.state.problems.filter { problem in
      switch problem {
      case .unwatched, .offline: false
      case .database, .unreadable, .away, .overfull, .moreDirectories: true
      }
    }
    facts.watches = library.statistics.watches
    facts.polledDirectories = library.statistics.unwatched
    facts.now = .now
    facts.newestDecision = center.decisions.all.values.map(\.decidedAt).max()
    facts.agents = center.agentCount
    facts.accessLogLost = accessLog.book.lost
    facts.undescribable = (try? store.described.unreadableCount()) ?? 0
    facts.pictures = (pictures.program, pictures.problem, pictures.hasLandlock)
    return (
      HealthInspector(options: configuration.options, initial: configuration.initial), facts, offline,
      library.contents.rootsApart
    )
  }
}
