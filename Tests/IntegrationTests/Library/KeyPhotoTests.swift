import AlbumAPI
import AlbumClient
import TestSupport
import Testing
import Varlink

@Suite("Key photos of albums", .blocking)
struct KeyPhotoTests {
  private func host() throws -> Host {
    let host = try Host {
      try $0.describeThisProcess()
      for name in ["one", "two"] { try $0.add("Trip/\(name).jpg", Photo.jpeg(name)) }
      try $0.add("Other/three.jpg", Photo.jpeg("three"))
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  @discardableResult
  private func choose(
    _ connection: Connection, _ asset: String?, of album: String
  ) throws -> LibraryInterface.Album {
    try connection.call(LibraryInterface.SetKeyAsset.self, .init(album: album, asset: asset)).album
  }

  /// Who follows the list of albums.
  private struct AlbumFollower {
    var replica: Replica<LibraryInterface.Album>
    let stream: AlbumSubscriber
    let reader: Connection

    init(_ app: TestApp) throws {
      reader = try app.connect()
      let reply = try reader.call(LibraryInterface.FetchAlbums.self, .init())
      replica = Replica(reply.albums, token: reply.token)
      stream = try app.connect().subscribeToAlbums(since: reply.token)
    }

    /// Follows until an album has that key photo, which a fetch then says as well.
    mutating func follow(_ album: String, until key: String?) throws {
      while replica.items[album]?.keyAsset != key { try replica.apply(try stream.next()) }
      let fetched = try reader.call(LibraryInterface.FetchAlbums.self, .init(ids: [album])).albums
      #expect(fetched.map(\.keyAsset) == [key])
    }
  }

  @Test(
    "S102: an album has the photo that was chosen, is told as changed, and keeps it through renames and restarts"
  )
  func chosen() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let (trip, one) = (try connection.album("Trip").id, try connection.asset("one.jpg").id)
    #expect(try connection.albums().allSatisfy { $0.keyAsset == nil })
    var follower = try AlbumFollower(app)
    #expect(try choose(connection, one, of: trip).keyAsset == one)
    try follower.follow(trip, until: one)
    #expect(try connection.albums().filter { $0.keyAsset != nil }.map(\.id) == [trip])
    try connection.call(LibraryInterface.RenameAsset.self, .init(id: one, filename: "first.jpg"))
    try connection.call(LibraryInterface.RenameAlbum.self, .init(album: trip, title: "Journey"))
    try host.daemon.restart()
    let again = try app.connect()
    #expect(try again.album("Journey").keyAsset == one)
    #expect(try choose(again, nil, of: trip).keyAsset == nil)
    #expect(try host.owner().album("Journey").keyAsset == nil)
    #expect(
      try host.accessLog(.wallpapers).filter { $0.kind == .arrangeAlbum }.map(\.count).reduce(0, +) == 2)
  }

