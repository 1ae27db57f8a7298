internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import Logging
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

/// `io.albumd.Manager`: the owner's side.
@EventLoopActor
final class ManagerService {
  let center: AuthorizationCenter
  let callers: Callers
  let apps: KnownApps
  let accessLog: AccessLog
  private(set) lazy var accessLogReaders = AccessLogReaders(
    log: accessLog, names: names, isKnown: { [unowned self] in apps.isKnown($0, center) }
  ) { [unowned self] call in
    try check(call)
  }
  private let names: UserNames
  private let log: Logger
  /// Whether everything that is selected is in the library.
  var exists: @EventLoopActor (Selection) throws -> Bool = { _ in false }
  /// Compares the library with the disk, taking what is there for these roots.
  var rescan: @EventLoopActor (Set<String>) throws -> Void = { _ in }
  /// Serves what is about deleted assets.
  var deleted: DeletedAssetsService?
  /// Reads the configuration again.
  var reload: @EventLoopActor () async throws -> [String] = { [] }
  /// What the daemon counts.
  let statistics: @EventLoopActor () throws -> ManagerInterface.GetStatistics.Reply
  /// What is to be checked, and who does that.
  let health: @EventLoopActor () -> (HealthInspector, HealthFacts, offline: [String: RootAbsence])

  init(
    center: AuthorizationCenter, callers: Callers, apps: KnownApps, accessLog: AccessLog, names: UserNames,
    log: Logger,
    statistics: @escaping @EventLoopActor () throws -> ManagerInterface.GetStatistics.Reply,
    health: @escaping @EventLoopActor () -> (HealthInspector, HealthFacts, offline: [String: RootAbsence])
  ) {
    self.statistics = statistics
    self.health = health
    self.center = center
    self.callers = callers
    self.apps = apps
    self.accessLog = accessLog
    self.names = names
    self.log = log
  }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: ManagerInterface.definition)
    interface.on(ManagerInterface.ActAsOwner.self) { [unowned self] _, call in
      try check(call)
      call.session.actsAsOwner = true
      accessLog.note(AccessEvent(.owner), app: try callers.identity(of: call))
      log.notice("A connection acts as the owner", metadata: callers.metadata(of: call))
      return .init()
    }
    interface.handle(ManagerInterface.ListApps.self) { [unowned self] parameters, call in
      try check(call)
      let languages = parameters.language.map { [$0] } ?? []
      names.look(up: apps.users(center)) { [weak self] names in
        guard let self else { return }
        call.reply(ManagerInterface.ListApps.Reply(apps: apps.list(center, names, languages: languages)))
      }
    }
    interface.handle(ManagerInterface.SetAuthorization.self) { [unowned self] parameters, call in
      try check(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId, center)
      try set(parameters, call)
    }
    interface.handle(ManagerInterface.SetSelection.self) { [unowned self] parameters, call in
      try check(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId, center)
      try setSelection(parameters, call)
    }
    interface.on(ManagerInterface.GetSelection.self) { [unowned self] parameters, call in
      try check(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId, center)
      return try selection(parameters, call)
    }
    interface.handle(ManagerInterface.Reset.self) { [unowned self] parameters, call in
      try check(call)
      var parameters = parameters
      parameters.appId = parameters.appId.map { apps.id(named: $0, center) }
      try reset(parameters, call)
    }
    interface.on(ManagerInterface.Rescan.self) { [unowned self] parameters, call in
      try check(call)
      try rescan(Set(parameters.acceptRoots ?? []))
      return .init()
    }
    interface.onTask(ManagerInterface.Reload.self) { [unowned self] _, call in
      try check(call)
      let later = try await reload()
      return .init(needsRestart: later.isEmpty ? nil : later)
    }
    addAccessLog(to: &interface)
    addPolicies(to: &interface)
    addHealth(to: &interface)
    deleted?.implement(&interface)
    return interface
  }

  /// Refuses who may not act as an owner (S44).
  func check(_ call: ServerCall) throws {
    guard try callers.mayActAsOwner(call) else { throw ManagerInterface.NotAnOwner() }
  }

  private func set(_ parameters: ManagerInterface.SetAuthorization.Parameters, _ call: ServerCall) throws {
    let level = AccessLevel(parameters.accessLevel)
    let status: DecidedStatus
    switch parameters.status {
    case .authorized: status = .authorized
    case .limited: status = .limited
    case .denied: status = .denied
    case .notDetermined, .restricted: throw InvalidParameter(parameter: "status")
    }
    if let expires = parameters.expires, Timestamp(expires) <= .now {
      throw InvalidParameter(parameter: "expires")
    }
    let duration = parameters.expires.map { GrantDuration.until(Timestamp($0)) } ?? .always
    let decision = Decision(status, decidedAt: .now, duration: duration)
    let uids = try users(of: parameters.appId, parameters.uid, call)
    let records = try uids.map { uid in
      try record(RecordKey(uid: uid, appID: parameters.appId, accessLevel: level), decision)
    }
    center.set(records, by: settings(call)) { reply in
      Self.answer(call, reply) { ManagerInterface.Storing(stored: $0.map { _ in false }, reason: $0) }
    }
  }

  /// Who changes something here, for the access log.
  func settings(_ call: ServerCall) -> AccessEvent.Author {
    AccessEvent.Author(.settings, uid: call.connection.peer.uid)
  }

  /// Tells an owner what a change has come to.
  ///
  /// - Parameter success: the reply, and why what it says is not on disk, where it is not.
  static func answer<Reply: Encodable>(
    _ call: ServerCall, _ reply: AuthorizationCenter.Reply, _ success: (_ unsaved: String?) -> Reply
  ) {
    switch reply {
    case .failure(let error): call.fail(error.toldToOwner)
    case .stored(let unsaved): call.reply(success(unsaved))
    case .status, .answer: call.reply(success(nil))
    }
  }

  private func record(_ key: RecordKey, _ decision: Decision) throws -> AuthorizationRecord {
    do throws(AddOnlyIsNeverLimited) { return try AuthorizationRecord(key, decision) } catch {
      throw InvalidParameter(parameter: "status")
    }
  }

  private func reset(_ parameters: ManagerInterface.Reset.Parameters, _ call: ServerCall) throws {
    if let appID = parameters.appId { _ = try users(of: appID, parameters.uid, call) }
    let user = try parameters.uid.map { try uid($0) }
    let level = parameters.accessLevel.map { AccessLevel($0) }
    let keys = center.resettableKeys.filter { key in
      key.appID == parameters.appId ?? key.appID && key.uid == user ?? key.uid
        && key.accessLevel == level ?? key.accessLevel
    }
    center.reset(keys, appID: parameters.appId, uid: user, by: settings(call)) { reply in
      Self.answer(call, reply) {
        ManagerInterface.Reset.Reply(count: keys.count, stored: $0.map { _ in false }, reason: $0)
      }
    }
  }

  /// Whose app is meant: the one named, else those who are known to run it, else the caller.
  func users(of appID: String, _ named: Int?, _ call: ServerCall) throws -> [UInt32] {
    guard apps.isKnown(appID, center) else { throw ManagerInterface.NoSuchApp(id: appID) }
    if let named { return [try uid(named)] }
    let known = apps.users(of: appID, center)
    return known.isEmpty ? [call.connection.peer.uid] : known
  }

  private func uid(_ number: Int) throws -> UInt32 {
    guard let uid = UInt32(exactly: number), uid != .max else { throw InvalidParameter(parameter: "uid") }
    return uid
  }
}
