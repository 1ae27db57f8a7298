internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import VarlinkServer

/// What calls name, read some at a time: an id is deciphered in half a microsecond, and there may be ten thousand.
extension LibraryService {
  /// So many are deciphered in one turn of the loop.
  static var readAtOnce: Int { 1000 }

  /// Reads what a call names, some at a time: others have their turn in between.
  static func read(
    _ names: [String], _ call: ServerCall, _ body: (ArraySlice<String>) throws -> Void
  ) async throws {
    for first in stride(from: 0, to: names.count, by: readAtOnce) {
      if first > 0 {
        await call.giveWay()
        try Task.checkCancellation()
      }
      try body(names[first..<min(first + readAtOnce, names.count)])
    }
  }

  /// The albums that a call names.
  func namedAlbums(_ names: [String], _ call: ServerCall) async throws -> NamedAlbums {
    var albums = NamedAlbums()
    try await Self.read(names, call) { albums.add($0, store.ids) }
    return albums
  }

  /// A filter whose albums are read some at a time, wherever in it they are named.
  func filter(_ naming: NamingFilter?, _ call: ServerCall) async throws -> AssetFilter? {
    guard let naming else { return nil }
    var albums: [NamedAlbums.Name] = []
    try await Self.read(naming.names, call) { some in
      albums += some.lazy.map { NamedAlbums.Name($0, store.ids) }
    }
    return try naming.filter(albums)
  }

  /// The assets that a query names. What a limited app does not see is left out here already: the query must not take longer
  /// for it (S16).
  func namedAssets(_ ids: [String], _ call: ServerCall) async throws -> [AssetID] {
    if try access.reader(call).view.seesEverything {
      var found: [AssetID] = []
      try await Self.read(ids, call) { found += $0.compactMap(store.ids.asset) }
      // Who sees a part only by now has each looked up.
      if try access.reader(call).view.seesEverything { return found }
    }
    return try await lookUp(ids, call, in: { try access.reader(call).view }) { try named($0, in: $1) }
  }

  /// An asset that a query names.
  func named(_ id: String, in view: LibraryView) throws -> AssetID? {
    view.seesEverything ? store.ids.asset(id) : try seenAsset(id, in: view)?.id
  }

  /// Begins a subscription.
  func subscribe(_ parameters: LibraryInterface.Subscribe.Parameters, _ call: ServerCall) throws {
    _ = try access.reader(call)
    try Self.check(parameters.assets?.albums, "assets.albums")
    try Self.check(parameters.assets?.ids, "assets.ids")
    let (ids, albums) = (parameters.assets?.ids ?? [], parameters.assets?.albums ?? [])
    func begin(_ ids: [AssetID], _ albums: NamedAlbums) throws {
      let reader = try access.reader(call)
      try subscriptions.add(
        call, parameters,
        .init(
          ids: parameters.assets?.ids.map { _ in Set(ids) },
          albums: parameters.assets?.albums.map { _ in albums }),
        reader)
      access.note(.fetch, by: reader)
    }
    _ = try access.reader(call)
    guard max(ids.count, albums.count) > Self.readAtOnce else {
      return try begin(ids.compactMap(store.ids.asset), NamedAlbums(albums, store.ids))
    }
    let task = Task.onLoopNow { [self] in
      do {
        var found: [AssetID] = []
        try await Self.read(ids, call) { found += $0.compactMap(store.ids.asset) }
        let albums = try await namedAlbums(albums, call)
        try begin(found, albums)
      } catch { call.fail(error) }
    }
    call.onEnd { task.cancel() }
  }
}

extension SubscriptionHub {
  /// What a subscription is about, where it names something.
  struct Named {
    let ids: Set<AssetID>?
    let albums: NamedAlbums?
  }
}
