internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// Gives an asset another name (S77).
  func renameAsset(
    _ parameters: LibraryInterface.RenameAsset.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.RenameAsset.Reply {
    let reader = try access.reader(call)
    let present = try asset(parameters.id, in: reader.view)
    let name = FileName(parameters.filename).keepingEnding(of: present.filename)
    try countChange(by: reader)
    do {
      // What it does not see must not be in its way: that would tell of it (S16).
      let numbered = try NumberedNames(name)
      let names = reader.view.seesEverything ? [name] : Array(numbered.prefix(Self.mostNumbers))
      let renamed = try await mover.rename(
        present, to: names, mayBegin: mayBegin(call) { [self] in try mayChange(present.id, reader, call) })
      access.note(.renameAsset, assets: 1, by: reader)
      let reader = try access.reader(call)
      return .init(asset: renderer.asset(renamed, in: reader.view, location: reader.seesLocation))
    } catch {
      if (error as? LibraryFileError)?.code == .invalidName { throw InvalidParameter(parameter: "filename") }
      throw moveError(error, of: present, as: name)
    }
  }

  /// Moves assets into an album, or into none, out of those that the caller sees them in (S77).
  func moveAssets(
    _ parameters: LibraryInterface.MoveAssets.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.MoveAssets.Reply {
    guard let album = parameters.album else {
      try await moveOut(parameters.ids, call)
      return .init()
    }
    try await change(.init(ids: parameters.ids, album: album), call, .moveAssets) { asset, album, mayBegin in
      let reader = try access.reader(call)
      let view = reader.view
      do {
        if reader.app != nil { try checkSharing(of: asset, into: album, for: view) }
        try await mover.move(
          asset, into: album, outOf: { view.seesEverything || view.sees($0) }, mayBegin: mayBegin)
      } catch { throw moveError(error, of: asset, as: asset.filename) }
    }
    return .init()
  }

  /// Moves assets out of all albums that the caller sees them in, to directly beneath their root. All ids are looked at before
  /// anything is done, and others have their turn between some (S29).
  private func moveOut(_ ids: [String], _ call: ServerCall) async throws {
    let author = try access.reader(call)
    var assets = try await assets(ids, call) { try access.reader(call).view }
    var moved = 0
    // Also where the call ends at one that cannot be moved.
    defer { if moved > 0 { access.note(.removeFromAlbum, assets: moved, by: author) } }
    for index in assets.indices {
      if isDue(index, of: assets, mayWait: monitor.contents.mayWait(for: assets[index])) {
        if index > 0 {
          await call.giveWay()
          try Task.checkCancellation()
        }
        let view = try access.reader(call).view
        for index in index..<min(index + Self.slice, assets.count) {
          assets[index] = try asset(renderer.id(assets[index].id), in: view)
        }
      }
      let asset = assets[index]
      try countChange(by: author)
      do {
        let reader = try access.reader(call)
        let view = reader.view
        if reader.app != nil { try checkSharing(of: asset, into: nil, for: view) }
        let isMoved = try await mover.moveOut(
          asset, of: { view.sees($0) },
          mayBegin: mayBegin(call) { [self] in try mayChange(asset.id, author, call) })
        if isMoved { moved += 1 }
      } catch { throw moveError(error, of: asset, as: asset.filename) }
    }
  }

  /// Whether limited apps see an asset (S19) only an owner changes.
  private func checkSharing(of asset: Asset, into album: AlbumID?, for view: LibraryView) throws {
    func isShared(_ album: AlbumID) -> Bool { monitor.contents.album(album)?.isShared ?? false }
    let after = asset.albums.filter { !view.seesEverything && !view.sees($0) } + (album.map { [$0] } ?? [])
    guard asset.albums.contains(where: isShared) == after.contains(where: isShared) else {
      throw MoveRefusal.shared
    }
  }

  private func moveError(_ error: any Error, of asset: Asset, as name: FileName) -> any Error {
    let id = renderer.id(asset.id)
    switch error {
    case let refusal as MoveRefusal: return wireError(refusal, of: id, as: name)
    case let error as LibraryFileError:
      return switch error.code {
      case .otherFileSystem: LibraryInterface.CannotMove(id: id, reason: .otherRoot)
      case .readOnly: LibraryInterface.ReadOnly(root: rootName(of: asset.primary.directory))
      default: wireError(error, for: asset)
      }
    default: return error.isNoSpace ? LibraryInterface.NoSpace() : error
    }
  }
}

extension FileName {
  /// This name with another's extension; where it has that already, as that is written there.
  fileprivate func keepingEnding(of other: FileName) -> FileName {
    let isSame = ending.lowercased() == other.ending.lowercased()
    let stem = isSame ? Array(self.stem) : bytes
    return FileName(stem + other.bytes[other.stem.endIndex...])
  }
}
