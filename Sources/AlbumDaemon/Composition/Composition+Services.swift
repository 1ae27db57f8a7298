internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import VarlinkServer

extension Composition {
  /// Makes the services of the interfaces, and gives them to the server.
  ///
  /// - Returns: what the server does not keep.
  func makeServices() -> [AnyObject] {
    let visibility = VisibleAssets(access: access, store: store)
    let selectable = SelectableLibrary(store: store, monitor: library)
    let initial = configuration.initial
    let authorization = AuthorizationService(
      center: center, callers: callers, monitors: monitors, accessLog: accessLog, guides: guides,
      settings: settings, views: views, visibility: visibility)
    let ownerPreviews = OwnerPreviews(previews)
    let agents = AgentService(
      center: center, callers: callers, library: selectable, accessLog: accessLog, names: names,
      configuration: configuration, previews: ownerPreviews, registrations: registrations, codec: codec)
    let placeless = PlacelessFiles(
      pictures: pictures, copies: copies,
      findings: PlaceFindings(store: store, library: library, log: log), directory: initial.state, room: room)
    let picker = PickerService(
      center: center, callers: callers, access: access, store: store, monitor: library, renderer: renderer,
      placeless: placeless, names: names, log: log)
    let adder = AssetAdder(
      monitor: library, renderer: renderer, saveTo: initial.saveTo,
      limit: Int64(initial.limits.addBytes), room: room, reader: CopyReader(pictures))
    let libraryService = LibraryService(
      access: access, store: store, monitor: library, renderer: renderer, adder: adder, remover: remover,
      mover: mover, describer: describer, computesHashes: hasher != nil,
      limits: initial.limits, center: center, subscriptions: subscriptions,
      automaticPicker: AutomaticPicker(center: center, callers: callers, visibility: visibility),
      additions: DailyAdditions(
        .init(bytes: initial.limits.addBytesPerDay, files: initial.limits.addFilesPerDay),
        accountable: { [identification] in identification.accountable($0) }),
      changes: DailyAdditions(
        .changes(ofJournal: initial.journal.keepChanges),
        accountable: { [identification] in identification.accountable($0) }),
      previews: previews, placeless: placeless, searches: searches, states: states,
      titles: SmartAlbumTitles(configuration, apps: apps), codec: codec)
    let manager = ManagerService(
      center: center, callers: callers, apps: apps, accessLog: accessLog, accessLogReaders: accessLogReaders,
      names: names, library: selectable,
      roots: LibraryRoots(monitor: library),
      deleted: DeletedAssetsService(
        deleted: deleted, renderer: renderer, monitor: library, callers: callers, accessLog: accessLog,
        previews: ownerPreviews),
      reloading: reloading, settings: settings,
      report: DaemonReport(
        started: started, configuration: configuration, server: server, library: library, store: store,
        subscriptions: subscriptions, center: center, apps: apps, accessLog: accessLog,
        pictures: pictures),
      owners: owners, codec: codec)
    server.add(authorization.implementation())
    server.add(libraryService.implementation())
    server.add(picker.implementation())
    server.add(agents.implementation())
    server.add(manager.implementation())
    server.add(ServiceControl(callers: callers, reloading: reloading).implementation())
    return [authorization, agents, manager, libraryService, picker]
  }
}
