internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Logging
internal import Storage
internal import Varlink
internal import VarlinkServer

/// `io.albumd.Picker`: parses, has the owner asked, answers with open files.
@EventLoopActor
final class PickerService {
  let center: AuthorizationCenter
  let access: LibraryAccess
  let store: any LibraryReading
  let contents: LibraryContents
  let renderer: LibraryRenderer
  let placeless: PlacelessFiles
  let names: UserNames
  let log: Logger
  private let callers: Callers

  init(
    center: AuthorizationCenter, callers: Callers, access: LibraryAccess, store: any LibraryReading,
    monitor: LibraryMonitor, renderer: LibraryRenderer, placeless: PlacelessFiles, names: UserNames,
    log: Logger
  ) {
    self.center = center
    self.callers = callers
    self.access = access
    self.store = store
    contents = monitor.contents
    self.renderer = renderer
    self.placeless = placeless
    self.names = names
    self.log = log
  }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: PickerInterface.definition)
    interface.mostValues["PickerFilter"] = AssetFilter.mostFilters
    interface.handle(PickerInterface.Pick.self) { [unowned self] parameters, call in
      try pick(parameters, call)
    }
    return interface
  }

  /// Any status will do, a policy's too: what the owner hands over with their own hands is no access to
  /// the library.
  private func pick(_ parameters: PickerInterface.Pick.Parameters, _ call: ServerCall) throws {
    let app = try callers.identity(of: call)
    callers.note(language: parameters.language, of: app)
    let wish = try PickerWish(parameters, isBounded: !call.call.wantsMore, store.ids)
    call.goOn { [self] in
      var wish = wish
      var app = app
      if let names = parameters.preselected, !names.isEmpty {
        // Whoever cannot be asked anything is told so at once: nothing is looked up for that.
        if let error = center.refusal(toAsk: app) { return refuse(error, app, call) }
        try await wish.preselect(
          names, call, in: { access.view(of: try callers.identity(of: call)) }, store)
        app = try callers.identity(of: call)
      }
      Pick(
        service: self, call: call, app: app, asksForAccess: parameters.requestAccess ?? false,
        language: call.language(named: parameters.language), asksForSidecars: parameters.sidecars ?? false
      ).begin(wish)
    }
  }

  /// The owner could not be asked.
  func refuse(_ error: RequestError, _ app: PeerIdentity, _ call: ServerCall) {
    access.accessLog.note(AccessEvent(.pick, outcome: error.outcome), app: app)
    call.fail(error.onTheWire)
  }
}
