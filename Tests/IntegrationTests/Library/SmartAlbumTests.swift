import AlbumAPI
import AlbumClient
import TestSupport
import Testing
import Varlink

@Suite("Smart albums", .blocking, .timeLimit(.minutes(30)))
struct SmartAlbumTests {
  /// A JPEG file whose XMP says what kind of picture it is.
  private func photo(_ kind: LibraryInterface.Subtype? = nil) -> [UInt8] {
    let said: String
    switch kind {
    case .panorama:
      said = """
        <rdf:Description rdf:about="" xmlns:GPano="http://ns.google.com/photos/1.0/panorama/"
        GPano:ProjectionType="cylindrical"/>
        """
    case .screenshot:
      said = """
        <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/"><exif:UserComment><rdf:Alt>
        <rdf:li xml:lang="x-default">Screenshot</rdf:li></rdf:Alt></exif:UserComment></rdf:Description>
        """
    default: said = ""
    }
    let xmp = Array(
      """
      http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/">
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(said)</rdf:RDF></x:xmpmeta>
      """.utf8)
    let length = xmp.count + 2
    let segment = [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + xmp
    let bytes = TakenPhoto(time: "2024:05:01 12:30:15", offset: "+00:00").bytes
    return bytes.prefix(2) + segment + bytes.dropFirst(2)
  }

  private func host() throws -> Host {
    let host = try Host {
      try $0.describeThisProcess()
      try $0.add("Trip/wide.jpg", photo(.panorama))
      try $0.add("Trip/film.mp4", Photo.mp4)
      try $0.add("screen.jpg", photo(.screenshot))
      try $0.add("plain.jpg", photo())
      try $0.add("live.jpg", Photo.jpeg("live"))
      try $0.add("live.mov", Photo.mp4)
    }
    try host.set(.client, .authorized)
    try host.owner().waitUntilDescribed(.generous)
    return host
  }

  private func smart(
    _ connection: Connection, ids: [String]? = nil
  ) throws -> LibraryInterface.FetchAlbums.Reply {
    try connection.call(LibraryInterface.FetchAlbums.self, .init(ids: ids, smart: true))
  }

  private func names(_ connection: Connection, _ albums: [String]) throws -> [String] {
    try connection.assets(.init(albums: albums, sort: .filename)).map(\.filename)
  }

  @Test("S93: each smart album is listed by its word, with its title and as many as are fetched from it")
  func listed() throws {
    let host = try host()
    let owner = try host.owner()
    try owner.call(AuthorizationInterface.SetLanguage.self, .init(language: "en"))
    let albums = try smart(owner).albums
    #expect(albums.map(\.smart) == LibraryInterface.SmartAlbumKind.allCases)
    #expect(albums.map(\.id) == albums.compactMap(\.smart?.rawValue))
    #expect(
      albums.map(\.title) == [
        "Recents", "Favorites", "Videos", "Live Photos", "Screenshots", "Panoramas", "RAW", "Recently Added",
      ])
    #expect(albums.map(\.assetCount) == [5, 0, 1, 1, 1, 1, 0, 5])
    #expect(albums.allSatisfy { $0.parent == nil && !$0.shared && !$0.createdByCaller })
    for (album, found) in [
      ("recents", ["film.mp4", "live.jpg", "plain.jpg", "screen.jpg", "wide.jpg"]), ("videos", ["film.mp4"]),
      ("livePhotos", ["live.jpg"]), ("screenshots", ["screen.jpg"]), ("panoramas", ["wide.jpg"]), ("raw", []),
    ] { #expect(try names(owner, [album]) == found, "\(album)") }
    // With others, and only those of the ids that are asked for.
    #expect(
      try names(owner, ["screenshots", owner.album("Trip").id]) == ["film.mp4", "screen.jpg", "wide.jpg"])
    #expect(try smart(owner, ids: ["raw", "videos", "x"]).albums.map(\.id) == ["videos", "raw"])
    let moments = try owner.call(
      LibraryInterface.FetchMoments.self, .init(unit: .year, albums: ["panoramas"]))
    #expect(moments.moments.map(\.count) == [1])
    // They are no directories, and lie in none.
    #expect(try owner.albums().map(\.title) == ["Trip"])
    #expect(try owner.call(LibraryInterface.FetchAlbums.self, .init(ids: ["videos"])).albums.isEmpty)
    let error = try failure {
      try owner.call(LibraryInterface.FetchAlbums.self, .init(parent: owner.album("Trip").id, smart: true))
    }
    #expect(error.typed(InvalidParameter.self)?.parameter == "parent")
  }

