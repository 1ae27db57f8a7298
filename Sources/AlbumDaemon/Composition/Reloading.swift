internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import Logging
internal import VarlinkServer

/// Reads the configuration again, and brings it to everything that is not as it was at the start.
@EventLoopActor
final class Reloading {
  /// What is told.
  struct Parts {
    let guides: Guides
    let identification: Identification
    let monitors: StatusMonitors
    let center: AuthorizationCenter
    let library: LibraryMonitor
    let views: ViewJournal
    let subscriptions: SubscriptionHub
    let accessLogReaders: AccessLogReaders
    let server: VarlinkServer
  }

  private let configuration: ConfigurationInForce
  private let parts: Parts
  private let statusLine: StatusLine
  private let log: Logger
  private lazy var readings = SharedRuns { [unowned self] in try await readAgain() }

  init(_ configuration: ConfigurationInForce, parts: Parts, statusLine: StatusLine, log: Logger) {
    self.configuration = configuration
    self.parts = parts
    self.statusLine = statusLine
    self.log = log
  }

  /// Reads the configuration again; who asks while that goes on shares the next reading with all others who do. One with
  /// errors changes nothing (S38).
  ///
  /// - Returns: the keys that have changed and count from the next start only.
  /// - Throws: `InvalidConfiguration` on the wire.
  func reload() async throws -> [String] { try await readings.next() }

  private func readAgain() async throws -> [String] {
    ServiceManager.reloading()
    defer { ServiceManager.ready(status: statusLine.text) }
    do throws(ConfigurationErrors) {
      let new = try await configuration.readAgain()
      tell(new)
      log.notice("The configuration was read again", metadata: LogEventKind.reloaded.metadata())
      log.tellFaults(of: new, "this file does not count, or as it was before")
      let later = new.keysForRestart(since: configuration.initial)
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

  private func tell(_ new: Configuration) {
    parts.guides.reload(new.guides)
    parts.identification.reload(manifests: new.apps, owners: new.owners, subordinates: new.subordinates)
    parts.monitors.identitiesChanged()
    parts.center.reload(
      policies: new.policies, owners: new.owners, expireUnusedAfterDays: new.expireUnusedAfterDays)
    hideShared(new)
    // Everybody who may see something else now, told or not.
    parts.views.update()
    // Not only by a decision: who is no owner any more, asks for places no more, or has an album shared (S29).
    parts.server.lookAgainAtReplies()
    parts.monitors.everythingChanged()
    parts.subscriptions.authorizationChanged()
    parts.accessLogReaders.ownersChanged()
  }

  /// Albums have become shared ones, or are none any more: limited apps are told what they see no longer (S19).
  private func hideShared(_ new: Configuration) {
    let shared = Dictionary(new.roots.map { ($0.path, $0.shared) }, uniquingKeysWith: +)
    do { try parts.library.reload(shared: shared) } catch {
      log.error("Which albums are shared could not be written down and is tried again: \(error)")
    }
  }
}

extension Logger {
  /// One file of an app or of a translator takes nobody else's access away, and does not go unnoticed.
  func tellFaults(of configuration: Configuration, _ consequence: String) {
    for fault in configuration.faults {
      error("\(fault); \(consequence)", metadata: LogEventKind.reloaded.metadata())
    }
  }
}
