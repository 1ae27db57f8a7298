internal import AlbumAPI
internal import Authorization
package import DaemonConfiguration
package import EventLoop
internal import Glibc
internal import LibraryIO
package import Logging
internal import Storage
internal import VarlinkServer

/// The whole daemon: it starts and stops what ``Composition`` has made.
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
    /// What reads pictures.
    package var pictures: PictureProgram
    /// Where previews are kept; beneath the state directory when nil.
    package var cache: String?

    /// Every option.
    package init(
      configurationFile: String, vendorDirectory: String, defaultState: String, socketPath: String,
      pictures: PictureProgram = .besideThis, cache: String? = nil
    ) {
      self.configurationFile = configurationFile
      self.vendorDirectory = vendorDirectory
      self.defaultState = defaultState
      self.socketPath = socketPath
      self.pictures = pictures
      self.cache = cache
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

  /// The version that `org.varlink.service` names.
  package nonisolated static let version = ProductVersion.current

  let parts: Composition
  private let options: Options
  private let log: Logger
  private var listening: Listening?
  private var signals: [SignalSource] = []

  /// Opens everything; nothing is served before ``start()``.
  ///
  /// - Throws: ``StartupError``, `StorageError`: what, where, and what to do.
  package convenience init(
    configuration: Configuration, options: Options, helpers: HelperProcesses, log: Logger
  ) throws {
    try self.init(configuration: configuration, options: options, helpers: helpers, log: log) { .now }
  }

  /// - Parameter clock: by which decisions hold and end.
  init(
    configuration: Configuration, options: Options, helpers: HelperProcesses, log: Logger,
    clock: @escaping @EventLoopActor () -> Timestamp
  ) throws {
    self.options = options
    self.log = log
    parts = try Composition(
      configuration: ConfigurationInForce(configuration, options: options), helpers: helpers, log: log,
      clock: clock)
  }

  /// Serves: from here on the loop does everything, until ``EventLoop/EventLoop/exit(_:)``. Call ``stop()`` then.
  package func start() throws {
    try parts.library.start(telling: parts.wiring)
    parts.views.update()
    parts.trim.start()
    parts.describer.start()
    parts.hasher?.start()
    signals = [
      try SignalSource(.terminate) { EventLoop.shared.exit(EXIT_SUCCESS) },
      try SignalSource(.interrupt) { EventLoop.shared.exit(EXIT_SUCCESS) },
      try SignalSource(.hangup) { [unowned self] in
        _ = Task.onLoop { [self] in _ = try? await parts.reloading.reload() }
      },
    ]
    listening = try Listening(on: parts.server, path: options.socketPath)
    EventLoop.shared.keepWatchdogFed()
    ServiceManager.ready(status: parts.statusLine.text)
    let configuration = parts.configuration.initial
    let roots = configuration.roots.map(\.path).joined(separator: ", ")
    let sockets = listening?.paths.joined(separator: ", ") ?? ""
    log.tellFaults(of: configuration, "this file does not count")
    log.notice(
      "Serving \(roots) at \(sockets), configured in \(configuration.file)",
      metadata: LogEventKind.started.metadata())
  }

  /// Ends: what is on its way to disk is finished by the registry's thread. The loop does not run any more.
  package func stop() {
    ServiceManager.stopping()
    parts.center.noteUses()
    parts.apps.noteAll()
    parts.server.close()
    listening?.remove()
    parts.describer.stop()
    parts.hasher?.stop()
    parts.library.stop()
    parts.deleted.end()
    parts.pictures.close()
    parts.accessLog.close()
    do throws(StorageError) { try parts.registry.close() } catch {
      log.error("The registry could not be closed: \(error)")
    }
    parts.refusals.endInterval()
    parts.failures.endInterval()
    parts.registrations.endInterval()
    parts.owners.endInterval()
    log.notice("Stopped", metadata: LogEventKind.stopped.metadata())
  }
}
