internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import VarlinkServer
internal import Varlink
internal import VarlinkTransport

/// `io.albumd.Authorization`: parses, asks the center, maps errors to names.
@EventLoopActor
final class AuthorizationService {
  private let center: AuthorizationCenter
  private let callers: Callers
  private let monitors: StatusMonitors
  private let accessLog: AccessLog
  private let guides: Guides
  private let settings: ServedSettings
  private let views: ViewJournal
  private let visibility: any AssetVisibility

  init(
    center: AuthorizationCenter, callers: Callers, monitors: StatusMonitors, accessLog: AccessLog,
    guides: Guides, settings: ServedSettings, views: ViewJournal, visibility: any AssetVisibility
  ) {
    self.visibility = visibility
    self.guides = guides
    self.settings = settings
    self.views = views
    self.center = center
    self.callers = callers
    self.accessLog = accessLog
    self.monitors = monitors
  }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: AuthorizationInterface.definition)
    interface.on(AuthorizationInterface.WhoAmI.self) { [unowned self] _, call in
      let app = try callers.identity(of: call, onlyAsks: true)
      return .init(
        identity: AuthorizationInterface.Identity(app), settingsAddress: settings.address(for: app))
    }
    interface.handle(AuthorizationInterface.GetStatus.self) { [unowned self] parameters, call in
      if let status = try status(parameters, call) {
        return call.reply(status, of: AuthorizationInterface.GetStatus.self)
      }
      call.goOn { [self] in
        var told: AuthorizationInterface.GetStatus.Reply?
        while told == nil {
          await call.giveWay()
          try Task.checkCancellation()
          told = try call.spending { try status(parameters, call) }
        }
        if let told { call.reply(told, of: AuthorizationInterface.GetStatus.self) }
      }
    }
    interface.on(AuthorizationInterface.SetLanguage.self) { parameters, call in
      if let language = parameters.language, !PersonLanguage.canBe(language) {
        throw InvalidParameter(parameter: "language")
      }
      call.session.language = parameters.language
      return .init()
    }
    interface.handle(AuthorizationInterface.Request.self) { [unowned self] parameters, call in
      try request(parameters, call)
    }
    interface.handle(AuthorizationInterface.Monitor.self) { [unowned self] _, call in
      monitors.add(call, try callers.identity(of: call, onlyAsks: true))
    }
    interface.handle(AuthorizationInterface.PresentLimitedPicker.self) { [unowned self] _, call in
      presentPicker(to: try callers.identity(of: call), call)
    }
    return interface
  }

  /// What holds now; nil while what is selected is being counted, some in each turn.
  private func status(
    _ parameters: AuthorizationInterface.GetStatus.Parameters, _ call: ServerCall
  ) throws -> AuthorizationInterface.GetStatus.Reply? {
    let app = try callers.identity(of: call, onlyAsks: true)
    let key = app.record(AccessLevel(parameters.accessLevel))
    let effective = center.decisions.status(of: key)
    guard case .counted(let selectionCount) = views.selectionCount(of: key, effective.status) else {
      return nil
    }
    return .init(
      status: .init(effective.status), expires: effective.expires.map(Instant.init),
      selectionCount: selectionCount, location: effective.location(of: key, for: app.manifest),
      guide: parameters.language.flatMap {
        effective.status.isUsable ? nil : guides.noAccess(effective, key.accessLevel, of: app, language: $0)
      })
  }

  private func presentPicker(to app: PeerIdentity, _ call: ServerCall) {
    let picker = LimitedPicker(
      center: center, app: app, asksItself: true, visibility: visibility,
      identity: { [callers] in try? callers.identity(of: call) }
    ) { result in
      switch result {
      case .success(let outcome):
        call.reply(
          AuthorizationInterface.PresentLimitedPicker.Reply(
            addedAssets: outcome.added, putOff: outcome.isPutOff ? true : nil))
      case .failure(let error): call.fail(error.onTheWire)
      }
    }
    guard let requester = picker.present() else { return }
    call.onEnd { [weak center] in center?.gone(requester) }
  }

  private func request(_ parameters: AuthorizationInterface.Request.Parameters, _ call: ServerCall) throws {
    let app = try callers.identity(of: call)
    let peer = call.connection.peer
    // Alive after it was read: the number was still this process's.
    guard let process = ProcessInstance.running(peer.pid), peer.isAlive else {
      throw AuthorizationInterface.UnidentifiedPeer(reason: "its process has ended")
    }
    let level = AccessLevel(parameters.accessLevel)
    callers.note(language: parameters.language, of: app)
    let requester = center.request(
      level, app: app, process: process, waitForAgent: parameters.waitForAgent ?? false,
      identity: { [callers] in try? callers.identity(of: call) }
    ) { [accessLog, guides, callers] reply in
      // By the manifests in force now.
      let asker = (try? callers.identity(of: call)) ?? app
      accessLog.note(AccessEvent(.request, accessLevel: level, outcome: reply.outcome), app: asker)
      switch reply {
      case .status(let effective):
        let language = call.language(named: parameters.language)
        let guide = guides.refusal(effective, level, of: asker, language: language)
        call.reply(
          AuthorizationInterface.Request.Reply(status: .init(effective.status), guide: guide))
      case .failure(let error): call.fail(error.onTheWire)
      case .stored, .answer: call.fail(RequestError.noAgent.onTheWire)
      }
    }
    call.onEnd { [weak center, accessLog] in
      // Who waited, and left before anybody was there, has asked all the same (S12).
      if center?.isUnheard(requester, of: app.uid) ?? false {
        accessLog.note(
          AccessEvent(.request, accessLevel: level, outcome: RequestError.noAgent.outcome), app: app)
      }
      center?.gone(requester)
    }
  }
}

extension RequestReply {
  /// In one word, for the access log.
  fileprivate var outcome: String? {
    switch self {
    case .status(let effective): effective.status.rawValue
    case .stored, .answer: nil
    case .failure(let error): error.outcome
    }
  }
}
