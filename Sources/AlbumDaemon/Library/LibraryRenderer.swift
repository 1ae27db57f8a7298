internal import AlbumAPI
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage

/// Assets and albums as a caller is told of them: public ids, text, and only the albums it may see.
@EventLoopActor
struct LibraryRenderer {
  let store: any LibraryReading
  let contents: LibraryContents
  let last = LastIDs()

  init(store: any LibraryReading, monitor: LibraryMonitor) {
    self.store = store
    contents = monitor.contents
  }

  /// The token of a place, for whoever was told what happened there.
  ///
  /// - Parameter location: whether they are told where pictures were taken (S57).
  func token(_ place: Place, location: Bool) -> String { store.tokens.encode(place, hasLocation: location) }

  /// The token of a place that a caller comes to by asking: it says nothing of what it does not see (S16).
  func token(_ place: Place, in view: LibraryView, location: Bool) -> String {
    view.seesEverything
      ? token(place, location: location) : store.tokens.encodeAnew(place, hasLocation: location)
  }

  /// The public id of an asset.
  func id(_ id: AssetID) -> String { store.ids.encode(id) }

  /// The asset of a public id; `nil` for what was made up.
  func asset(of id: String) -> AssetID? { store.ids.asset(id) }

  /// The public id of an album.
  func id(_ id: AlbumID) -> String { store.ids.encode(id) }

  /// Public ids of the albums that a view shows.
  func albums(_ albums: [AlbumID], in view: LibraryView) -> [String] {
    albums.filter(view.sees).map(store.ids.encode)
  }

  /// An asset of the index.
  ///
  /// - Parameter location: whether it is told where it was taken (S57).
  func asset(_ asset: Asset, in view: LibraryView, location: Bool) -> LibraryInterface.Asset {
    let (text, encoded) = Self.text(asset.filename)
    let said = asset.description?.file
    let burst = asset.burst
    return LibraryInterface.Asset(
      id: store.ids.encode(asset.id), filename: text, percentEncodedFilename: encoded,
      albums: albums(asset.albums, in: view), mediaType: .init(asset.mediaType), byteCount: asset.byteCount,
      created: Instant(nanoseconds: asset.created), modified: Instant(nanoseconds: asset.modified),
      resources: asset.resources, pixelWidth: said?.pixelWidth, pixelHeight: said?.pixelHeight,
      durationSeconds: said?.seconds, hasLocation: said.map { $0.place != nil },
      createdFrom: asset.description?.captured == nil ? .file : .capture, createdLocal: said?.cameraTime,
      subtypes: asset.subtypes.names, location: location ? said?.place.map { .init($0) } : nil,
      offline: contents.isOffline(asset), contentHash: location ? asset.contentHash?.text : nil,
      isFavorite: asset.isFavorite ? true : nil, isHidden: asset.isHidden ? true : nil,
      hasAdjustment: asset.edit == .adjusted ? true : nil, burstIdentifier: burst?.identifier,
      representsBurst: burst?.isRepresentative ?? false ? true : nil)
  }

  /// Whether an asset of a change cannot be opened by now: nearly always none is.
  func isOffline(_ id: AssetID) -> Bool {
    guard contents.isAnythingOffline, let asset = try? store.files.asset(id) else { return false }
    return contents.isOffline(asset)
  }

  /// An album of the tree.
  ///
  /// - Parameter sights: for several that are rendered of one moment.
  func album(_ album: Album, in view: LibraryView, _ sights: AssetQueries.Sights = .init())
    -> LibraryInterface.Album
  {
    let parent = album.parent.flatMap { view.sees($0) ? $0 : nil }
    return render(
      album.id, name: album.name, root: album.root, parent: parent, assetCount: album.assetCount,
      isShared: album.isShared, in: view, sights)
  }

