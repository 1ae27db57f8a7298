internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer
internal import Words

extension LibraryService {
  /// The smart albums, with what the caller sees of each (S93): counted on another thread, each by a search.
  func fetchSmartAlbums(
    _ parameters: LibraryInterface.FetchAlbums.Parameters, _ call: ServerCall
  ) async throws -> LibraryInterface.FetchAlbums.Reply {
    _ = try access.reader(call)
    guard parameters.parent == nil else { throw InvalidParameter(parameter: "parent") }
    try Self.check(parameters.ids, "ids")
    let named = parameters.ids.map { Set($0.lazy.compactMap(SmartAlbum.init(word:))) }
    let albums = SmartAlbum.allCases.filter { named?.contains($0) ?? true }
    let counted = try await search(call) { reader -> @Sendable (LibraryReader) throws -> [Int] in
      let view = reader.view
      return { library in
        try albums.map { album in
          var query = AssetQuery()
          if !album.holdsEverything { query.require(album.filter) }
          return try library.count(view.narrow(query))
        }
      }
    }
    let reader = counted.reader
    access.note(.fetch, by: reader)
    let words = titles.words(for: reader.caller, call)
    return LibraryInterface.FetchAlbums.Reply(
      albums: zip(albums, counted.value).map { album, count in
        LibraryInterface.Album(
          id: album.rawValue, title: words[album.title], assetCount: count, shared: false,
          createdByCaller: false, smart: album.kind)
      },
      token: renderer.token(counted.place, in: reader.view, location: reader.seesLocation))
  }
}
