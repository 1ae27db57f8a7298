internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Glibc
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// So many assets an owner is asked about at once, with an album: an agent fetches them with one call.
  private static var mostOfAlbum: Int { 10_000 }

  /// Deletes an album: an empty one at once, another with what is in it, if the owner agrees (S76).
  func deleteAlbum(
    _ parameters: LibraryInterface.DeleteAlbum.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.DeleteAlbum.Reply {
    let reader = try access.reader(call)
    let text = parameters.album
    do {
      let first = try album(text, in: reader.view)
      let asked = try await content(of: first, named: text, for: reader, call)
      // Where all of them are elsewhere as well, no photo is deleted.
      let isToBeAsked = try await holdsLast(asked, in: first, call)
      if let app = reader.app, isToBeAsked {
        try await confirm(.deletion(asked.map { renderer.id($0) }), app, call)
      }
      // Asked again: the answer took its time, and much may be otherwise by now (S29).
      let id = try album(text, in: try access.reader(call).view)
      let albums = monitor.contents.tree.subtree(of: id)
      if reader.app != nil, !isToBeAsked, try await holdsLast(asked, in: id, call) {
        throw LibraryInterface.AlbumNotEmpty(id: text, reason: .otherFiles)
      }
      let deleted = try await empty(albums, of: asked, by: reader, mayDelete: isToBeAsked, call)
      for album in albums.reversed() {
        try countChange(by: reader)
        try await monitor.edits.albumRemovals.remove(
          album,
          mayBegin: mayBegin(call) { [self] in
            guard try present(reader, call).view.sees(album) else {
              throw LibraryInterface.NoSuchAlbum(id: text)
            }
          })
      }
      access.note(.deleteAlbum, assets: deleted.isEmpty ? nil : deleted.count, by: reader)
      return .init(deleted: deleted.map { renderer.id($0) })
    } catch let error as MoveRefusal {
      throw wireError(error, of: text, as: FileName(text))
    } catch let error as LibraryFileError {
      throw removalError(error, of: text)
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
  }

  /// The assets in an album, and in all that lie in it, if it can be deleted.
  private func content(
    of id: AlbumID, named text: String, for reader: LibraryAccess.Reader, _ call: ServerCall
  ) async throws -> [AssetID] {
    func left(_ reason: LibraryInterface.AlbumRemainder) -> any Error {
      LibraryInterface.AlbumNotEmpty(id: text, reason: reason)
    }
    var found: [AssetID] = []
    var seen: Set<AssetID> = []
    for album in monitor.contents.tree.subtree(of: id) {
      guard let node = monitor.contents.tree[album] else { continue }
      // An album in it that the caller does not see is somebody's (S19), and would not come back.
      guard reader.view.sees(album) else { throw left(.notSeen) }
      if node.isMount { throw MoveRefusal.mounted }
      if reader.app != nil, monitor.contents.album(album)?.isShared ?? false { throw MoveRefusal.shared }
      var last: FileName?
      while true {
        let links = try store.files.links(in: album, after: last, limit: Self.lookedUpAtOnce)
        for link in links where seen.insert(link.asset).inserted {
          guard let asset = try store.files.asset(link.asset) else { continue }
          guard reader.view.sees(asset) else { throw left(.notSeen) }
          found.append(asset.id)
        }
        if reader.app != nil, found.count > Self.mostOfAlbum { throw left(.tooMany) }
        guard links.count == Self.lookedUpAtOnce else { break }
        last = links.last?.location.name
        await call.giveWay()
      }
      let removals = monitor.edits.albumRemovals
      let names = try await removals.names(in: album, for: accountable(call))
      let other = try await call.firstInSlices(names) { try removals.isOther($0, in: album) ? $0 : nil }
      if other != nil { throw left(.otherFiles) }
    }
    return found
  }

  /// Whether one of these assets is nowhere but in an album and in what lies in it.
  /// Others have their turn between some.
  private func holdsLast(
    _ assets: [AssetID], in album: AlbumID, _ call: ServerCall
  ) async throws -> Bool {
    let inside = Set(monitor.contents.tree.subtree(of: album))
    for (index, id) in assets.enumerated() {
      if index > 0, index % Self.lookedUpAtOnce == 0 { await call.giveWay() }
      if try store.files.asset(id)?.links.allSatisfy({ inside.contains($0.directory) }) == true {
        return true
      }
    }
    return false
  }

  /// Takes assets out of albums: those that are elsewhere as well stay there, the others are deleted.
  ///
  /// - Parameter mayDelete: whether any may be; an owner was asked.
  /// - Returns: what was deleted.
  private func empty(
    _ albums: [AlbumID], of asked: [AssetID], by reader: LibraryAccess.Reader, mayDelete: Bool,
    _ call: ServerCall
  ) async throws -> [AssetID] {
    let inside = Set(albums)
    var last: [AssetID] = []
    for id in asked {
      guard let asset = try store.files.asset(id) else { continue }
      guard asset.links.contains(where: { !inside.contains($0.directory) }) else {
        last.append(id)
        continue
      }
      for album in Set(asset.links.map(\.directory)).intersection(inside).sorted() {
        guard let present = try store.files.asset(id) else { break }
        try await monitor.edits.removals.unlink(
          present, from: album, mayBegin: mayBegin(call) { [self] in try mayChange(id, reader, call) })
      }
      await call.giveWay()
    }
    // What has lost its other name meanwhile keeps this one, and its album with it.
    if last.isEmpty || !(mayDelete || reader.app == nil) { return [] }
    let (deleted, failure) = await remover.delete(last, by: reader.app?.appID, for: accountable(call)) {
      [self] in try mayChange($0, reader, call)
    }
    if let failure { throw failure }
    return deleted
  }

  private func removalError(_ error: LibraryFileError, of id: String) -> any Error {
    let root = store.ids.album(id).map(rootName(of:)) ?? ""
    return switch (error.code, error.cause?.code) {
    case (.system, ENOTEMPTY), (.system, EEXIST), (.onlyName, _):
      LibraryInterface.AlbumNotEmpty(id: id, reason: .otherFiles)
    case (.system, EBUSY): LibraryInterface.CannotMove(id: id, reason: .mounted)
    case (.offline, _): LibraryInterface.Offline(root: root)
    case (.busy, _): AuthorizationInterface.Busy()
    case (.readOnly, _): LibraryInterface.ReadOnly(root: root)
    case (.noSpace, _): LibraryInterface.NoSpace()
    case (.gone, _), (.replaced, _): LibraryInterface.NoSuchAlbum(id: id)
    default: error
    }
  }
}
