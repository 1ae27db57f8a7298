internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import Linux
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
  let accessLogReaders: AccessLogReaders
  let library: SelectableLibrary
  let roots: LibraryRoots
  let deleted: DeletedAssetsService
  let reloading: Reloading
  let report: DaemonReport
  /// Where long texts are written.
  let codec: SharedThread
  /// What is told of apps is held in memory until all of it is.
  let appLists = OneOfEachUser()
  private let served: ServedSettings
  private let names: UserNames
  /// Connections that act as their owners: a program may say so in a loop.
  private let owners: ThrottledLog

  init(
    center: AuthorizationCenter, callers: Callers, apps: KnownApps, accessLog: AccessLog,
    accessLogReaders: AccessLogReaders, names: UserNames, library: SelectableLibrary, roots: LibraryRoots,
    deleted: DeletedAssetsService, reloading: Reloading, settings: ServedSettings, report: DaemonReport,
    owners: ThrottledLog, codec: SharedThread
  ) {
    self.codec = codec
    served = settings
    self.center = center
    self.callers = callers
    self.apps = apps
    self.accessLog = accessLog
    self.accessLogReaders = accessLogReaders
    self.names = names
    self.library = library
    self.roots = roots
    self.deleted = deleted
    self.reloading = reloading
    self.report = report
    self.owners = owners
  }

  private var decisions: Decisions { center.decisions }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: ManagerInterface.definition)
    interface.on(ManagerInterface.ActAsOwner.self) { [unowned self] _, call in
      try callers.checkOwner(call)
      call.session.actsAsOwner = true
      accessLog.note(AccessEvent(.owner), app: try callers.identity(of: call))
      let uid = call.connection.peer.uid
      owners.note(
        "A connection of \(names.label(uid)) acts as the owner", uid: uid,
        metadata: callers.metadata(of: call))
      return .init()
    }
    interface.handle(ManagerInterface.ListApps.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      let languages = parameters.language.map { [$0] } ?? []
      names.look(up: apps.users) { [weak self] names in self?.listApps(names, languages, call) }
    }
    interface.handle(ManagerInterface.SetAuthorization.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId)
      try set(parameters, call)
    }
    interface.handle(ManagerInterface.SetLocation.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId)
      try setLocation(parameters, call)
    }
    interface.handle(ManagerInterface.SetSelection.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId)
      try setSelection(parameters, call)
    }
    interface.handle(ManagerInterface.GetSelection.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      var parameters = parameters
      parameters.appId = apps.id(named: parameters.appId)
      try selection(parameters, call)
    }
    interface.handle(ManagerInterface.Reset.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      var parameters = parameters
      parameters.appId = parameters.appId.map { apps.id(named: $0) }
      try reset(parameters, call)
    }
    interface.on(ManagerInterface.Rescan.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      try roots.rescan(accepting: Set(parameters.acceptRoots ?? []))
      return .init()
    }
    interface.onTask(ManagerInterface.Reload.self) { [unowned self] _, call in
      try callers.checkOwner(call)
      let later = try await reloading.reload()
      return .init(needsRestart: later.isEmpty ? nil : later)
    }
    interface.handle(ManagerInterface.ServeSettings.self) { [unowned self] parameters, call in
      try served.add(parameters, call)
    }
    addAccessLog(to: &interface)
    addPolicies(to: &interface)
    addHealth(to: &interface)
    deleted.implement(&interface)
    return interface
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
    if let expires = parameters.expires, Timestamp(expires) <= decisions.now {
      throw InvalidParameter(parameter: "expires")
    }
    let duration = parameters.expires.map { GrantDuration.until(Timestamp($0)) } ?? .always
    if parameters.location == true, level == .addOnly || !status.status.isUsable {
      throw InvalidParameter(parameter: "location")
    }
    let uids = try users(of: parameters.appId, parameters.uid, call)
    let records = try uids.map { uid in
      let key = RecordKey(uid: uid, appID: parameters.appId, accessLevel: level)
      let decision = Decision(
        status, decidedAt: decisions.now, duration: duration,
        includesLocation: try includesLocation(key, wanted: parameters.location))
      return try record(key, decision)
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

  /// Changes what a grant includes, and nothing else of it: it ends when it would have.
  private func setLocation(_ parameters: ManagerInterface.SetLocation.Parameters, _ call: ServerCall) throws {
    let now = decisions.now
    let records = try users(of: parameters.appId, parameters.uid, call).compactMap { uid in
      let key = RecordKey(uid: uid, appID: parameters.appId, accessLevel: .readWrite)
      guard let decision = decisions.all[key], decision.status.status.isUsable, !decision.hasExpired(at: now)
      else { return nil as AuthorizationRecord? }
      let location = try includesLocation(key, wanted: parameters.location)
      return try record(
        key,
        Decision(decision.status, decidedAt: now, duration: decision.duration, includesLocation: location))
    }
    guard !records.isEmpty else { throw ManagerInterface.NotGranted(appId: parameters.appId) }
    center.set(records, by: settings(call)) { reply in
      Self.answer(call, reply) { ManagerInterface.Storing(stored: $0.map { _ in false }, reason: $0) }
    }
  }

  /// Whether a grant comes to include location (S55): as it was, where nothing is said. Whoever does not say what for
  /// keeps what it has and is given nothing.
  private func includesLocation(_ key: RecordKey, wanted: Bool?) throws -> Bool {
    let has = decisions.all[key].map { $0.includesLocation && !$0.hasExpired(at: decisions.now) } ?? false
    guard wanted == true, !has, !apps.saysWhyLocation(key.appID) else { return wanted ?? has }
    throw ManagerInterface.NoLocationUsage(
      appId: key.appID, manifest: "\(apps.manifestFile(of: key.appID)): usage.location")
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
    let keys = decisions.resettableKeys.filter { key in
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
    guard apps.isKnown(appID) else { throw ManagerInterface.NoSuchApp(id: appID) }
    if let named { return [try uid(named)] }
    let known = apps.users(of: appID)
    return known.isEmpty ? [call.connection.peer.uid] : known
  }

  private func uid(_ number: Int) throws -> UInt32 {
    guard let uid = UInt32(exactly: number), uid != .max else { throw InvalidParameter(parameter: "uid") }
    return uid
  }
}
