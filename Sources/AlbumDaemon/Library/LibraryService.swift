internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer

/// `io.albumd.Library`: parses, asks the index or the monitor, maps errors to names.
///
/// It is long because the interface has so many methods, a file of this for each kind, and has no state of its own: what
/// they do is done by the types that it is made of.
@EventLoopActor
final class LibraryService {
  let access: LibraryAccess
  let store: any LibraryReading
  let monitor: LibraryMonitor
  let renderer: LibraryRenderer
  let adder: AssetAdder
  let remover: AssetRemover
  let mover: AssetMover
  let describer: Describer
  let additions: DailyAdditions
  /// How many changes apps have had written into the journal, besides.
  let changes: DailyAdditions
  let limits: Configuration.Limits
  let center: AuthorizationCenter
  let placeless: PlacelessFiles
  let subscriptions: SubscriptionHub
  private let states: StateMonitors
  private let automaticPicker: AutomaticPicker
  let previews: Previews
  let searches: LongQueries
  let titles: SmartAlbumTitles
  /// Whether files are hashed.
  private let computesHashes: Bool
  /// Where bytes are made of long texts, and long lists are sorted.
  let codec: SharedThread
  /// Lists of albums that are being made.
  let albumLists = OneOfEachUser()
  /// The memory of what owners are shown of what would be put in photos' places.
  let shownCopies = ShownCopies()
  /// How many previews each user waits for.
  var waitingPreviews: [UInt32: Int] = [:]
  /// How many of each user's calls prepare some.
  var preparingPreviews: [UInt32: Int] = [:]

