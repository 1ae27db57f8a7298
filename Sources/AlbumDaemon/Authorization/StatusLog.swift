internal import Authorization
internal import EventLoop
internal import Logging

/// Writes a line into the log for every status that has become another. What an app brings about as often as it
/// likes, such as that its selection grows with what it adds (S18), is none.
@EventLoopActor
final class StatusLog {
  private let decisions: Decisions
  private let names: UserNames
  private let log: Logger
  /// What was written last, or held at the start.
  private var written: [RecordKey: AuthorizationStatus]

  init(decisions: Decisions, names: UserNames, log: Logger) {
    self.decisions = decisions
    self.names = names
    self.log = log
    written = Dictionary(
      uniqueKeysWithValues: decisions.all.keys.map { ($0, decisions.status(of: $0).status) })
  }

  /// A record's status may have changed.
  ///
  /// - Parameter former: what it was by other policies.
  func changed(_ key: RecordKey, from former: AuthorizationStatus?) {
    let status = decisions.status(of: key).status
    // Nobody had decided about one that is not known.
    let before =
      written[key] ?? former ?? decisions.policies.policy(for: key)?.effect.status ?? .notDetermined
    written[key] = status
    guard status != before else { return }
    log.info(
      "\(key.appID): \(key.accessLevel.rawValue) is \(status.rawValue) for \(names.label(key.uid))",
      metadata: LogEventKind.authorizationChanged.metadata(["appId": "\(key.appID)", "uid": "\(key.uid)"]))
  }
}
