internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import VarlinkServer

/// `io.albumd.Library`: parses, asks the index or the monitor, maps errors to names.
@EventLoopActor
final class LibraryService {
  let access: LibraryAccess
  let store: LibraryStore
  let monitor: LibraryMonitor
  let renderer: LibraryRenderer
  let adder: AssetAdder
  private let subscriptions: SubscriptionHub

  init(
    access: LibraryAccess, store: LibraryStore, monitor: LibraryMonitor, renderer: LibraryRenderer,
    adder: AssetAdder, subscriptions: SubscriptionHub
  ) {
    self.access = access
    self.store = store
    self.monitor = monitor
    self.renderer = renderer
    self.adder = adder
    self.subscriptions = subscriptions
  }

  func implementation() -> InterfaceImplementation {
    var interface = InterfaceImplementation(definition: LibraryInterface.definition)
    interface.on(LibraryInterface.GetInfo.self) { [unowned self] _, call in try info(call) }
    interface.on(LibraryInterface.FetchAlbums.self) { [unowned self] parameters, call in
      try fetchAlbums(parameters, call)
    }
    interface.handle(LibraryInterface.FetchAssets.self) { [unowned self] parameters, call in
      try fetchAssets(parameters, call)
    }
    interface.handle(LibraryInterface.Subscribe.self) { [unowned self] parameters, call in
      try subscriptions.add(call, parameters, try access.reader(call))
    }
    interface.handle(LibraryInterface.OpenAsset.self) { [unowned self] parameters, call in
      try open(parameters, call)
    }
    interface.onTask(LibraryInterface.AddAssets.self) { [unowned self] parameters, call in
      try await addAssets(parameters, call)
    }
    return interface
  }

  // MARK: State

  private func info(_ call: ServerCall) throws -> LibraryInterface.GetInfo.Reply {
    let reader = try access.readerIfAuthorized(call)
    let state = monitor.state
    let isOwner = try access.actsAsOwner(call)
    return LibraryInterface.GetInfo.Reply(
      token: renderer.token(store.place), assetCount: try reader.map { try count($0.view) } ?? 0,
      albumCount: reader.map { reader in monitor.albums.count { reader.view.sees($0.id) } } ?? 0,
      state: .init(state.summary),
      roots: state.roots.map { root in
        LibraryInterface.Root(
          path: isOwner ? root.path : nil,
          state: root.offline == nil ? .init(state.summary) : .offline,
          problem: isOwner ? root.offline : nil)
      })
  }

  private func count(_ view: LibraryView) throws -> Int {
    try store.countAssets(view.narrow(AssetQuery()))
  }

  // MARK: Albums

  private func fetchAlbums(
    _ parameters: LibraryInterface.FetchAlbums.Parameters, _ call: ServerCall
  ) throws -> LibraryInterface.FetchAlbums.Reply {
    let view = try access.reader(call).view
    let parent = try parameters.parent.map { try album($0, in: view) }
    let ids = parameters.ids.map { Set($0.compactMap(store.ids.album)) }
    let albums = monitor.albums.filter { album in
      view.sees(album.id) && (parent == nil || album.parent == parent) && (ids?.contains(album.id) ?? true)
    }
    return LibraryInterface.FetchAlbums.Reply(
      albums: albums.sorted { ($0.name, $0.id) < ($1.name, $1.id) }.map { renderer.album($0, in: view) },
      token: renderer.token(store.place))
  }

  /// An album that the caller may see (S16).
  func album(_ id: String, in view: LibraryView) throws -> AlbumID {
    guard let album = store.ids.album(id), view.sees(album), monitor.album(album) != nil else {
      throw LibraryInterface.NoSuchAlbum(id: id)
    }
    return album
  }

  // MARK: Opening

  private func open(_ parameters: LibraryInterface.OpenAsset.Parameters, _ call: ServerCall) throws {
    let reader = try access.reader(call)
    let view = reader.view
    let missing = LibraryInterface.NoSuchAsset(id: parameters.id)
    guard let id = store.ids.asset(parameters.id), let asset = try store.asset(id),
      view.sees(id, in: asset.albums)
    else { throw missing }
    let rendered = renderer.asset(asset, in: view)
    if let resource = parameters.resource, resource != rendered.resources.first { throw missing }
    let file: OwnedDescriptor
    do throws(LibraryFileError) { file = try monitor.open(asset) } catch {
      throw wireError(error, for: asset, missing)
    }
    if let app = reader.app { access.accessLog.note(AccessEvent(.open, accessLevel: .readWrite), app: app) }
    let batch = DescriptorBatch()
    let index = batch.append(file)
    call.reply(
      LibraryInterface.OpenAsset.Reply(asset: rendered, fileDescriptor: index), descriptors: batch)
  }

  /// A file that has gone since the index last looked is an asset that does not exist.
  private func wireError(
    _ error: LibraryFileError, for asset: Asset, _ missing: LibraryInterface.NoSuchAsset
  ) -> any Error {
    switch error.code {
    case .gone, .replaced, .notRegular: missing
    case .offline: LibraryInterface.Offline(root: rootName(of: asset))
    case .noSpace, .tooLarge, .notMedia, .unreadableSource, .invalidName, .system: error
    }
  }

  private func rootName(of asset: Asset) -> String {
    let root = monitor.tree[asset.primary.directory]?.root
    return monitor.state.roots.first { $0.id == root }?.name ?? ""
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
