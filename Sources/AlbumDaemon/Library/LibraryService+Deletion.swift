internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

extension LibraryService {
  /// Deletes what the caller sees, if the owner agrees (S33).
  func deleteAssets(
    _ parameters: LibraryInterface.DeleteAssets.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.DeleteAssets.Reply {
    let asked = try await assets(parameters.ids, call) { try access.reader(call).view }.map {
      renderer.id($0.id)
    }
    let reader = try access.reader(call)
    if let app = reader.app { try await confirm(.deletion(asked), app, call) }
    // Asked again: the answer took its time, and much may be otherwise by now (S29).
    let present = try await lookUp(asked, call, in: { try access.reader(call).view }) {
      try? asset($0, in: $1)
    }
    // So did looking them up. Who was an owner and is none any more asks as the app that it is.
    let now = try self.present(reader, call)
    let found = present.filter { now.view.seesEverything || now.view.sees($0) }
    guard !found.isEmpty else { throw LibraryInterface.NoSuchAsset(id: asked[0]) }
    let (deleted, failure) = await remover.delete(
      found.map(\.id), by: reader.app?.appID, for: accountable(call)
    ) { [self] in
      try mayChange($0, reader, call)
    }
    if deleted.isEmpty {
      if let error = failure as? LibraryFileError { throw wireError(error, for: found[0]) }
      throw failure ?? LibraryInterface.NoSuchAsset(id: asked[0])
    }
    access.note(.delete, assets: deleted.count, by: reader)
    return .init(deleted: deleted.map { renderer.id($0) })
  }

  /// Overwrites what the caller sees, if the owner agrees (S33).
  func replaceAsset(
    _ parameters: LibraryInterface.ReplaceAsset.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.ReplaceAsset.Reply {
    let reader = try access.reader(call)
    let asked = try asset(parameters.id, in: reader.view)
    let index = parameters.fileDescriptor
    let adjustment = try await decoded(parameters.adjustment, of: reader)
    let proposed = ProposedFile(
      call.files, index: index, in: shownCopies, of: additions.accountable(call.connection.peer.uid))
    let source = AssetRemover.Source(files: proposed, index: index)
    // What can be refused without the owner is.
    try await remover.check(source, for: asked.mediaType)
    if let app = reader.app { try await confirm(.replacement(parameters.id, by: proposed), app, call) }
    let present = try asset(parameters.id, in: try access.reader(call).view)
    do {
      let replaced = try await remover.replace(
        present, with: source, for: additions.accountable(call.connection.peer.uid), adjustment: adjustment,
        by: reader.app?.appID,
        share: reader.app.map(additions.share),
        mayBegin: mayBegin(call) { [self] in try mayChange(present.id, reader, call) })
      access.note(.replace, assets: 1, by: reader)
      let reader = try access.reader(call)
      return .init(asset: renderer.asset(replaced, in: reader.view, location: reader.seesLocation))
    } catch let error as LibraryFileError { throw wireError(error, for: present) } catch
      where error.isNoSpace
    {
      throw LibraryInterface.NoSpace()
    }
  }
}

extension MediaType {
  /// The kind of its first file.
  var stillOrVideo: MediaType {
    switch self {
    case .image, .livePhoto: .image
    case .video: .video
    }
  }
}
