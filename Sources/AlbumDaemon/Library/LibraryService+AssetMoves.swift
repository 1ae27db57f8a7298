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
    do {
      // What it does not see must not be in its way: that would tell of it (S16).
      let numbered = try NumberedNames(name)
      let names = reader.view.seesEverything ? [name] : Array(numbered.prefix(Self.mostNumbers))
      let renamed = try await mover.rename(present, to: names)
      access.note(.renameAsset, assets: 1, by: reader)
      let reader = try access.reader(call)
      return .init(asset: renderer.asset(renamed, in: reader.view, location: reader.seesLocation))
    } catch {
      if (error as? LibraryFileError)?.code == .invalidName { throw InvalidParameter(parameter: "filename") }
      throw moveError(error, of: present, as: name)
    }
  }

  /// Moves assets into an album, out of those that the caller sees them in (S77).
  func moveAssets(
    _ parameters: LibraryInterface.AlbumMembership, _ call: ServerCall
  ) async throws -> LibraryInterface.MoveAssets.Reply {
    try await change(parameters, call, .moveAssets) { asset, album in
      let reader = try access.reader(call)
      let view = reader.view
      do {
        if reader.app != nil { try checkSharing(of: asset, into: album, for: view) }
        try await mover.move(asset, into: album) { view.seesEverything || view.sees($0) }
      } catch { throw moveError(error, of: asset, as: asset.filename) }
    }
    return .init()
  }

  /// Whether limited apps see an asset (S19) only an owner changes.
  private func checkSharing(of asset: Asset, into album: AlbumID, for view: LibraryView) throws {
    func isShared(_ album: AlbumID) -> Bool { monitor.contents.album(album)?.isShared ?? false }
    let after = asset.albums.filter { !view.seesEverything && !view.sees($0) } + [album]
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
