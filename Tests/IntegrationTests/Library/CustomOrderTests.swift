import AlbumAPI
import AlbumClient
import TestSupport
import Testing
import Varlink

@Suite("The order of an album (S103)", .blocking)
struct CustomOrderTests {
  private func host(_ count: Int = 5) throws -> Host {
    let host = try Host { library in
      try library.describeThisProcess()
      for number in 0..<count {
        let name = String(repeating: "0", count: 4 - "\(number)".count) + "\(number)"
        try library.add("Trip/\(name).jpg", Photo.jpeg(name))
      }
      try library.add("Other/x.jpg", Photo.jpeg("x"))
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func order(
    _ connection: Connection, _ album: String, descending: Bool? = nil, limit: Int = 3
  ) throws -> [String] {
    var wish = LibraryInterface.FetchAssets.Parameters(
      albums: [album], sort: .custom, descending: descending, limit: limit)
    var ids: [String] = []
    repeat {
      let page = try connection.call(LibraryInterface.FetchAssets.self, wish)
      ids += page.assets.map(\.id)
      wish.cursor = page.cursor
    } while wish.cursor != nil
    return ids
  }

  private func move(
    _ connection: Connection, _ ids: [String], in album: String, before other: String? = nil
  ) throws {
    try connection.call(LibraryInterface.MoveInAlbum.self, .init(album: album, ids: ids, before: other))
  }

  @Test("S103: an album is in the order that it was put in, also after a restart; what is new comes last")
  func ordered() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let trip = try connection.album("Trip").id
    let first = try order(connection, trip)
    let created = try connection.assets(.init(albums: [trip], sort: .created)).map(\.id)
    #expect(first == created && first.count == 5)
    #expect(try order(connection, trip, descending: true) == first.reversed())
    let subscriber = try app.connect().subscribeToAlbums()
    // Before what never was put anywhere.
    try move(connection, [first[4], first[0]], in: trip, before: first[2])
    #expect(try subscriber.next().changed.map(\.id) == [trip])
    let second = [first[1], first[4], first[0], first[2], first[3]]
    #expect(try order(connection, trip) == second)
    try move(connection, [first[1]], in: trip)
    let third = Array(second.dropFirst()) + [first[1]]
    #expect(try order(connection, trip) == third)
    #expect(try order(connection, trip, descending: true) == third.reversed())
    try host.daemon.restart()
    let again = try app.connect()
    #expect(try order(again, trip) == third)
    let assets = try app.connect().subscribe()
    try host.library.add("Trip/new.jpg", Photo.jpeg("new"))
    let new = try #require(try assets.next().inserted.first).id
    #expect(try order(again, trip) == third + [new])
    // Its page of ids says the same, and no keys.
    let page = try again.call(
      LibraryInterface.FetchAssets.self, .init(albums: [trip], sort: .custom, onlyIds: true))
    #expect(page.ids == third + [new] && page.keys == nil)
    #expect(
      try host.accessLog(.wallpapers).filter { $0.kind == .arrangeAlbum }.map(\.count).reduce(0, +) == 2)
  }

