public import AlbumAPI

extension PhotoLibrary {
  /// The days, months or years in which assets were created that the app may see, in order: what a scroll bar needs (S58).
  /// PhotoKit: `PHAssetCollection.fetchMoments(with:)`; **differs**: of the calendar, and without their assets.
  ///
  /// - Parameters:
  ///   - unit: how long each is.
  ///   - albums: only of assets in one of these; at most 10000.
  ///   - mediaTypes: only of these kinds.
  ///   - filter: only of those for which this holds (S92).
  /// - Throws: `notAuthorized` with the guide.
  public func fetchMoments(
    by unit: LibraryInterface.MomentUnit, in albums: [Album]? = nil, mediaTypes: Set<MediaType>? = nil,
    matching filter: AssetFilter? = nil
  ) async throws(AlbumError) -> [LibraryInterface.Moment] {
    let ids = albums?.map(\.id)
    return try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      try connection.moments(by: unit, in: ids, mediaTypes: mediaTypes, matching: filter)
    }
  }
}