  @Test("S73, S93: titles are in the language of the caller's person")
  func titles() throws {
    let host = try Host { $0.environment = ["LANG=en_US.UTF-8"] }
    let owner = try host.owner()
    #expect(try smart(owner, ids: ["videos"]).albums.map(\.title) == ["Videos"])
    for (language, title) in [("zh_CN.UTF-8", "视频"), ("zh-Hant", "影片"), ("en", "Videos"), ("tlh", "Videos")] {
      try owner.call(AuthorizationInterface.SetLanguage.self, .init(language: language))
      #expect(try smart(owner, ids: ["videos"]).albums.map(\.title) == [title])
    }
  }

  @Test("S16, S93: who sees a part finds in a smart album what it sees, and who may not read is refused")
  func limited() throws {
    let host = try host()
    let owner = try host.owner()
    let app = try host.app().connect()
    #expect(try failure { _ = try smart(app) }.name == LibraryInterface.NotAuthorized.name)
    let ids = [try owner.asset("wide.jpg").id, try owner.asset("plain.jpg").id]
    try host.limit(app, assets: ids)
    #expect(try smart(app).albums.map(\.assetCount) == [2, 0, 0, 0, 0, 1, 0, 2])
    #expect(try names(app, ["recents"]) == ["plain.jpg", "wide.jpg"])
    #expect(try names(app, ["videos", "screenshots"]).isEmpty)
    let panoramas = try app.subscribe(albums: ["panoramas"])
    let videos = try host.app().connect().subscribe(albums: ["videos"])
    try host.select(.add, assets: [try owner.asset("film.mp4").id])
    #expect(try videos.next().inserted.map(\.filename) == ["film.mp4"])
    try host.select(.remove, assets: ids)
    #expect(try panoramas.next().removed == [ids[0]])
  }

  @Test(
    "S93: subscribers are told what comes into a smart album and what leaves it, and end where a fetch does")
  func followed() throws {
    let host = try host()
    let owner = try host.owner()
    let page = try owner.call(LibraryInterface.FetchAssets.self, .init(albums: ["panoramas"]))
    var replica = Replica(page.assets, token: page.token)
    let stream = try host.owner().subscribe(albums: ["panoramas"], since: page.token)
    func follow(until names: Set<String>) throws {
      while Set(replica.items.values.map(\.filename)) != names { try replica.apply(try stream.next()) }
      #expect(try Set(self.names(owner, ["panoramas"])) == names)
    }
    // It is new, and what it is is read of it later; another becomes one by being overwritten, one is none any more.
    try host.library.add("new.jpg", photo(.panorama))
    try follow(until: ["wide.jpg", "new.jpg"])
    try host.library.add("screen.jpg", photo(.panorama))
    try follow(until: ["wide.jpg", "new.jpg", "screen.jpg"])
    try host.library.add("Trip/wide.jpg", photo(.screenshot))
    try follow(until: ["new.jpg", "screen.jpg"])
    try host.library.move("new.jpg", to: "Trip/newer.jpg")
    try follow(until: ["newer.jpg", "screen.jpg"])
    try host.library.remove("Trip/newer.jpg")
    try follow(until: ["screen.jpg"])
    try owner.waitUntilDescribed(.generous)
    #expect(try names(owner, ["screenshots"]) == ["wide.jpg"])
    // Who was away since the beginning is told what came of it, also after a restart.
    try host.daemon.stop()
    try host.daemon.start()
    var late = Replica(page.assets, token: page.token)
    let again = try host.owner().subscribe(albums: ["panoramas"], since: page.token)
    while late.items != replica.items { try late.apply(try again.next()) }
  }

