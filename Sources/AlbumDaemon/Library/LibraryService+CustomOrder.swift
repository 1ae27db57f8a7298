internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// So many are given places in one turn, and so many are put before another: a millisecond or two.
  private static var placedAtOnce: Int { 50 }
  private static var orderedAtOnce: Int { 25 }

  /// Puts assets of an album before another one, or at the end (S103). Others have their turn between some; what is decided and
  /// done meanwhile counts (S29).
  func moveInAlbum(
    _ parameters: LibraryInterface.MoveInAlbum.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.MoveInAlbum.Reply {
    let author = try access.reader(call)
    let wish = try await orderWish(parameters, call)
    if let other = parameters.before, parameters.ids.contains(other) {
      throw InvalidParameter(parameter: "before")
    }
    do {
      try await placeAll(of: wish, parameters, call)
      for first in stride(from: 0, to: wish.assets.count, by: Self.orderedAtOnce) {
        if first > 0 {
          await call.giveWay()
          try Task.checkCancellation()
        }
        let slice = wish.assets[first..<min(first + Self.orderedAtOnce, wish.assets.count)]
        let now = try orderWish(parameters, slice.map { renderer.id($0) }, try access.reader(call).view)
        try countChange(by: author)
        guard try monitor.edits.albumOrders.move(now.assets, in: now.album, before: now.other) else {
          throw LibraryInterface.NoSuchAsset(id: parameters.before ?? "")
        }
      }
    } catch  where error.isNoSpace {
      throw LibraryInterface.NoSpace()
    }
    access.note(.arrangeAlbum, by: author)
    return .init()
  }

  /// What is to be put where, of what a caller sees.
  private struct OrderWish {
    let album: AlbumID
    /// Each once.
    let assets: [AssetID]
    let other: AssetID?
  }

  /// All of it, some at a time.
  private func orderWish(
    _ parameters: LibraryInterface.MoveInAlbum.Parameters, _ call: ServerCall
  ) async throws -> OrderWish {
    let album = try album(parameters.album, in: try access.reader(call).view)
    let assets = try await assets(parameters.ids, call) { try access.reader(call).view }
    return try orderWish(parameters, assets, in: album, try access.reader(call).view)
  }

  private func orderWish(
    _ parameters: LibraryInterface.MoveInAlbum.Parameters, _ ids: [String], _ view: LibraryView
  ) throws -> OrderWish {
    let album = try album(parameters.album, in: view)
    return try orderWish(parameters, try ids.map { try asset($0, in: view) }, in: album, view)
  }

  private func orderWish(
    _ parameters: LibraryInterface.MoveInAlbum.Parameters, _ assets: [Asset], in album: AlbumID,
    _ view: LibraryView
  ) throws -> OrderWish {
    func isThere(_ asset: Asset, _ id: String) throws -> AssetID {
      // What is elsewhere is not in the album.
      guard asset.albums.contains(album) else { throw LibraryInterface.NoSuchAsset(id: id) }
      return asset.id
    }
    let assets = try assets.map { try isThere($0, renderer.id($0.id)) }
    let other = try parameters.before.map { try isThere(try asset($0, in: view), $0) }
    return OrderWish(album: album, assets: assets, other: other)
  }

  /// Has all places that are needed: of those that come before what others are put before. That changes nothing of what is shown.
  private func placeAll(
    of wish: OrderWish, _ parameters: LibraryInterface.MoveInAlbum.Parameters, _ call: ServerCall
  ) async throws {
    if let other = wish.other, try store.customOrder.position(of: other, in: wish.album) != nil { return }
    let found = try await search(call) { reader -> @Sendable (LibraryReader) throws -> [AssetID] in
      let wish = try orderWish(parameters, Array(parameters.ids.prefix(1)), reader.view)
      return { try $0.unplaced(in: wish.album, through: wish.other) }
    }
    for first in stride(from: 0, to: found.value.count, by: Self.placedAtOnce) {
      let slice = Array(found.value[first..<min(first + Self.placedAtOnce, found.value.count)])
      try countChange(by: found.reader)
      // Where something has happened since, what came meanwhile may have been among them.
      try monitor.edits.albumOrders.place(slice, in: wish.album, tells: store.place != found.place)
      await call.giveWay()
      try Task.checkCancellation()
      _ = try album(parameters.album, in: try access.reader(call).view)
    }
  }
}
