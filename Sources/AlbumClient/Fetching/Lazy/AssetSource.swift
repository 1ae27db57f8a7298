internal import AlbumAPI
internal import Sentences

/// Where a lazy result reads from: the daemon, or what a test has in its place.
protocol AssetSource: Sendable {
  /// The first assets of a fetch, with how many there are and the place in the changes.
  func first(_ fetch: AssetFetch, limit: Int) async throws(AlbumError) -> LibraryInterface.FetchAssets.Reply

  /// The ids of those that follow, page by page, until there is none or `take` does not want more.
  func identifiers(
    _ fetch: AssetFetch, after cursor: String,
    _ take: @escaping @Sendable (LibraryInterface.FetchAssets.Reply) -> Bool
  ) async throws(AlbumError)

  /// Assets by their ids, in any order; what is gone is left out.
  func assets(_ identifiers: [String], includeHidden: Bool) async throws(AlbumError) -> [Asset]
}

/// The daemon.
struct LibrarySource: AssetSource {
  let lanes: CallLanes

  func first(_ fetch: AssetFetch, limit: Int) async throws(AlbumError) -> LibraryInterface.FetchAssets.Reply {
    var parameters = fetch.lazyParameters
    parameters.limit = limit
    return try await lanes.repeatable(.pages) { [parameters] connection throws(AlbumError) in
      try connection.page(of: parameters)
    }
  }

  func identifiers(
    _ fetch: AssetFetch, after cursor: String,
    _ take: @escaping @Sendable (LibraryInterface.FetchAssets.Reply) -> Bool
  ) async throws(AlbumError) {
    var parameters = fetch.lazyParameters
    parameters.limit = nil
    parameters.cursor = cursor
    parameters.onlyIds = true
    do {
      // On a connection of its own: what is looked at meanwhile does not wait for it.
      try await lanes.once { [parameters] connection throws(AlbumError) in
        let pages = try connection.assets(parameters)
        while let page = try pages.next(), take(page) {}
      }
    } catch let error as AlbumError {
      throw error
    } catch {
      throw AlbumError(
        .connectionLost, "The ids are not wanted any more.", place: LibraryInterface.FetchAssets.name)
    }
  }

  func assets(_ identifiers: [String], includeHidden: Bool) async throws(AlbumError) -> [Asset] {
    try await lanes.repeatable(.pages) { connection throws(AlbumError) in
      try connection.page(
        of: .init(ids: identifiers, limit: identifiers.count, includeHidden: includeHidden ? true : nil)
      ).assets
    }
  }
}