  @Test("S39, S103: renames keep the place; what leaves the album, or is deleted and restored, comes last")
  func kept() throws {
    let host = try host()
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let first = try order(owner, trip)
    try move(owner, first.reversed(), in: trip)
    #expect(try order(owner, trip) == first.reversed())
    try owner.call(LibraryInterface.RenameAsset.self, .init(id: first[4], filename: "zz"))
    try owner.call(LibraryInterface.RenameAlbum.self, .init(album: trip, title: "Journey"))
    try owner.call(LibraryInterface.SetHidden.self, .init(ids: [first[3]], hidden: true))
    try owner.call(LibraryInterface.SetHidden.self, .init(ids: [first[3]], hidden: false))
    #expect(try order(owner, trip) == first.reversed())
    try owner.call(LibraryInterface.MoveAssets.self, .init(ids: [first[4]]))
    #expect(try order(owner, trip) == [first[3], first[2], first[1], first[0]])
    try owner.call(LibraryInterface.MoveAssets.self, .init(ids: [first[4]], album: trip))
    #expect(try order(owner, trip) == [first[3], first[2], first[1], first[0], first[4]])
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [first[3]]))
    try owner.call(ManagerInterface.RestoreDeleted.self, .init(ids: [first[3]]))
    #expect(Set(try order(owner, trip).suffix(2)) == [first[3], first[4]])
  }

  @Test("S16, S103: refused is what is not in the album or not there, and an order of no album or of several")
  func refused() throws {
    let host = try host()
    let connection = try host.app().connect()
    let (trip, other) = (try connection.album("Trip").id, try connection.album("Other").id)
    let first = try order(connection, trip)
    let x = try connection.asset("x.jpg").id
    for id in [x, "x", ""] {
      let moved = try failure { try move(connection, [first[0], id], in: trip) }
      #expect(moved.typed(LibraryInterface.NoSuchAsset.self)?.id == id)
      let before = try failure { try move(connection, [first[0]], in: trip, before: id) }
      #expect(before.typed(LibraryInterface.NoSuchAsset.self)?.id == id)
    }
    for id in ["x", "recents", x] {
      let error = try failure { try move(connection, [first[0]], in: id) }
      #expect(error.typed(LibraryInterface.NoSuchAlbum.self)?.id == id)
    }
    let itself = try failure { try move(connection, first, in: trip, before: first[0]) }
    #expect(itself.typed(InvalidParameter.self)?.parameter == "before")
    for ids in [[], Array(repeating: first[0], count: 1001)] {
      let error = try failure { try move(connection, ids, in: trip) }
      #expect(error.typed(InvalidParameter.self)?.parameter == "ids")
    }
    for albums in [nil, [], [trip, other], ["recents"]] as [[String]?] {
      let error = try failure {
        _ = try connection.call(LibraryInterface.FetchAssets.self, .init(albums: albums, sort: .custom))
      }
      #expect(error.typed(InvalidParameter.self)?.parameter == "sort")
    }
    #expect(try order(connection, "x").isEmpty && order(connection, trip) == first)
    try host.set(.wallpapers, .denied)
    let denied = try failure { try move(connection, [first[0]], in: trip) }
    #expect(denied.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
  }

  @Test("S16, S19, S103: a limited app orders what it sees in its own albums, and is told of nothing else")
  func limited() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let all = try order(owner, trip)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [all[0], all[1]])
    let foreign = try failure { try move(connection, [all[0]], in: trip) }
    #expect(foreign.typed(LibraryInterface.NoSuchAlbum.self)?.id == trip)
    #expect(try order(connection, trip).isEmpty, "what it sees, but not in an album that it does not see")
    let mine = try connection.call(LibraryInterface.CreateAlbum.self, .init(title: "Mine")).album.id
    try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: [all[0], all[1]], album: mine))
    // Its owner puts others in between.
    try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: Array(all[2...]), album: mine))
    for ids in [[all[2]], [all[0], all[2]]] {
      let error = try failure { try move(connection, ids, in: mine) }
      #expect(error.typed(LibraryInterface.NoSuchAsset.self)?.id == all[2])
    }
    let before = try failure { try move(connection, [all[0]], in: mine, before: all[2]) }
    #expect(before.typed(LibraryInterface.NoSuchAsset.self)?.id == all[2])
    try move(owner, [all[2], all[1], all[3], all[0], all[4]], in: mine)
    #expect(try order(connection, mine, limit: 1) == [all[1], all[0]])
    let subscriber = try app.connect().subscribeToAlbums()
    // What it does not see goes elsewhere, and what it sees among that.
    try move(owner, [all[4]], in: mine, before: all[2])
    try move(owner, [all[1]], in: mine, before: all[2])
    try move(owner, [all[0]], in: mine)
    try connection.call(LibraryInterface.RenameAlbum.self, .init(album: mine, title: "Renamed"))
    #expect(try subscriber.next().changed.map(\.album?.title) == ["Renamed"])
    try move(owner, [all[0]], in: mine, before: all[4])
    #expect(try subscriber.next().changed.map(\.id) == [mine])
    #expect(try order(connection, mine, limit: 1) == [all[0], all[1]])
    try move(connection, [all[0]], in: mine)
    #expect(try order(connection, mine) == [all[1], all[0]])
    // A cursor says nothing of how many others there are: of the same page it is another each time.
    let cursors = try (0..<2).map { _ in
      try connection.call(
        LibraryInterface.FetchAssets.self, .init(albums: [mine], sort: .custom, limit: 1)
      ).cursor
    }
    #expect(cursors[0] != nil && cursors[0] != cursors[1])
  }

  @Test("S103: more than one turn can place are put in order, 1000 of them by one call")
  func many() throws {
    let host = try host(1100)
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let first = try order(owner, trip, limit: 1000)
    let moved = Array(first[50..<1050].reversed())
    try move(owner, moved, in: trip, before: first[20])
    #expect(
      try order(owner, trip, limit: 1000)
        == Array(first[..<20]) + moved + Array(first[20..<50]) + Array(first[1050...]))
    try move(owner, [first[1099]], in: trip, before: first[0])
    #expect(try order(owner, trip, limit: 1000).first == first[1099])
  }

  @Test(
    "S103, S104: results in this order follow it, fetched anew, whole ones and lazy ones; and albumctl puts it"
  )
  func clients() async throws {
    let host = try host()
    try host.set(.client, .authorized)
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let first = try order(owner, trip)
    let library = PhotoLibrary(socketPath: host.library.socket)
    let album = try #require(try await library.fetchAlbums().first { $0.id == trip })
    let options = FetchOptions(sortKey: .custom)
    let result = try await library.fetchAssets(in: album, options: options)
    let lazy = try await library.fetchAssets(in: album, lazily: options)
    let sorted = try await library.fetchAssets(in: album)
    #expect(result.map(\.id) == first)
    _ = try await library.performChanges { $0.move([result[0]], in: album, before: nil) }
    let expected = Array(first.dropFirst()) + [first[0]]
    var changes = library.persistentChanges(since: result.token).makeAsyncIterator()
    let change = try #require(try await changes.next())
    let details = try #require(try await change.changeDetails(for: result))
    #expect(!details.hasIncrementalChanges && details.fetchResultAfterChanges.map(\.id) == expected)
    let lazyDetails = try #require(try await change.changeDetails(for: lazy))
    var ids: [String] = []
    for try await asset in lazyDetails.fetchResultAfterChanges { ids.append(asset.id) }
    #expect(!lazyDetails.hasIncrementalChanges && ids == expected)
    let unchanged = try await change.changeDetails(for: sorted)
    #expect(unchanged == nil)
    let put = try host.albumctl(
      "album", "order", trip, first[3], first[0], "--before", first[1], "--json", "--owner")
    #expect(put.status == 0 && put.output.contains("\"before\":\"\(first[1])\""))
    let listed = try host.albumctl("assets", "--album", trip, "--sort", "custom", "--owner")
    #expect(listed.words.filter { first.contains($0) } == [first[3], first[0], first[1], first[2], first[4]])
    let wrong = try host.albumctl(["assets", "--sort", "custom"], environment: ["LANG=C.UTF-8"])
    #expect(wrong.status == 2 && wrong.output.contains("--sort custom takes one --album"))
  }
}