  /// The album of a change: as it was right after it, with what only the tree knows.
  ///
  /// - Parameters:
  ///   - now: what the caller sees by now: its key photo is told as it is.
  ///   - creator: whose albums are told as created by the caller, besides those that the view names.
  func album(_ change: Change, in view: LibraryView, now: LibraryView, creator: ViewerKey?)
    -> LibraryInterface.Album?
  {
    guard case .album(let id) = change.subject, case .album(let name, let root) = change.snapshot else {
      return nil
    }
    let album = contents.album(id)
    var rendered = render(
      id, name: name, root: root, parent: change.albumsAfter.first { view.sees($0) },
      assetCount: album?.assetCount ?? 0, isShared: album?.isShared ?? false, in: view)
    rendered.keyAsset = keyAsset(of: id, in: now).map(store.ids.encode)
    guard let creator, let own = try? store.viewers.ownAlbums(of: creator), own.contains(id) else {
      return rendered
    }
    var created = rendered
    created.createdByCaller = true
    return created
  }

  /// What an album of that name is called for a caller: as it called it itself, if it is limited.
  func title(of album: AlbumID, _ name: FileName, in view: LibraryView) -> FileName {
    view.seesEverything ? name : (try? store.viewers.title(of: album, named: name)) ?? name
  }

  private func render(
    _ id: AlbumID, name: FileName, root: RootID, parent: AlbumID?, assetCount: Int, isShared: Bool,
    in view: LibraryView, _ sights: AssetQueries.Sights = .init()
  ) -> LibraryInterface.Album {
    let (text, encoded) = Self.text(title(of: id, name, in: view))
    // Its owner put more into it than its creator may see (S16).
    let assetCount =
      view.seesEverything
      ? assetCount - ((try? store.assets.hiddenCount(in: id)) ?? 0)
      : (try? store.assets.count(in: id, seenBy: view, sights)) ?? 0
    return LibraryInterface.Album(
      id: store.ids.encode(id), title: text, percentEncodedTitle: encoded,
      parent: parent.map(store.ids.encode),
      assetCount: assetCount, shared: isShared, createdByCaller: view.ownAlbums.contains(id),
      keyAsset: keyAsset(of: id, in: view).map(store.ids.encode), root: contents.name(of: root))
  }

  /// The asset that stands for an album, where the caller sees it there (S102).
  private func keyAsset(of album: AlbumID, in view: LibraryView) -> AssetID? {
    guard let id = try? store.keyPhotos.keyAsset(of: album), let asset = try? store.files.asset(id) else {
      return nil
    }
    return view.showsKey(asset, of: album) ? id : nil
  }

  /// A name as text, and without loss where the text has some.
  nonisolated static func text(_ name: FileName) -> (text: String, encoded: String?) {
    let (text, isEncoded) = name.display
    return isEncoded ? (String(decoding: name.bytes, as: UTF8.self), text) : (text, nil)
  }
}

extension Instant {
  /// A file's time.
  init(nanoseconds: Int64) {
    let (quotient, remainder) = nanoseconds.quotientAndRemainder(dividingBy: 1000)
    self.init(microseconds: remainder < 0 ? quotient - 1 : quotient)
  }
}

extension LibraryInterface.MediaType {
  init(_ type: MediaType) {
    switch type {
    case .image: self = .image
    case .video: self = .video
    case .livePhoto: self = .livePhoto
    }
  }
}

extension MediaType {
  init(_ type: LibraryInterface.MediaType) {
    switch type {
    case .image: self = .image
    case .video: self = .video
    case .livePhoto: self = .livePhoto
    }
  }

  /// The files of such an asset; the first is the asset itself.
  var resources: [LibraryInterface.ResourceType] {
    switch self {
    case .image: Self.photo
    case .video: Self.video
    case .livePhoto: Self.both
    }
  }
  private static let photo: [LibraryInterface.ResourceType] = [.photo]
  private static let video: [LibraryInterface.ResourceType] = [.video]
  private static let both: [LibraryInterface.ResourceType] = [.photo, .pairedVideo]

  /// The same, with so many sidecars (S78), with the original of what was edited (S94), and with RAW (S99).
  func resources(sidecars: Int, edit: EditState, hasRaw: Bool) -> [LibraryInterface.ResourceType] {
    let own = hasRaw ? resources + [.alternatePhoto] : resources
    let beside = sidecars > 0 ? own + repeatElement(.sidecar, count: sidecars) : own
    return edit.hasOriginal ? beside + [.original] : beside
  }
}

extension Asset {
  /// Its files; the first is the asset itself.
  var resources: [LibraryInterface.ResourceType] {
    mediaType.resources(sidecars: sidecars, edit: edit, hasRaw: hasRaw)
  }
}
