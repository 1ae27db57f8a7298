internal import AlbumAPI
internal import Authorization
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

extension LibraryService {
  /// The days, months or years with assets that the caller sees (S58).
  func fetchMoments(
    _ parameters: LibraryInterface.FetchMoments.Parameters, _ call: ServerCall
  ) throws -> LibraryInterface.FetchMoments.Reply {
    let reader = try access.reader(call)
    let view = reader.view
    try Self.check(parameters.albums, "albums")
    var query = AssetQuery()
    if let albums = parameters.albums {
      query.memberships.append(.init(albums: albums.compactMap(store.ids.album).filter(view.sees)))
    }
    if let types = parameters.mediaTypes {
      query.mediaTypes = Set(types.map(MediaType.init))
      if types.isEmpty { query.memberships.append(.init()) }
    }
    let moments = try store.assets.moments(view.narrow(query), by: .init(parameters.unit))
    access.note(.fetch, by: reader)
    return LibraryInterface.FetchMoments.Reply(
      moments: moments.map { moment in
        LibraryInterface.Moment(
          start: Instant(microseconds: moment.start * 1_000_000), count: moment.count,
          firstId: renderer.id(moment.first))
      })
  }
}