  @Test(
    "S24, S102: who follows albums ends where a fetch does, when the photo leaves, is hidden, deleted, and back"
  )
  func followed() throws {
    let host = try host()
    let app = try host.app()
    let owner = try host.owner()
    let (trip, one) = (try owner.album("Trip").id, try owner.asset("one.jpg").id)
    var follower = try AlbumFollower(app)
    try choose(owner, one, of: trip)
    try follower.follow(trip, until: one)
    for hidden in [true, false] {
      try owner.call(LibraryInterface.SetHidden.self, .init(ids: [one], hidden: hidden))
      try follower.follow(trip, until: hidden ? nil : one)
    }
    try host.library.move("Trip/one.jpg", to: "Other/one.jpg")
    try follower.follow(trip, until: nil)
    try host.library.move("Other/one.jpg", to: "Trip/uno.jpg")
    try follower.follow(trip, until: one)
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [one]))
    try follower.follow(trip, until: nil)
    try owner.call(ManagerInterface.RestoreDeleted.self, .init(ids: [one]))
    try follower.follow(trip, until: one)
  }

  @Test("S16, S102: what is not in the album, or not there, is refused, and who may not read")
  func refused() throws {
    let host = try host()
    let connection = try host.app().connect()
    let (trip, one) = (try connection.album("Trip").id, try connection.asset("one.jpg").id)
    for id in [try connection.asset("three.jpg").id, "x", ""] {
      let error = try failure { try choose(connection, id, of: trip) }
      #expect(error.typed(LibraryInterface.NoSuchAsset.self)?.id == id)
    }
    for id in ["x", "recents", one] {
      let error = try failure { try choose(connection, one, of: id) }
      #expect(error.typed(LibraryInterface.NoSuchAlbum.self)?.id == id)
    }
    try connection.call(LibraryInterface.SetHidden.self, .init(ids: [one], hidden: true))
    let hidden = try failure { try choose(connection, one, of: trip) }
    #expect(hidden.typed(LibraryInterface.NoSuchAsset.self)?.id == one)
    try host.set(.wallpapers, .denied)
    let denied = try failure { try choose(connection, nil, of: trip) }
    #expect(denied.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
    #expect(try host.owner().albums().allSatisfy { $0.keyAsset == nil })
  }

  @Test(
    "S16, S19, S102: a limited app chooses for albums of its own, and is shown and told what it sees only")
  func limited() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let owner = try host.owner()
    let (trip, one) = (try owner.album("Trip").id, try owner.asset("one.jpg").id)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [one])
    let foreign = try failure { try choose(connection, one, of: trip) }
    #expect(foreign.typed(LibraryInterface.NoSuchAlbum.self)?.id == trip)
    let best = try connection.call(LibraryInterface.CreateAlbum.self, .init(title: "Best")).album.id
    let outside = try failure { try choose(connection, one, of: best) }
    #expect(outside.typed(LibraryInterface.NoSuchAsset.self)?.id == one)
    try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: [one], album: best))
    var follower = try AlbumFollower(app)
    #expect(try choose(connection, one, of: best).keyAsset == one)
    try follower.follow(best, until: one)
    // What it does not see any more stands for nothing; what its owner has chosen and it does not see neither.
    try host.select(.remove, assets: [one])
    try follower.follow(best, until: nil)
    #expect(try owner.album("Best").keyAsset == one)
    try host.select(.add, assets: [one])
    try follower.follow(best, until: one)
    let two = try owner.asset("two.jpg").id
    try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: [two], album: best))
    try choose(owner, two, of: best)
    try follower.follow(best, until: nil)
    #expect(try owner.album("Best").keyAsset == two)
    // Of what its owner chooses besides that it is told nothing.
    try choose(owner, nil, of: best)
    try choose(owner, two, of: best)
    try owner.call(LibraryInterface.SetHidden.self, .init(ids: [two], hidden: true))
    try host.select(.remove, assets: [one])
    try connection.call(LibraryInterface.RenameAlbum.self, .init(album: best, title: "Better"))
    #expect(try follower.stream.next().changed.map(\.album?.title) == ["Better"])
  }

  @Test("S102: the client library and albumctl choose the photo, and say which it is")
  func clients() async throws {
    let host = try host()
    try host.set(.client, .authorized)
    let owner = try host.owner()
    let (trip, one, two) = (
      try owner.album("Trip").id, try owner.asset("one.jpg").id, try owner.asset("two.jpg").id
    )
    let library = PhotoLibrary(socketPath: host.library.socket)
    let album = try #require(try await library.fetchAlbums().first { $0.id == trip })
    let asset = try #require(try await library.fetchAssets().first { $0.id == one })
    _ = try await library.performChanges { $0.setKeyAsset(asset, of: album) }
    #expect(try await library.fetchAlbums().first { $0.id == trip }?.keyAsset == one)
    let set = try host.albumctl("album", "key", trip, two, "--json", "--owner")
    #expect(set.status == 0 && set.output.contains("\"keyAsset\":\"\(two)\""))
    let wrong = try host.albumctl(
      ["album", "key", trip, two, "--none", "--owner"], environment: ["LANG=C.UTF-8"])
    #expect(wrong.status == 2 && wrong.output.contains("give either an asset or --none"))
    #expect(try host.albumctl("album", "key", trip, "--none", "--owner").status == 0)
    #expect(try owner.album("Trip").keyAsset == nil)
  }
}
