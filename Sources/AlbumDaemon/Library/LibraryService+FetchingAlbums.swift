internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

/// The list of albums, told some at a time: there may be ten thousand, and what is seen of each is counted.
extension LibraryService {
  /// So many are told of in one turn.
  static var albumsAtOnce: Int { 32 }
  /// More than these are sorted on another thread.
  private static var mostSortedHere: Int { 500 }

  /// The albums that the caller sees, by title.
  func fetchAlbums(
    _ parameters: LibraryInterface.FetchAlbums.Parameters, _ call: ServerCall
  ) async throws {
    let view = try access.reader(call).view
    try Self.check(parameters.ids, "ids")
    let ids = parameters.ids == nil ? nil : try await namedAlbums(parameters.ids ?? [], call).directories
    let count = ids?.count ?? (view.seesEverything ? monitor.contents.albumCount : view.ownAlbums.count)
    guard count > Self.albumsAtOnce else { return try await tellAlbums(parameters, ids, call) }
    // What is told is held in memory until all of it is.
    call.endSlice()
    try await albumLists.run(for: call.accountableUser) {
      try Task.checkCancellation()
      try await tellAlbums(parameters, ids, call)
    }
  }

  /// Lists them, and again from the beginning where something was taken from the caller's sight meanwhile (S29).
  ///
  /// - Parameter ids: those that it names.
  private func tellAlbums(
    _ parameters: LibraryInterface.FetchAlbums.Parameters, _ ids: [AlbumID]?, _ call: ServerCall
  ) async throws {
    for _ in 0..<Self.mostTries {
      do { return try await list(parameters, ids, call) } catch is SeesLess {}
    }
    throw SystemFailure(message: "what you may see changes while it is sought: ask again later")
  }

  /// - Throws: ``SeesLess``.
  private func list(
    _ parameters: LibraryInterface.FetchAlbums.Parameters, _ ids: [AlbumID]?, _ call: ServerCall
  ) async throws {
    var reader = try access.reader(call)
    let parent = try parameters.parent.map { try album($0, in: reader.view) }
    // What changes from here on is told again by a subscription.
    let place = store.place
    // A limited app waits for its own albums only, however many others there are.
    let known =
      ids ?? (reader.view.seesEverything ? monitor.contents.albumIDs : Array(reader.view.ownAlbums))
    var listed: [ListedAlbum] = []
    try await call.inSlices(known, of: Self.readAtOnce) { ids in
      reader = try stillReading(reader, call)
      for id in ids where reader.view.sees(id) {
        guard let album = monitor.contents.album(id), parent == nil || album.parent == parent else {
          continue
        }
        listed.append(.init(title: renderer.title(of: id, album.name, in: reader.view), id: id))
      }
    }
    var albums = JSONWriter()
    albums.beginArray()
    try await call.inSlices(try await sorted(listed, call), of: Self.albumsAtOnce) { some in
      reader = try stillReading(reader, call)
      let sights = AssetQueries.Sights()
      for id in some.lazy.map(\.id) where reader.view.sees(id) {
        guard let album = monitor.contents.album(id) else { continue }
        albums.element()
        renderer.album(album, in: reader.view, sights).write(to: &albums)
      }
    }
    let text = albums.finish()
    let now = try stillReading(reader, call)
    access.note(.fetch, by: now)
    call.reply { writer in
      writer.beginObject()
      writer.name("albums")
      writer.raw(text)
      writer.name("token")
      writer.string(renderer.token(place, in: now.view, location: now.seesLocation))
      writer.end()
    }
  }

  /// The caller as it is by now.
  ///
  /// - Throws: `NotAuthorized`; ``SeesLess`` where it was told of what it may not see any more.
  private func stillReading(
    _ reader: LibraryAccess.Reader, _ call: ServerCall
  ) throws -> LibraryAccess.Reader {
    let now = try access.reader(call)
    guard reader.view.isWithin(now.view) else { throw SeesLess() }
    return now
  }

  private func sorted(_ albums: [ListedAlbum], _ call: ServerCall) async throws -> [ListedAlbum] {
    guard albums.count > Self.mostSortedHere else { return albums.sorted() }
    call.endSlice()
    let sorted = await codec.run(for: call.accountableUser) { () throws(Never) in albums.sorted() }
    await call.giveWay()
    try Task.checkCancellation()
    return sorted
  }
}

/// By title, and by age where several have the same.
private struct ListedAlbum: Comparable, Sendable {
  let title: FileName
  let id: AlbumID

  static func < (left: Self, right: Self) -> Bool { (left.title, left.id) < (right.title, right.id) }
}

/// Less is to be seen than when a call began.
private struct SeesLess: Error {}
