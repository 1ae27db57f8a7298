public import AlbumAPI
internal import Varlink

extension AlbumConnection {
  /// The state of the library, and how much of it is visible.
  public func info() throws(AlbumError) -> LibraryInterface.GetInfo.Reply {
    try call(LibraryInterface.GetInfo.self, Empty()).reply
  }

  /// How the library is, and every change of that (S98).
  public func monitorState() throws(AlbumError) -> AlbumStream<LibraryInterface.MonitorState> {
    try stream(LibraryInterface.MonitorState.self, Empty())
  }

  /// Albums by title.
  ///
  /// - Parameters:
  ///   - parent: only those directly in this album.
  ///   - ids: only these.
  ///   - smart: the smart ones instead, which lie in none (S93).
  public func albums(
    in parent: String? = nil, ids: [String]? = nil, smart: Bool = false
  ) throws(AlbumError) -> LibraryInterface.FetchAlbums.Reply {
    // A daemon of a later version may have others, which this one does not know.
    let ids = ids ?? (smart ? SmartAlbumKind.allCases.map(\.albumID) : nil)
    return try call(
      LibraryInterface.FetchAlbums.self, .init(parent: parent, ids: ids, smart: smart ? true : nil)
    ).reply
  }

  /// All assets that match, page by page.
  public func assets(
    _ filter: LibraryInterface.FetchAssets.Parameters = .init()
  ) throws(AlbumError) -> AlbumStream<LibraryInterface.FetchAssets> {
    try stream(LibraryInterface.FetchAssets.self, filter)
  }

  /// The days, months or years in which assets were created, in order (S58).
  public func moments(
    by unit: LibraryInterface.MomentUnit, in albums: [String]? = nil,
    mediaTypes: Set<LibraryInterface.MediaType>? = nil, matching filter: AssetFilter? = nil
  ) throws(AlbumError) -> [LibraryInterface.Moment] {
    try call(
      LibraryInterface.FetchMoments.self,
      .init(
        unit: unit, albums: albums,
        mediaTypes: mediaTypes.map { types in LibraryInterface.MediaType.allCases.filter(types.contains) },
        matching: filter)
    ).reply.moments
  }

  /// One page of the assets that match, with a cursor when there is another.
  public func page(
    of filter: LibraryInterface.FetchAssets.Parameters
  ) throws(AlbumError) -> LibraryInterface.FetchAssets.Reply {
    try call(LibraryInterface.FetchAssets.self, filter).reply
  }
}
