internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Logging
internal import Storage
internal import VarlinkServer

/// What is made of the configuration: every part of the daemon, each of those before it that it needs. Who hears of
/// what is ``Wiring``.
@EventLoopActor
final class Composition {
  let configuration: ConfigurationInForce
  let registry: Registry
  let callers: Callers
  let apps: KnownApps
  let names = UserNames()
  let accessLog: AccessLog
  let accessLogReaders: AccessLogReaders
  let guides: Guides
  let settings: ServedSettings
  let store: any LibraryReading
  let indexDamage: IndexDamage
  let library: LibraryMonitor
  let trim: JournalTrim
  let wiring: Wiring
  let renderer: LibraryRenderer
  let searches: LongQueries
  let views: ViewJournal
  let monitors: StatusMonitors
  let access: LibraryAccess
  let subscriptions: SubscriptionHub
  let states: StateMonitors
  let room: StateRoom
  let identification: Identification
  let remover: AssetRemover
  let mover: AssetMover
  let deleted: RecentlyDeleted
  let pictures: PicturePool
  let describer: Describer
  /// Nil where the configuration wants no hashes.
  let hasher: Hasher?
  let previews: Previews
  let copies = HandedCopies()
  /// Where long texts are read and written.
  let codec = SharedThread()
  let server: VarlinkServer
  let statusLine: StatusLine
  let center: AuthorizationCenter
  let reloading: Reloading
  let refusals: ThrottledLog
  let failures: ThrottledLog
  let registrations: ThrottledLog
  let owners: ThrottledLog
  let started: Timestamp
  let log: Logger
  private let lock: StateLock
  /// The server's methods lead to them.
  private var services: [AnyObject] = []

  /// - Throws: ``StartupError``, `StorageError`.
  init(
    configuration: ConfigurationInForce, helpers: HelperProcesses, log: Logger,
    clock: @escaping @EventLoopActor () -> Timestamp
  ) throws {
    self.configuration = configuration
    self.log = log
    let initial = configuration.initial
    started = clock()
    refusals = ThrottledLog(log: log, level: .notice, "peers were refused", event: .refusedPeer)
    failures = ThrottledLog(log: log, level: .error, "calls failed")
    owners = ThrottledLog(log: log, level: .notice, "connections act as the owner")
    registrations = ThrottledLog(log: log, level: .info, "agents were registered")
    lock = try StateLock(directory: initial.state)
    // Before any of them is opened.
    LeftLocks.discard(in: initial.state, of: lock.previousHolder)

    // Who they are, and what was decided about them.
    registry = try Registry(directory: initial.state)
    let snapshot = try registry.load()
    let decisions = Decisions(
      registry: registry, snapshot: snapshot, policies: initial.policies, owners: initial.owners,
      expireUnusedAfterDays: initial.expireUnusedAfterDays, clock: clock)
    identification = Identification(
      manifests: initial.apps, owners: initial.owners, subordinates: initial.subordinates)
    apps = KnownApps(
      registry: registry, snapshot: snapshot, identification: identification, decisions: decisions)
    callers = Callers(identification: identification, apps: apps, names: names)
    accessLog = AccessLog(
      store: try AccessLogStore(directory: initial.state), keepDays: initial.accessLogKeepDays, log: log
    ) { [identification] in identification.accountable($0) }
    accessLogReaders = AccessLogReaders(log: accessLog, names: names, apps: apps, callers: callers)
    settings = ServedSettings(callers: callers)
    guides = Guides(initial.guides, apps: apps, settings: settings)

    // The library, and what each of them sees of it.
    let database = try LibraryStore.opened(path: "\(initial.state)/library.sqlite")
    if let damage = database.damage { log.error("\(damage)", metadata: LogEventKind.libraryState.metadata()) }
    indexDamage = IndexDamage(of: database) {
      log.critical(
        "The index is damaged: another is made at the next start, which the service manager brings about")
      EventLoop.shared.exit(EXIT_FAILURE)
    }
    store = database
    library = LibraryMonitor(database: database, roots: initial.roots.map(LibraryRoot.init))
    trim = JournalTrim(monitor: library, initial.journal, log: log)
    renderer = LibraryRenderer(store: store, monitor: library)
    searches = LongQueries(store) { [journal = library.edits.journal] in try journal.settle() }
    views = ViewJournal(decisions: decisions, monitor: library, store: store, log: log)
    monitors = StatusMonitors(decisions: decisions, callers: callers, views: views)
    access = LibraryAccess(
      callers: callers, decisions: decisions, views: views, accessLog: accessLog, guides: guides)
    subscriptions = SubscriptionHub(
      store: store, access: access, encoder: DeliveryEncoder(renderer: renderer))
    states = StateMonitors(library: library, store: store, access: access)
    room = StateRoom(directory: initial.state, reserveBytes: initial.limits.reserveBytes)
    let index = IndexSync(monitor: library, store: store)
    deleted = RecentlyDeleted(
      monitor: library, index: index, keepDays: initial.recentlyDeletedDays, log: log,
      clock: SystemDeletionClock(directory: initial.state, log: log))
    pictures = PicturePool(configuration.options.pictures, log: log)
    describer = Describer(library: library, store: store, reader: pictures, log: log)
    hasher =
      initial.contentHashes
      ? Hasher(library: library, store: store) { [describer] in describer.isReading } : nil
    previews = Previews(
      pool: pictures,
      store: PreviewStore(
        directory: configuration.options.cache ?? "\(initial.state)/previews",
        secretFile: "\(initial.state)/previews.key", limit: initial.previewCacheBytes),
      copies: copies)
    mover = AssetMover(monitor: library, store: store, index: index)
    remover = AssetRemover(
      monitor: library, store: store, limit: Int64(initial.limits.addBytes), room: room, index: index,
      recentlyDeleted: deleted)

    server = VarlinkServer(
      initial, helpers: helpers, identification: identification, callers: callers, failures: failures,
      refusals: refusals, indexDamage: indexDamage, messages: ErrorMessages(configuration))
    statusLine = StatusLine(library: library, store: store, server: server)
    wiring = Wiring(
      views: views, monitors: monitors, subscriptions: subscriptions, states: states,
      statusLog: StatusLog(decisions: decisions, names: names, log: log), apps: apps, deleted: deleted,
      trim: trim, describer: describer, hasher: hasher, statusLine: statusLine, indexDamage: indexDamage,
      server: server, log: log)
    center = AuthorizationCenter(
      decisions: decisions, registry: registry, accessLog: accessLog, observer: wiring, apps: wiring,
      names: names,
      log: log
    )
    reloading = Reloading(
      configuration,
      parts: .init(
        guides: guides, identification: identification, monitors: monitors, center: center, library: library,
        views: views, subscriptions: subscriptions, accessLogReaders: accessLogReaders, server: server),
      statusLine: statusLine, log: log)
    services = makeServices()
  }
}

extension LibraryRoot {
  fileprivate init(_ root: Configuration.Root) {
    self.init(path: root.path, shared: root.shared, requiresMountPoint: root.requireMountPoint)
  }
}
