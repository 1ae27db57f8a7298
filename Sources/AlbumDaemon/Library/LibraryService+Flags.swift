internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// Marks assets as favourites (S90).
  func setFavorite(
    _ parameters: LibraryInterface.SetFavorite.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.SetFavorite.Reply {
    try await mark(parameters.ids, .favorite, parameters.favorite, call, .favorite)
    return .init()
  }

  /// Hides assets (S91). Who sees a part of the library would take from its own sight what an owner has shown it, and could not
  /// bring it back.
  func setHidden(
    _ parameters: LibraryInterface.SetHidden.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.SetHidden.Reply {
    try await mark(parameters.ids, .hidden, parameters.hidden, call, .hide)
    return .init()
  }

  /// All ids are looked at before anything is done. Others have their turn between some; what is decided and done meanwhile
  /// counts (S29).
  private func mark(
    _ ids: [String], _ flag: AssetFlags, _ isSet: Bool, _ call: ServerCall, _ kind: AccessEvent.Kind
  ) async throws {
    let author = try marker(call, kind)
    var assets = try await assets(ids, call) { try marker(call, kind).view }
    var marked = 0
    // Also where the call ends at one that cannot be marked.
    defer { if marked > 0 { access.note(kind, assets: marked, by: author) } }
    for index in assets.indices {
      if isDue(index, of: assets, mayWait: monitor.contents.mayWait(for: assets[index])) {
        if index > 0 {
          await call.giveWay()
          try Task.checkCancellation()
        }
        let view = try marker(call, kind).view
        for index in index..<min(index + Self.slice, assets.count) {
          assets[index] = try asset(renderer.id(assets[index].id), in: view)
        }
      }
      let id = assets[index].id
      let isMarked = try await mark(
        assets[index], flag, isSet, author,
        mayBegin: mayBegin(call) { [self] in
          _ = try present(author, call)
          try requireSeen(id, in: try marker(call, kind).view)
        })
      if isMarked { marked += 1 }
    }
  }

  /// Who may do that.
  private func marker(_ call: ServerCall, _ kind: AccessEvent.Kind) throws -> LibraryAccess.Reader {
    let reader = try access.reader(call)
    guard kind == .favorite || reader.view.seesEverything else { throw PermissionDenied() }
    return reader
  }

  /// - Returns: whether it was otherwise before.
  private func mark(
    _ asset: Asset, _ flag: AssetFlags, _ isSet: Bool, _ author: LibraryAccess.Reader, mayBegin: MayBegin
  ) async throws -> Bool {
    guard asset.flags.contains(flag) != isSet || asset.flags.inherited.contains(flag) else { return false }
    try countChange(by: author)
    do {
      let present = try await monitor.contents.recognized(asset, for: mayBegin.user)
      try await monitor.edits.flags.set(flag, isSet, of: present, mayBegin: mayBegin)
      return true
    } catch let error as LibraryFileError {
      guard error.code == .readOnly else { throw wireError(error, for: asset) }
      throw LibraryInterface.ReadOnly(root: rootName(of: asset.primary.directory))
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
  }
}
