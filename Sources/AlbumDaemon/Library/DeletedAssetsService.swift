internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux
internal import Storage
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

/// The part of `io.albumd.Manager` about what was deleted (S33).
@EventLoopActor
struct DeletedAssetsService {
  private let deleted: RecentlyDeleted
  private let renderer: LibraryRenderer
  private let contents: LibraryContents
  private let callers: Callers
  private let accessLog: AccessLog
  private let previews: OwnerPreviews

  /// So many are looked up, or restored, in a turn.
  private static let slice = 200

  init(
    deleted: RecentlyDeleted, renderer: LibraryRenderer, monitor: LibraryMonitor, callers: Callers,
    accessLog: AccessLog, previews: OwnerPreviews
  ) {
    self.previews = previews
    self.deleted = deleted
    self.renderer = renderer
    contents = monitor.contents
    self.callers = callers
    self.accessLog = accessLog
  }

  func implement(_ interface: inout InterfaceImplementation) {
    interface.handle(ManagerInterface.ListDeleted.self) { _, call in
      try callers.checkOwner(call)
      Task.onLoopNow {
        do { try await list(call) } catch { call.fail(error) }
      }
    }
    interface.onTask(ManagerInterface.RestoreDeleted.self) { parameters, call in
      try callers.checkOwner(call)
      let reply = try await restore(
        parameters.ids,
        mayBegin: MayBegin(by: call.connection.peer.uid) { [self] in try callers.checkOwner(call) })
      note(.restore, reply.restored.count, call)
      return reply
    }
    interface.handle(ManagerInterface.OpenDeletedPreview.self) { parameters, call in
      call.goOn { try await openPreview(parameters, call) }
    }
    interface.onTask(ManagerInterface.PurgeDeleted.self) { parameters, call in
      try callers.checkOwner(call)
      let reply = try await purge(
        parameters.ids,
        mayBegin: MayBegin(by: call.connection.peer.uid) { [self] in try callers.checkOwner(call) })
      if reply.count > 0 { note(.purge, reply.count, call) }
      return reply
    }
  }

  /// What was deleted, small.
  private func openPreview(
    _ parameters: ManagerInterface.OpenDeletedPreview.Parameters, _ call: ServerCall
  ) async throws {
    try callers.checkOwner(call)
    guard OwnerPreviews.allows(parameters.pixels) else { throw InvalidParameter(parameter: "pixels") }
    let asset = try await found([parameters.id])[0].1
    let (deleted, contents) = (deleted, contents)
    let (preview, memory) = try await previews.open(
      parameters.id, pixels: parameters.pixels, for: call.connection.peer.uid, asset.asset.pictured
    ) { () throws(PictureFailure) in
      // Who reads it would wait with it where a file system does not answer.
      guard contents.rootApart(of: asset.place) == nil else { throw .unavailable }
      do throws(LibraryFileError) { return try await deleted.open(asset) } catch { throw .unavailable }
    }
    // It took its time (S29).
    try callers.checkOwner(call)
    call.reply(
      ManagerInterface.OpenDeletedPreview.Reply(
        fileDescriptor: 0, mediaType: preview.encoding.mediaType, pixelWidth: preview.width,
        pixelHeight: preview.height),
      descriptors: memory)
  }

  private func note(_ kind: AccessEvent.Kind, _ assets: Int, _ call: ServerCall) {
    guard let identity = try? callers.identity(of: call) else { return }
    accessLog.note(AccessEvent(kind), assets: assets, app: identity)
  }

  /// With "more" each page is a reply, and the next one waits until that was taken.
  private func list(_ call: ServerCall) async throws {
    var all: [ManagerInterface.DeletedAsset] = []
    try await deleted.forEachPage { page, isLast in
      guard !call.isOver else { return false }
      // Whoever may not act as an owner any more is told no more (S29).
      try callers.checkOwner(call)
      all += page.map(render)
      guard isLast || call.call.wantsMore else { return true }
      call.reply(ManagerInterface.ListDeleted.Reply(assets: all), continues: !isLast)
      all = []
      if !isLast { try? await call.waitUntilDrained() }
      return !call.isOver
    }
  }

  private func render(_ asset: DeletedAsset) -> ManagerInterface.DeletedAsset {
    let (name, encoded) = LibraryRenderer.text(asset.asset.filename)
    return ManagerInterface.DeletedAsset(
      id: renderer.id(asset.id), filename: name, percentEncodedFilename: encoded,
      albums: asset.asset.albums.filter { contents.tree[$0] != nil }.map { renderer.id($0) },
      mediaType: .init(asset.asset.mediaType), byteCount: asset.asset.byteCount,
      deleted: Instant(microseconds: asset.deleted * 1_000_000),
      purge: Instant(microseconds: deleted.purgeTime(of: asset) * 1_000_000), appId: asset.app)
  }

  private func restore(
    _ ids: [String], mayBegin: MayBegin
  ) async throws -> ManagerInterface.RestoreDeleted.Reply {
    let assets = try await found(ids)
    var restored: [String] = []
    var failure: (any Error)?
    for (number, (id, asset)) in assets.enumerated() {
      if number % Self.slice == Self.slice - 1 { await EventLoopActor.giveWay() }
      do {
        try await deleted.restore(asset.id, mayBegin: mayBegin)
        restored.append(id)
      } catch { failure = failure ?? wireError(error, id) }
    }
    if restored.isEmpty, let failure { throw failure }
    return .init(restored: restored)
  }

  /// - Throws: the first failure, if nothing was removed.
  private func purge(
    _ ids: [String]?, mayBegin: MayBegin
  ) async throws -> ManagerInterface.PurgeDeleted.Reply {
    var count = 0
    var failure: (cause: any Error, id: String)?
    func purge(_ asset: DeletedAsset) async {
      do { if try await deleted.purge(asset, mayBegin: mayBegin) { count += 1 } } catch {
        failure = failure ?? (error, renderer.id(asset.id))
      }
    }
    if let ids {
      for (number, (_, asset)) in try await found(ids).enumerated() {
        if number % Self.slice == Self.slice - 1 { await EventLoopActor.giveWay() }
        await purge(asset)
      }
    } else {
      try await deleted.forEachPage { page, _ in
        for asset in page { await purge(asset) }
        return true
      }
    }
    if count == 0, let failure { throw wireError(failure.cause, failure.id) }
    return .init(count: count, problem: failure.map { "\($0.cause)" })
  }

  /// All ids are looked at before anything is done.
  private func found(_ ids: [String]) async throws -> [(String, DeletedAsset)] {
    guard !ids.isEmpty else { throw InvalidParameter(parameter: "ids") }
    var seen: Set<String> = []
    var found: [(String, DeletedAsset)] = []
    for (number, id) in ids.enumerated() where seen.insert(id).inserted {
      if number % Self.slice == Self.slice - 1 { await EventLoopActor.giveWay() }
      guard let number = renderer.asset(of: id), let asset = try deleted.asset(number) else {
        throw ManagerInterface.NoSuchDeletedAsset(id: id)
      }
      found.append((id, asset))
    }
    return found
  }

  private func wireError(_ error: any Error, _ id: String) -> any Error {
    switch error {
    case let error as LibraryFileError where error.code == .busy: AuthorizationInterface.Busy()
    case let error as LibraryFileError: ManagerInterface.CannotRestore(id: id, reason: "\(error)")
    case let error as SystemError: ManagerInterface.CannotRestore(id: id, reason: "\(error)")
    default: error
    }
  }
}
