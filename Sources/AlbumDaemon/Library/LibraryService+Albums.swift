internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// The most assets that one call may change: what a prompt can show.
  static var mostIDs: Int { 1000 }
  /// The most ids that a query may name: what one turn of the loop can look up.
  static var mostNamed: Int { 10_000 }
  /// So many assets are looked up in one turn.
  static var lookedUpAtOnce: Int { 50 }
  /// So many assets are linked, or marked, in one turn.
  static var slice: Int { 8 }

  /// So many names an app may give an asset: whenever it is looked at, all of them are read.
  private static var mostNames: Int { 100 }

  /// Refuses a list that names too many.
  static func check(_ ids: [String]?, _ parameter: String) throws {
    guard ids?.count ?? 0 <= mostNamed else { throw InvalidParameter(parameter: parameter) }
  }

  /// Makes an album (S19).
  func createAlbum(
    _ parameters: LibraryInterface.CreateAlbum.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.CreateAlbum.Reply {
    let reader = try access.reader(call)
    let suggestion = try parameters.name
    let parent: DirectoryID
    if let id = parameters.parent {
      parent = try album(id, in: reader.view)
    } else if let name = parameters.root {
      // Of two that are called the same, it is not known which one is meant.
      let named = monitor.state.roots.filter { $0.name == name }
      guard let root = named.first, named.count == 1 else { throw InvalidParameter(parameter: "root") }
      parent = DirectoryID(of: root.id)
    } else if let root = monitor.state.roots.first {
      parent = DirectoryID(of: root.id)
    } else {
      throw LibraryInterface.Offline(root: "")
    }
    try checkQuota(of: reader, in: parent)
    try countChange(by: reader)
    do {
      let title = try title(suggestion, in: parent, for: reader.view)
      // What an app makes is its own to undo: none of those that only an owner deletes.
      let shared = reader.app == nil ? [] : monitor.contents.sharedNames(in: parent)
      let album = try await monitor.edits.editor.makeAlbum(
        suggestion, in: parent, without: shared,
        mayBegin: mayBegin(call) { [self] in
          let now = try present(reader, call)
          if let id = parameters.parent { _ = try self.album(id, in: now.view) }
          try checkQuota(of: now, in: parent)
        }
      ) {
        try access.noteCreated($0, as: title, by: reader, in: $1)
      }
      access.note(.createAlbum, by: reader)
      return .init(album: renderer.album(album, in: try access.reader(call).view))
    } catch let error as LibraryFileError {
      switch error.code {
      case .invalidName: throw InvalidParameter(parameter: parameters.nameParameter)
      case .noSpace: throw LibraryInterface.NoSpace()
      case .offline: throw LibraryInterface.Offline(root: rootName(of: parent))
      case .busy: throw AuthorizationInterface.Busy()
      case .gone: throw LibraryInterface.NoSuchAlbum(id: parameters.parent ?? "")
      case .replaced, .notRegular, .tooLarge, .notMedia, .unreadableSource, .otherFileSystem, .onlyName,
        .readOnly, .noAttributes, .system:
        throw error
      }
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
  }

  /// What a new album is called for a limited app: numbered by the titles that it sees, as the directory is by the
  /// names that are there (S16). `nil` for who sees those too.
  private func title(_ suggestion: FileName, in parent: DirectoryID, for view: LibraryView) throws
    -> FileName?
  {
    guard !view.seesEverything else { return nil }
    let seen = view.ownAlbums.filter(view.sees).compactMap { monitor.contents.tree[$0] }
    let titles = Set(
      seen.filter { $0.parent == parent }.map { renderer.title(of: $0.id, $0.name, in: view) })
    return try NumberedNames(title: suggestion).first { !titles.contains($0) }
  }

  /// What an app makes stays within limits: each album is a watch, and the path to it is walked whenever a file
  /// in it is opened. An owner could make them without the daemon.
  private func checkQuota(of reader: LibraryAccess.Reader, in parent: DirectoryID) throws {
    guard reader.app != nil else { return }
    if let above = monitor.contents.tree.path(of: parent)?.count, above >= limits.albumDepth {
      throw LibraryInterface.TooDeep(limit: limits.albumDepth)
    }
    guard reader.view.ownAlbums.count(where: { monitor.contents.tree[$0] != nil }) < limits.albumsPerApp
    else {
      throw LibraryInterface.TooManyAlbums(limit: limits.albumsPerApp)
    }
  }

  /// Puts assets into another album (S34). Each is linked or not; the first that cannot be ends the call.
  func addToAlbum(_ parameters: LibraryInterface.AlbumMembership, _ call: ServerCall) async throws
    -> LibraryInterface.AddToAlbum.Reply
  {
    let isBounded = try access.reader(call).app != nil
    try await change(parameters, call, .addToAlbum) { asset, album, mayBegin in
      guard !isBounded || asset.links.count < Self.mostNames || asset.albums.contains(album) else {
        throw LibraryInterface.CannotLink(
          id: renderer.id(asset.id), reason: "it has \(Self.mostNames) names by now")
      }
      let present = try await monitor.contents.recognized(asset, for: mayBegin.user)
      try await monitor.edits.editor.link(present, into: album, mayBegin: mayBegin)
    }
    return .init()
  }

  /// Takes assets out of an album (S25).
  func removeFromAlbum(_ parameters: LibraryInterface.AlbumMembership, _ call: ServerCall) async throws
    -> LibraryInterface.RemoveFromAlbum.Reply
  {
    try await change(parameters, call, .removeFromAlbum) { asset, album, mayBegin in
      let present = try await monitor.contents.recognized(asset, for: mayBegin.user)
      try await monitor.edits.removals.unlink(present, from: album, mayBegin: mayBegin)
    }
    return .init()
  }

  /// All ids are looked at before anything is done.
  private func membership(
    _ parameters: LibraryInterface.AlbumMembership, _ call: ServerCall
  ) async throws -> ([Asset], AlbumID, LibraryAccess.Reader) {
    _ = try album(parameters.album, in: try access.reader(call).view)
    let found = try await assets(parameters.ids, call) { try access.reader(call).view }
    let reader = try access.reader(call)
    return (found, try album(parameters.album, in: reader.view), reader)
  }

  /// The assets that a call names, each once, as the caller sees them (S16).
  ///
  /// - Parameter view: what the caller sees, asked for each time.
  func assets(
    _ ids: [String], _ call: ServerCall, in view: () throws -> LibraryView
  ) async throws -> [Asset] {
    guard 1...Self.mostIDs ~= ids.count else { throw InvalidParameter(parameter: "ids") }
    return try await lookUp(ids, call, in: view) { try asset($0, in: $1) }
  }

  /// Looks ids up, each once, some at a time: others have their turn in between.
  func lookUp<Value>(
    _ ids: [String], _ call: ServerCall, in view: () throws -> LibraryView,
    _ body: (String, LibraryView) throws -> Value?
  ) async throws -> [Value] {
    var seen: Set<String> = []
    var found: [Value] = []
    for first in stride(from: 0, to: ids.count, by: Self.lookedUpAtOnce) {
      if first > 0 {
        await call.giveWay()
        try Task.checkCancellation()
      }
      let view = try view()
      for id in ids[first..<min(first + Self.lookedUpAtOnce, ids.count)] where seen.insert(id).inserted {
        if let value = try body(id, view) { found.append(value) }
      }
    }
    return found
  }

  /// Whether those from an index on are looked up again before something is done with them: a slice at a time, each where it may
  /// take a while, and the first where looking all of them up took several turns.
  func isDue(_ index: Int, of assets: [Asset], mayWait: Bool) -> Bool {
    if index == 0 { return assets.count > Self.lookedUpAtOnce }
    return mayWait || index % Self.slice == 0
  }

  /// An asset that the caller sees (S16).
  func asset(_ text: String, in view: LibraryView) throws -> Asset {
    guard let asset = try seenAsset(text, in: view) else { throw LibraryInterface.NoSuchAsset(id: text) }
    return asset
  }

  /// The asset with an id, if the caller sees it: the same steps for one that it does not see as for one
  /// that does not exist, because how long the answer takes would tell which it was (S16).
  func seenAsset(_ text: String, in view: LibraryView) throws -> Asset? {
    let (asset, isMeant) = try store.asset(named: text)
    // Not by a closure: within one that the standard library calls, it is looked at run time whether this is the loop.
    guard let asset else { return nil }
    let isSeen = view.sees(asset)
    return isSeen && isMeant ? asset : nil
  }

  /// Others have their turn between some; what is decided and done meanwhile counts (S29).
  func change(
    _ parameters: LibraryInterface.AlbumMembership, _ call: ServerCall, _ kind: AccessEvent.Kind,
    _ body: @EventLoopActor (Asset, AlbumID, MayBegin) async throws -> Void
  ) async throws {
    var (assets, album, reader) = try await membership(parameters, call)
    if monitor.contents.rootApart(of: album) != nil {
      do { try await monitor.contents.waitForAnswer(of: album, for: accountable(call)) } catch {
        throw LibraryInterface.Offline(root: rootName(of: album))
      }
      (assets, album, reader) = try await membership(parameters, call)
    }
    let author = reader
    // Where each takes a while, it is looked at again before each.
    let slice = monitor.contents.rootApart(of: album) == nil ? Self.slice : 1
    var changed = 0
    // Also where the call ends at one that cannot be changed.
    defer { if changed > 0 { access.note(kind, assets: changed, by: author) } }
    for index in assets.indices {
      if isDue(index, of: assets, mayWait: slice == 1) {
        if index > 0 {
          await call.giveWay()
          try Task.checkCancellation()
        }
        let view = try access.reader(call).view
        album = try self.album(parameters.album, in: view)
        for index in index..<min(index + slice, assets.count) {
          assets[index] = try asset(renderer.id(assets[index].id), in: view)
        }
      }
      // What is there already is not added, what is not is not removed.
      let isChanged =
        assets[index].albums.contains(album) != (kind != .removeFromAlbum) || kind == .moveAssets
      if isChanged { try countChange(by: author) }
      let id = assets[index].id
      let mayBegin = mayBegin(call) { [self] in
        let view = try present(author, call).view
        _ = try self.album(parameters.album, in: view)
        try requireSeen(id, in: view)
      }
      do { try await body(assets[index], album, mayBegin) } catch let error as LibraryFileError {
        throw wireError(error, for: assets[index])
      } catch  where error.isNoSpace {
        throw LibraryInterface.NoSpace()
      }
      if isChanged { changed += 1 }
    }
  }

  /// Something in the library is about to be changed: counted for apps, which have a share of the journal each.
  ///
  /// - Throws: `Throttled` where it has none left today.
  func countChange(by reader: LibraryAccess.Reader) throws {
    if let app = reader.app { try changes.share(of: app).take(bytes: 0, files: 1) }
  }

  /// What became of an asset's file, as it is said to whoever named the asset. A file that has gone since
  /// the index last looked is an asset that does not exist.
  func wireError(_ error: LibraryFileError, for asset: Asset) -> any Error {
    let id = renderer.id(asset.id)
    return switch error.code {
    case .gone, .replaced, .notRegular: LibraryInterface.NoSuchAsset(id: id)
    case .offline: LibraryInterface.Offline(root: rootName(of: asset.primary.directory))
    case .busy: AuthorizationInterface.Busy()
    case .noSpace: LibraryInterface.NoSpace()
    case .onlyName: LibraryInterface.LastAlbum(id: id)
    case .otherFileSystem:
      LibraryInterface.CannotLink(id: id, reason: "it is on another file system than the album")
    case .noAttributes: LibraryInterface.FlagsNotSupported(id: id)
    case .tooLarge, .notMedia, .unreadableSource, .invalidName, .readOnly, .system: error
    }
  }
}