  @Test("S90, S93: favourites are one, told when they become it and are it no more, and a filter finds them")
  func favorites() throws {
    let host = try host()
    let owner = try host.owner()
    let ids = try ["plain.jpg", "film.mp4"].map { try owner.asset($0).id }
    let stream = try host.owner().subscribe(albums: ["favorites"])
    try owner.call(LibraryInterface.SetFavorite.self, .init(ids: ids, favorite: true))
    #expect(try stream.collect(2).inserted.map(\.filename).sorted() == ["film.mp4", "plain.jpg"])
    #expect(try names(owner, ["favorites"]) == ["film.mp4", "plain.jpg"])
    #expect(try smart(owner, ids: ["favorites"]).albums.map(\.assetCount) == [2])
    let films = LibraryInterface.AssetFilter(mediaTypes: [.video], isFavorite: true)
    #expect(try owner.assets(.init(matching: films)).map(\.id) == [ids[1]])
    try owner.call(LibraryInterface.SetFavorite.self, .init(ids: [ids[1]], favorite: false))
    #expect(try stream.next().removed == [ids[1]])
    #expect(try owner.assets(.init(matching: films)).isEmpty)
  }

  @Test("S93: nothing can be put into a smart album, taken out, or selected as one")
  func noTarget() throws {
    let host = try host()
    let owner = try host.owner()
    let id = try owner.asset("plain.jpg").id
    func isNone(_ body: () throws -> Void) throws -> Bool {
      try failure(body).typed(LibraryInterface.NoSuchAlbum.self)?.id == "videos"
    }
    #expect(
      try isNone { _ = try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: [id], album: "videos")) })
    #expect(
      try isNone {
        _ = try owner.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [id], album: "videos"))
      })
    #expect(
      try isNone { _ = try owner.call(LibraryInterface.MoveAssets.self, .init(ids: [id], album: "videos")) })
    #expect(
      try isNone {
        _ = try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "x", parent: "videos"))
      })
    #expect(
      try isNone { _ = try owner.call(LibraryInterface.RenameAlbum.self, .init(album: "videos", title: "x")) }
    )
    #expect(try isNone { _ = try owner.call(LibraryInterface.DeleteAlbum.self, .init(album: "videos")) })
    #expect(try isNone { _ = try owner.call(LibraryInterface.FetchAlbums.self, .init(parent: "videos")) })
    let error = try failure { try host.select(.add, albums: ["videos"]) }
    #expect(error.typed(InvalidParameter.self)?.parameter == "albums")
  }

  @Test("S93: the client library fetches smart albums, and a list of one follows the library")
  func client() async throws {
    let host = try host()
    let library = PhotoLibrary(socketPath: host.library.socket)
    let albums = try await library.fetchSmartAlbums([.panoramas, .videos])
    #expect(albums.map(\.smart) == [.videos, .panoramas] && albums.map(\.assetCount) == [1, 1])
    let videos = try #require(albums.first)
    let options = FetchOptions(sortKey: .filename, matching: .none([.nameContains("draft")]))
    let gallery = Gallery(try await library.fetchAssets(in: videos, options: options))
    try library.register(gallery, since: gallery.beginning)
    #expect(await gallery.shown.map(\.filename) == ["film.mp4"])
    for name in ["draft.mp4", "other.mp4", "plain2.jpg"] { try host.library.add(name, Photo.mp4) }
    await gallery.wait(for: ["film.mp4", "other.mp4"])
    #expect(await gallery.reloads == 0)
    library.unregisterChangeObserver(gallery)
    let moments = try await library.fetchMoments(by: .year, in: [videos], matching: options.matching)
    #expect(moments.map(\.count).reduce(0, +) == 2)
  }

  @Test("S93: albumctl lists smart albums, and what is in them")
  func command() throws {
    let host = try host()
    let listed = try host.albumctl(["albums", "--smart", "--owner"], environment: ["LANG=C.UTF-8"])
    #expect(listed.status == 0 && listed.words.contains("panoramas") && listed.output.contains("Screenshots"))
    let assets = try host.albumctl("assets", "--album", "screenshots", "--owner")
    #expect(
      assets.status == 0 && assets.output.contains("screen.jpg") && !assets.output.contains("plain.jpg"))
    let refused = try host.albumctl(
      ["albums", "--smart", "--parent", "x", "--owner"], environment: ["LANG=C.UTF-8"])
    #expect(refused.status == 2 && refused.output.contains("--smart and --parent exclude each other"))
  }
}