  init(
    access: LibraryAccess, store: any LibraryReading, monitor: LibraryMonitor, renderer: LibraryRenderer,
    adder: AssetAdder, remover: AssetRemover, mover: AssetMover, describer: Describer, computesHashes: Bool,
    limits: Configuration.Limits,
    center: AuthorizationCenter, subscriptions: SubscriptionHub, automaticPicker: AutomaticPicker,
    additions: DailyAdditions, changes: DailyAdditions, previews: Previews, placeless: PlacelessFiles,
    searches: LongQueries,
    states: StateMonitors, titles: SmartAlbumTitles, codec: SharedThread
  ) {
    self.codec = codec
    self.states = states
    self.titles = titles
    self.searches = searches
    self.computesHashes = computesHashes
    self.previews = previews
    self.automaticPicker = automaticPicker
    self.additions = additions
    self.changes = changes
    self.placeless = placeless
    self.limits = limits
    self.access = access
    self.store = store
    self.monitor = monitor
    self.renderer = renderer
    self.adder = adder
    self.remover = remover
    self.mover = mover
    self.describer = describer
    self.center = center
    self.subscriptions = subscriptions
  }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: LibraryInterface.definition)
    interface.longTexts["Adjustment"] = LongText(
      field: "data", bytes: Base64.length(of: Adjustment.mostBytes))
    interface.mostValues["AssetFilter"] = AssetFilter.mostFilters
    interface.onTask(LibraryInterface.GetInfo.self) { [unowned self] _, call in
      automaticPicker.offer(call)
      return try await info(call)
    }
    interface.handle(LibraryInterface.MonitorState.self) { [unowned self] _, call in states.add(call) }
    interface.handle(LibraryInterface.FetchAlbums.self) { [unowned self] parameters, call in
      automaticPicker.offer(call)
      call.goOn { [self] in
        guard parameters.smart ?? false else { return try await fetchAlbums(parameters, call) }
        call.reply(try await fetchSmartAlbums(parameters, call))
      }
    }
    interface.handle(LibraryInterface.FetchAssets.self) { [unowned self] parameters, call in
      automaticPicker.offer(call)
      try fetchAssets(parameters, call)
    }
    interface.handle(LibraryInterface.FetchMoments.self) { [unowned self] parameters, call in
      automaticPicker.offer(call)
      try fetchMoments(parameters, call)
    }
    interface.handle(LibraryInterface.Subscribe.self) { [unowned self] parameters, call in
      automaticPicker.offer(call)
      try subscribe(parameters, call)
    }
    interface.handle(LibraryInterface.OpenAsset.self) { [unowned self] parameters, call in
      automaticPicker.offer(call)
      try open(parameters, call)
    }
    interface.handle(LibraryInterface.OpenPreview.self) { [unowned self] parameters, call in
      automaticPicker.offer(call)
      call.goOn { [self] in try await openPreview(parameters, call) }
    }
    interface.onTask(LibraryInterface.PreparePreviews.self) { [unowned self] parameters, call in
      try await preparePreviews(parameters, call)
    }
    interface.onTask(LibraryInterface.AddAssets.self) { [unowned self] parameters, call in
      try await addAssets(parameters, call)
    }
    interface.onTask(LibraryInterface.CreateAlbum.self) { [unowned self] parameters, call in
      try await createAlbum(parameters, call)
    }
    interface.onTask(LibraryInterface.RenameAlbum.self) { [unowned self] parameters, call in
      try await renameAlbum(parameters, call)
    }
    interface.onTask(LibraryInterface.MoveAlbum.self) { [unowned self] parameters, call in
      try await moveAlbum(parameters, call)
    }
    interface.on(LibraryInterface.SetKeyAsset.self) { [unowned self] parameters, call in
      try setKeyAsset(parameters, call)
    }
    interface.onTask(LibraryInterface.MoveInAlbum.self) { [unowned self] parameters, call in
      try await moveInAlbum(parameters, call)
    }
    interface.onTask(LibraryInterface.DeleteAlbum.self) { [unowned self] parameters, call in
      try await deleteAlbum(parameters, call)
    }
    interface.onTask(LibraryInterface.AddToAlbum.self) { [unowned self] parameters, call in
      try await addToAlbum(parameters, call)
    }
    interface.onTask(LibraryInterface.RemoveFromAlbum.self) { [unowned self] parameters, call in
      try await removeFromAlbum(parameters, call)
    }
    interface.onTask(LibraryInterface.RenameAsset.self) { [unowned self] parameters, call in
      try await renameAsset(parameters, call)
    }
    interface.onTask(LibraryInterface.MoveAssets.self) { [unowned self] parameters, call in
      try await moveAssets(parameters, call)
    }
    interface.onTask(LibraryInterface.SetFavorite.self) { [unowned self] parameters, call in
      try await setFavorite(parameters, call)
    }
    interface.onTask(LibraryInterface.SetHidden.self) { [unowned self] parameters, call in
      try await setHidden(parameters, call)
    }
    interface.onTask(LibraryInterface.DeleteAssets.self) { [unowned self] parameters, call in
      try await deleteAssets(parameters, call)
    }
    interface.onTask(LibraryInterface.ReplaceAsset.self) { [unowned self] parameters, call in
      try await replaceAsset(parameters, call)
    }
    interface.onTask(LibraryInterface.GetAdjustment.self) { [unowned self] parameters, call in
      try await adjustment(parameters, call)
    }
    interface.onTask(LibraryInterface.RevertAsset.self) { [unowned self] parameters, call in
      try await revertAsset(parameters, call)
    }
    return interface
  }

  // MARK: State

  private func info(_ call: ServerCall) async throws -> LibraryInterface.GetInfo.Reply {
    let counted = try await countSeen(call)
    let reader = counted?.reader
    let state = monitor.state
    let isOwner = try access.actsAsOwner(call)
    return LibraryInterface.GetInfo.Reply(
      // Without access there is nothing to go on from, and a new token would tell of what is not seen (S16).
      token: counted.map { renderer.token($0.place, in: $0.reader.view, location: $0.reader.seesLocation) }
        ?? "",
      assetCount: counted?.value ?? 0,
      albumCount: reader.map { countAlbums($0.view) } ?? 0,
      state: .init(state.summary),
      roots: LibrarySnapshot.roots(state, isOwner: isOwner),
      // Of what a limited app does not see, it is not told how much there is (S16).
      undescribed: reader.flatMap { $0.view.seesEverything ? store.described.undescribedCount : nil },
      unhashed: reader.flatMap {
        $0.view.seesEverything && computesHashes ? store.hashed.unhashedCount : nil
      })
  }

  /// How many assets the caller sees; nil where it may not read, which is no refusal here.
  private func countSeen(_ call: ServerCall) async throws -> Searched<Int>? {
    guard let first = try access.readerIfAuthorized(call) else { return nil }
    if first.view.assets.count > Self.lookedUpAtOnce {
      await call.giveWay()
      try Task.checkCancellation()
    }
    guard let reader = try access.readerIfAuthorized(call) else { return nil }
    if let query = reader.view.narrowIfShort(AssetQuery()), store.assets.isShort(query) {
      return Searched(reader: reader, value: try store.assets.count(query), place: store.place)
    }
    call.endSlice()
    return try await searchIfAuthorized(call) { reader in
      let view = reader.view
      return { library in try library.count(view.narrow(AssetQuery())) }
    }
  }

  /// Without a look at every album: this is asked for while ten thousand of them are scanned.
  private func countAlbums(_ view: LibraryView) -> Int {
    view.seesEverything
      ? monitor.contents.albumCount
      : view.ownAlbums.count { view.sees($0) && monitor.contents.album($0) != nil }
  }

  // MARK: Albums

  /// An album that the caller may see (S16).
  func album(_ id: String, in view: LibraryView) throws -> AlbumID {
    guard let album = store.ids.album(id), view.sees(album), monitor.contents.album(album) != nil else {
      throw LibraryInterface.NoSuchAlbum(id: id)
    }
    return album
  }

  /// What apps may be told of the root that a directory is beneath.
  func rootName(of directory: DirectoryID) -> String {
    let root = monitor.contents.tree[directory]?.root
    return monitor.state.roots.first { $0.id == root }?.name ?? ""
  }

  /// Asks an owner whether an app may go on.
  func confirm(_ question: OwnerQuestion, _ app: PeerIdentity, _ call: ServerCall) async throws {
    func note(_ outcome: String) {
      let event = AccessEvent(question.logged, accessLevel: .readWrite, outcome: outcome)
      access.accessLog.note(event, assets: question.assetCount, app: app)
    }
    do {
      try await OwnerConfirmation.ask(question, for: app, call, by: center) { [access] in
        try? access.identity(of: call)
      }
    } catch let error as LibraryInterface.UserRefused {
      note("userRefused")
      throw error
    } catch let error as RequestError {
      note(error.outcome)
      throw error.onTheWire
    }
  }
}

extension OwnerQuestion {
  /// How many assets it is about, where that is known.
  fileprivate var assetCount: Int? {
    switch self {
    case .deletion(let ids), .photoAccess(let ids): ids.count
    case .replacement, .reversion: 1
    case .picker, .limitedPicker: nil
    }
  }

  /// What the access log calls it.
  fileprivate var logged: AccessEvent.Kind {
    switch self {
    case .deletion: .delete
    case .replacement: .replace
    case .reversion: .revert
    case .picker, .photoAccess: .pick
    case .limitedPicker: .settings
    }
  }
}

extension LibraryInterface.LibraryState {
  init(_ summary: LibraryState.Summary) {
    switch summary {
    case .scanning: self = .scanning
    case .ready: self = .ready
    case .degraded: self = .degraded
    case .offline: self = .offline
    }
  }
}
