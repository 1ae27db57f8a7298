internal import AlbumAPI
internal import Authorization
package import Configuration
package import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
package import Logging
internal import Storage
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport
internal import Words

/// The whole daemon: what is made of the configuration, and how the parts hear of each other.
@EventLoopActor
package final class Daemon {
  /// What the program is called with.
  package struct Options: Sendable {
    /// The path of `albumd.yaml`.
    package var configurationFile: String
    /// Where manifests and policies of packages are.
    package var vendorDirectory: String
    /// The state directory, where the configuration names none.
    package var defaultState: String
    /// Where to listen when no socket is handed over.
    package var socketPath: String

    /// Every option.
    package init(configurationFile: String, vendorDirectory: String, defaultState: String, socketPath: String)
    {
      self.configurationFile = configurationFile
      self.vendorDirectory = vendorDirectory
      self.defaultState = defaultState
      self.socketPath = socketPath
    }

    /// Reads the configuration.
    ///
    /// - Parameter former: what was in force until now.
    /// - Throws: `ConfigurationErrors`, all of them (S38).
    package func load(former: Configuration? = nil) throws(ConfigurationErrors) -> Configuration {
      try Configuration.load(
        file: configurationFile, vendorDirectory: vendorDirectory, defaultState: defaultState, former: former)
    }
  }

  let options: Options
  private let log: Logger
  private let lock: StateLock
  private let registry: Registry
  let server: VarlinkServer
  private let identification: Identification
  let center: AuthorizationCenter
  private let monitors: StatusMonitors
  private let statusLog: StatusLog
  let accessLog: AccessLog
  private let guides: Guides
  private let refusals: ThrottledLog
  private let failures: ThrottledLog
  private let views: ViewJournal
  let store: any LibraryReading
  private let indexDamage: IndexDamage
  let library: LibraryMonitor
  private let access: LibraryAccess
  let subscriptions: SubscriptionHub
  private let deleted: RecentlyDeleted
  private var services: [AnyObject] = []
  /// Ends what only owners may go on with.
  private var onOwnersChange: @EventLoopActor () -> Void = {}
  var configuration: Configuration
  /// What was read at the start, for what is not read again.
  let initial: Configuration
  let apps: KnownApps
  let started = Timestamp.now
  private var listening: Listening?
  private var signals: [SignalSource] = []
  private var trim: JournalTrim?
  /// The last reading of the configuration that was asked for.
  private var reloading: Task<Void, Never>?

  /// The version that `org.varlink.service` names.
  package nonisolated static let version = ProductVersion.current

  /// Opens everything; nothing is served before ``start()``.
  ///
  /// - Throws: ``StartupError``, `StorageError`: what, where, and what to do.
  package init(
    configuration: Configuration, options: Options, helpers: HelperProcesses, log: Logger
  ) throws {
    self.configuration = configuration
    initial = configuration
    self.options = options
    self.log = log
    refusals = ThrottledLog(log: log, level: .notice, "peers were refused", event: .refusedPeer)
    failures = ThrottledLog(log: log, level: .error, "calls failed")
    lock = try StateLock(directory: configuration.state)

    registry = try Registry(directory: configuration.state)
    let snapshot = try registry.load()
    identification = Identification(
      manifests: configuration.apps, owners: configuration.owners, subordinates: configuration.subordinates)
    apps = KnownApps(registry: registry, snapshot: snapshot, identification: identification)
    let callers = Callers(identification: identification, apps: apps)
    accessLog = AccessLog(
      store: try AccessLogStore(directory: configuration.state), keepDays: configuration.accessLogKeepDays,
      log: log)
    guides = Guides(configuration.guides)
    guides.remembered = { [apps] in apps.language(of: $0) }
    center = AuthorizationCenter(
      registry: registry, snapshot: snapshot, policies: configuration.policies, owners: configuration.owners,
      expireUnusedAfterDays: configuration.expireUnusedAfterDays, accessLog: accessLog, log: log)
    statusLog = StatusLog(center: center, log: log)

    let database = try LibraryStore.opened(path: "\(configuration.state)/library.sqlite")
    if let damage = database.damage { log.error("\(damage)", metadata: LogEventKind.libraryState.metadata()) }
    indexDamage = IndexDamage(of: database)
    store = database
    library = LibraryMonitor(database: database, roots: configuration.roots.map(LibraryRoot.init))
    let renderer = LibraryRenderer(store: store, monitor: library)
    views = ViewJournal(center: center, monitor: library, store: store, log: log)
    monitors = StatusMonitors(center: center, callers: callers, views: views)
    access = LibraryAccess(
      callers: callers, center: center, views: views, accessLog: accessLog, guides: guides)
    subscriptions = SubscriptionHub(
      store: store, access: access, encoder: DeliveryEncoder(renderer: renderer))
    let room = StateRoom(directory: configuration.state, reserveBytes: configuration.limits.reserveBytes)
    let adder = AssetAdder(
      monitor: library, renderer: renderer, saveTo: configuration.saveTo,
      limit: Int64(configuration.limits.addBytes), room: room)

    let remover = AssetRemover(
      monitor: library, store: store, limit: Int64(configuration.limits.addBytes), room: room)
    deleted = RecentlyDeleted(
      monitor: library, remover: remover, keepDays: configuration.recentlyDeletedDays, log: log)

    var limits = VarlinkServer.Limits()
    limits.messageBytes = configuration.limits.messageBytes
    limits.connectionsPerUser = configuration.limits.connectionsPerUser
    limits.connections = configuration.limits.connections
    server = VarlinkServer(
      identity: .init(
        vendor: "albumd", product: "albumd", version: Self.version, url: "https://github.com/albumd/albumd"),
      limits: limits, porter: Porter(control: OwnedDescriptor(owning: helpers.porter)),
      admission: PeerAdmission(identification: identification, reader: DirectEvidenceReader()),
      failureText: { [callers, failures, indexDamage] error, call in
        indexDamage.look(at: error)
        // The names of the daemon's files, and the database's words, are no app's affair.
        if error is LibraryFileError || (try? callers.mayActAsOwner(call)) ?? false { return "\(error)" }
        failures.note(
          "\(Quoted(call.call.method)): \(error)", uid: call.connection.peer.uid,
          metadata: callers.metadata(of: call)
        )
        return "the call could not be served; albumd's log says why"
      }
    ) { [refusals] uid, reason in
      refusals.note("A peer was refused: \(Quoted(reason, byteLimit: 256))", uid: uid)
    }

    let authorization = AuthorizationService(
      center: center, callers: callers, monitors: monitors, accessLog: accessLog, guides: guides,
      views: views)
    let names = UserNames()
    authorization.visible = { [access, store] assets, app in
      guard let view = access.view(of: app) else { return [] }
      return assets.filter { id in
        let asset = store.ids.asset(id).flatMap { try? store.asset($0) }
        return asset.map { view.sees($0.id, in: $0.albums) } ?? false
      }
    }
    let selectable = SelectableLibrary(store: store, monitor: library)
    let agents = AgentService(
      center: center, callers: callers, library: selectable, accessLog: accessLog, names: names,
      words: { [unowned self] in self.configuration.translations.words(for: $0) }, log: log)
    let picker = PickerService(
      center: center, callers: callers, access: access, store: store, monitor: library, renderer: renderer,
      log: log)
    let manager = ManagerService(
      center: center, callers: callers, apps: apps, accessLog: accessLog, names: names, log: log,
      statistics: { [unowned self] in try statistics() }, health: { [unowned self] in health() })
    let libraryService = LibraryService(
      access: access, store: store, monitor: library, renderer: renderer, adder: adder,
      remover: remover, limits: configuration.limits, center: center, subscriptions: subscriptions,
      additions: DailyAdditions(
        .init(bytes: configuration.limits.addBytesPerDay, files: configuration.limits.addFilesPerDay),
        accountable: { [identification] in identification.accountable($0) }))
    let automaticPicker = AutomaticPicker(center: center, callers: callers)
    libraryService.onAccess = { automaticPicker.offer($0) }
    manager.deleted = DeletedAssetsService(
      deleted: deleted, renderer: renderer, monitor: library,
      note: { [callers, accessLog] event, assets, call in
        guard let identity = try? callers.identity(of: call) else { return }
        accessLog.note(event, assets: assets, app: identity)
      }
    ) { [unowned manager] call in try manager.check(call) }
    services = [authorization, agents, manager, libraryService, picker]
    server.add(authorization.implementation())
    server.add(libraryService.implementation())
    server.add(picker.implementation())
    server.add(agents.implementation())
    server.add(manager.implementation())
    server.add(ServiceControl(callers: callers) { [unowned self] in _ = try await reload() }.implementation())
    manager.exists = { try selectable.problem(with: $0, for: nil) == nil }
    onOwnersChange = { [unowned manager] in manager.accessLogReaders.ownersChanged() }
    manager.rescan = { [unowned self] in
      let unknown = $0.subtracting(initial.roots.map(\.path))
      guard unknown.isEmpty else { throw InvalidParameter(parameter: "acceptRoots") }
      library.rescan(accepting: $0)
    }
    manager.reload = { [unowned self] in try await reload() }
    connect()
  }

  /// Who hears of what.
  private func connect() {
    center.onChange = { [unowned self] key, before in
      views.update(key)
      monitors.changed(key)
      subscriptions.authorizationChanged { reader in
        reader.app.map { $0.uid == key.uid && $0.appID == key.appID } ?? false
      }
      statusLog.changed(key, from: before)
    }
    center.inUse = { [unowned self] in subscriptions.readers.map { $0.record(.readWrite) } }
    center.seen = { [apps] in apps.seenRecords }
    library.onChanges = { [unowned self] entries in
      subscriptions.publish(entries)
      monitors.libraryChanged(entries)
      trim?.grown()
    }
    indexDamage.onFound = { [unowned self] in
      log.critical(
        "The index is damaged: another is made at the next start, which the service manager brings about")
      stop(EXIT_FAILURE)
    }
    library.onStateChange = { [unowned self] state in
      indexDamage.look()
      ServiceManager.status(status)
      Task { [deleted] in deleted.libraryChanged() }
      let sentences = state.problems.map { Words.english.sentence($0) }
      let problems = sentences.isEmpty ? "" : ": " + sentences.joined(separator: "; ")
      log.log(
        level: state.problems.isEmpty ? .info : .warning,
        "The library is \(state.summary.rawValue)\(problems)",
        metadata: LogEventKind.libraryState.metadata())
    }
  }

  // MARK: Life

  /// Serves: from here on the loop does everything.
  package func start() throws {
    try library.start()
    views.update()
    trim = JournalTrim(monitor: library, configuration.journal, log: log)
    signals = [
      try SignalSource(.terminate) { [unowned self] in stop() },
      try SignalSource(.interrupt) { [unowned self] in stop() },
      try SignalSource(.hangup) { [unowned self] in _ = Task.onLoop { [self] in _ = try? await reload() } },
    ]
    listening = try Listening(on: server, path: options.socketPath)
    EventLoop.shared.keepWatchdogFed()
    ServiceManager.ready(status: status)
    let roots = configuration.roots.map(\.path).joined(separator: ", ")
    let sockets = listening?.paths.joined(separator: ", ") ?? ""
    tellFaults(configuration, "this file does not count")
    log.notice(
      "Serving \(roots) at \(sockets), configured in \(configuration.file)",
      metadata: LogEventKind.started.metadata())
  }

  /// Ends: what is on its way to disk is finished by the registry's thread.
  private func stop(_ status: CInt = EXIT_SUCCESS) {
    ServiceManager.stopping()
    center.noteUses()
    apps.noteAll()
    server.close()
    listening?.remove()
    library.stop()
    accessLog.close()
    do throws(StorageError) { try registry.close() } catch {
      log.error("The registry could not be closed: \(error)")
    }
    refusals.endInterval()
    failures.endInterval()
    log.notice("Stopped", metadata: LogEventKind.stopped.metadata())
    EventLoop.shared.exit(status)
  }

  /// Reads the configuration again, after those who asked for that before. One with errors changes nothing (S38).
  ///
  /// - Returns: the keys that have changed and count from the next start only.
  /// - Throws: `InvalidConfiguration` on the wire.
  private func reload() async throws -> [String] {
    let before = reloading
    return try await withCheckedThrowingContinuation { continuation in
      reloading = Task.onLoop { [self] in
        await before?.value
        do { continuation.resume(returning: try await readAgain()) } catch {
          continuation.resume(throwing: error)
        }
      }
    }
  }

  private func readAgain() async throws -> [String] {
    ServiceManager.reloading()
    defer { ServiceManager.ready(status: status) }
    let read = await read()
    do throws(ConfigurationErrors) {
      let new = try read.get()
      configuration = new
      guides.reload(new.guides)
      identification.reload(
        manifests: new.apps, owners: new.owners, subordinates: new.subordinates)
      monitors.identitiesChanged()
      center.reload(
        policies: new.policies, owners: new.owners, expireUnusedAfterDays: new.expireUnusedAfterDays)
      hideShared(new)
      views.update()
      monitors.everythingChanged()
      subscriptions.authorizationChanged()
      onOwnersChange()
      log.notice("The configuration was read again", metadata: LogEventKind.reloaded.metadata())
      tellFaults(new, "this file does not count, or as it was before")
      let later = new.keysForRestart(since: initial)
      if !later.isEmpty {
        log.warning(
          "What has changed of \(later.joined(separator: ", ")) counts from the next start",
          metadata: LogEventKind.reloaded.metadata())
      }
      return later
    } catch {
      for line in error.errors {
        log.error("\(line); the running configuration is kept", metadata: LogEventKind.reloaded.metadata())
      }
      throw ManagerInterface.InvalidConfiguration(errors: error.errors.map(\.description))
    }
  }

  /// Off the loop: names of users and groups are looked up in a database that may be far away (nsswitch.conf(5)).
  private func read() async -> Result<Configuration, ConfigurationErrors> {
    let (options, former) = (options, configuration)
    return await withCheckedContinuation { continuation in
      ThreadReserve.shared.run {
        let read: Result<Configuration, ConfigurationErrors>
        do throws(ConfigurationErrors) { read = .success(try options.load(former: former)) } catch {
          read = .failure(error)
        }
        continuation.resume(returning: read)
      }
    }
  }

  /// One file of an app or of a translator takes nobody else's access away, and does not go unnoticed.
  private func tellFaults(_ configuration: Configuration, _ consequence: String) {
    for fault in configuration.faults {
      log.error("\(fault); \(consequence)", metadata: LogEventKind.reloaded.metadata())
    }
  }

  /// Albums have become shared ones, or are none any more: limited apps are told what they see no longer (S19).
  private func hideShared(_ new: Configuration) {
    let shared = Dictionary(new.roots.map { ($0.path, $0.shared) }, uniquingKeysWith: +)
    do { try library.reload(shared: shared) } catch {
      log.error("Which albums are shared could not be written down and is tried again: \(error)")
    }
  }

  /// One line for `systemctl status`.
  private var status: String {
    let state = library.state
    let problem = state.problems.first.map { ": \(Words.english.sentence($0))" } ?? ""
    let (assets, connections) = (store.assetCount, server.connectionCount)
    return "\(state.summary.rawValue), \(assets) \(assets == 1 ? "asset" : "assets"), "
      + "\(connections) \(connections == 1 ? "connection" : "connections")\(problem)"
  }
}

extension LibraryRoot {
  fileprivate init(_ root: Configuration.Root) {
    self.init(path: root.path, shared: root.shared, requiresMountPoint: root.requireMountPoint)
  }
}
