internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// Where an album shall be, as its mover sees it.
  private struct AlbumPlace {
    let parent: DirectoryID
    /// `nil` to keep the title that it has.
    var title: FileName?
  }

  /// How many numbers are tried after the title that a limited app gives.
  static var mostNumbers: Int { 100 }

  /// Gives an album another title (S75).
  func renameAlbum(
    _ parameters: LibraryInterface.RenameAlbum.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.RenameAlbum.Reply {
    let title = FileName(parameters.title)
    let album = try await move(parameters.album, call) { node, _ in
      guard (try? NumberedNames(title: title)) != nil else { throw InvalidParameter(parameter: "title") }
      return AlbumPlace(parent: node.parent ?? DirectoryID(of: node.root), title: title)
    }
    return .init(album: album)
  }

  /// Has an album lie in another, or in none (S75).
  func moveAlbum(
    _ parameters: LibraryInterface.MoveAlbum.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.MoveAlbum.Reply {
    let album = try await move(parameters.album, call) { node, view in
      AlbumPlace(
        parent: try parameters.parent.map { try self.album($0, in: view) } ?? DirectoryID(of: node.root))
    }
    return .init(album: album)
  }

  private func move(
    _ text: String, _ call: ServerCall,
    to choose: @escaping @EventLoopActor (DirectoryTree.Node, LibraryView) throws -> AlbumPlace
  ) async throws -> LibraryInterface.Album {
    let reader = try access.reader(call)
    let view = reader.view
    let id = try album(text, in: view)
    guard let node = monitor.contents.tree[id] else { throw LibraryInterface.NoSuchAlbum(id: text) }
    let place = try choose(node, view)
    let shown = place.title ?? renderer.title(of: id, node.name, in: view)
    if reader.app != nil, place.parent != node.parent { try checkDepth(of: id, in: place.parent) }
    try countChange(by: reader)
    do {
      let names: [FileName]
      if view.seesEverything {
        names = [place.title ?? node.name]
      } else {
        // What it does not see must not be in its way: that would tell of it (S16).
        if isTitle(shown, in: place.parent, besides: id, for: view) { throw MoveRefusal.nameTaken }
        names = try Array(NumberedNames(title: shown).prefix(Self.mostNumbers))
      }
      let moved = try await monitor.edits.albumMoves.move(
        id, to: names, in: place.parent, keepsShared: reader.app != nil,
        mayBegin: mayBegin(call) { [self] in
          let view = try present(reader, call).view
          _ = try self.album(text, in: view)
          _ = try choose(node, view)
        }
      ) { album, views in
        if !view.seesEverything { try views.noteTitle(of: id, name: album.name, shown) }
      }
      access.note(.moveAlbum, by: reader)
      return renderer.album(moved, in: try access.reader(call).view)
    } catch let error as MoveRefusal {
      throw wireError(error, of: text, as: shown)
    } catch let error as LibraryFileError {
      throw wireError(error, of: text, in: rootName(of: id))
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
  }

  /// Whether another album that a limited app sees there has that title.
  private func isTitle(
    _ title: FileName, in parent: DirectoryID, besides id: AlbumID, for view: LibraryView
  ) -> Bool {
    view.ownAlbums.contains { other in
      guard other != id, view.sees(other), let node = monitor.contents.tree[other], node.parent == parent
      else { return false }
      return renderer.title(of: other, node.name, in: view) == title
    }
  }

  /// As in making one, with all that lies in it.
  private func checkDepth(of id: AlbumID, in parent: DirectoryID) throws {
    let tree = monitor.contents.tree
    guard let own = tree.path(of: id)?.count, let above = tree.path(of: parent)?.count,
      !tree.contains(parent, beneath: id)
    else { return }
    let deepest = tree.subtree(of: id).compactMap { tree.path(of: $0)?.count }.max() ?? own
    // What lies deeper already may come further up.
    guard above + 1 + deepest - own <= max(limits.albumDepth, deepest) else {
      throw LibraryInterface.TooDeep(limit: limits.albumDepth)
    }
  }

  /// Why an album could not be moved, as it is said to who named it.
  func wireError(_ refusal: MoveRefusal, of id: String, as name: FileName) -> any Error {
    switch refusal {
    case .nameTaken: LibraryInterface.NameTaken(name: name.description)
    case .otherRoot: LibraryInterface.CannotMove(id: id, reason: .otherRoot)
    case .insideItself: LibraryInterface.CannotMove(id: id, reason: .insideItself)
    case .mounted: LibraryInterface.CannotMove(id: id, reason: .mounted)
    case .shared: LibraryInterface.CannotMove(id: id, reason: .shared)
    }
  }

  private func wireError(_ error: LibraryFileError, of id: String, in root: String) -> any Error {
    switch error.code {
    case .invalidName: InvalidParameter(parameter: "title")
    case .noSpace: LibraryInterface.NoSpace()
    case .offline: LibraryInterface.Offline(root: root)
    case .busy: AuthorizationInterface.Busy()
    case .readOnly: LibraryInterface.ReadOnly(root: root)
    case .otherFileSystem: LibraryInterface.CannotMove(id: id, reason: .otherRoot)
    case .gone, .replaced: LibraryInterface.NoSuchAlbum(id: id)
    case .notRegular, .tooLarge, .notMedia, .unreadableSource, .onlyName, .noAttributes, .system: error
    }
  }
}
