import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Albums are made and filled", .blocking)
struct AlbumEditingTests {
  private func host() throws -> Host {
    let host = try Host {
      try $0.add("A/one.jpg", Photo.jpeg("one"))
      try $0.makeAlbum("B")
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func create(_ connection: Connection, _ title: String, in parent: String? = nil) throws
    -> LibraryInterface.Album
  {
    try connection.call(LibraryInterface.CreateAlbum.self, .init(title: title, parent: parent)).album
  }

  @Test("S19: an album is made, in another if asked for, and told to subscribers once")
  func creates() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let subscriber = try app.connect().subscribeToAlbums()
    let made = try create(connection, "Trip")
    let inner = try create(connection, "Day 1", in: made.id)
    #expect(inner.parent == made.id && made.parent == nil)
    #expect(try create(connection, "Trip").title == "Trip (2)")
    #expect(try connection.albums().map(\.title) == ["A", "B", "Day 1", "Trip", "Trip (2)"])
    try host.library.makeAlbum("sentinel")
    let seen = try subscriber.collect { $0.inserted.contains { $0.title == "sentinel" } }
    #expect(seen.inserted.map(\.title) == ["Trip", "Day 1", "Trip (2)", "sentinel"])
    #expect(seen.count == 4)
  }

  @Test("S19, S75: an album says beneath which root it lies, and is made beneath the one that is named")
  func roots() throws {
    let other = try TemporaryDirectory()
    let name = try #require(other.path.split(separator: "/").last.map(String.init))
    let host = try Host {
      $0.moreRoots = [other.path]
      try $0.makeAlbum("A")
    }
    try host.set(.wallpapers, .authorized)
    let connection = try host.app().connect()
    let subscriber = try host.app().connect().subscribeToAlbums()
    #expect(try connection.album("A").root == "photos")
    let parameters = LibraryInterface.CreateAlbum.Parameters(title: "A", root: name)
    let made = try connection.call(LibraryInterface.CreateAlbum.self, parameters).album
    #expect(made.root == name && made.title == "A")
    #expect(try subscriber.next().inserted.map(\.root) == [name])
    #expect(access(other.path + "/A", F_OK) == 0)
    let unknown = try failure {
      _ = try connection.call(LibraryInterface.CreateAlbum.self, .init(title: "B", root: "nowhere"))
    }
    #expect(unknown.typed(InvalidParameter.self)?.parameter == "root")
  }

  @Test("S19, S24: its creator, though it sees all albums, is told that it created one; nobody else is")
  func createdByCaller() throws {
    let host = try host()
    try host.set(.mail, .authorized)
    let app = try host.app()
    let connection = try app.connect()
    let mail = try host.app(.mail)
    let start = try connection.info().token
    let readers = [try app.connect(), try mail.connect(), try host.owner()]
    let live = try readers.map { try $0.subscribeToAlbums() }
    let made = try create(connection, "Trip")
    #expect(made.createdByCaller)
    for (subscriber, expected) in zip(live, [true, false, false]) {
      let told = try #require(try subscriber.next().inserted.first)
      #expect(told.id == made.id && told.createdByCaller == expected)
    }
    try host.library.move("Trip", to: "Journey")
    for (subscriber, expected) in zip(live, [true, false, false]) {
      #expect(try subscriber.next().changed.first?.album?.createdByCaller == expected)
    }
    // Told later, it is the same.
    let later = [try app.connect(), try mail.connect(), try host.owner()]
    for (reader, expected) in zip(later, [true, false, false]) {
      let told = try reader.subscribeToAlbums(since: start).collect { !$0.changed.isEmpty }
      #expect(told.inserted.map(\.createdByCaller) == [expected])
    }
  }

  @Test("R2: killed while assets are taken out of an album, each is out or in, and nothing stays hidden")
  func killedTakingOut() throws {
    let host = try Host { library in
      try library.makeAlbum("B")
      for number in 0..<200 {
        try library.add("A/\(number).jpg", Photo.jpeg("\(number)"))
        try library.link("A/\(number).jpg", to: "B/\(number).jpg")
      }
    }
    let owner = try host.owner()
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let ids = try owner.assets().map(\.id)
    try owner.begin(LibraryInterface.RemoveFromAlbum.self, .init(ids: ids, album: a))
    func count(_ directory: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: host.library.path(directory)).count) ?? 0
    }
    let deadline = Deadline.generous
    while count("A") == 200, !deadline.hasPassed {}
    #expect(count("A") < 200, "some were taken out")
    try host.daemon.kill()
    try host.daemon.start()
    let assets = try host.owner().assets()
    #expect(Set(assets.map(\.id)) == Set(ids))
    #expect(assets.allSatisfy { [[b], [a, b]].contains(Set($0.albums)) })
    #expect(count("A") == assets.count { $0.albums.count == 2 } && count("B") == 200)
    #expect(count(".albumd-deleted") == 0)
    #expect(try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets.isEmpty)
  }

  @Test(
    "S43: a title is a name and no path",
    arguments: ["", ".", "..", ".x", "a/b", "../x", String(repeating: "x", count: 256)])
  func titles(title: String) throws {
    let host = try host()
    let app = try host.app().connect()
    let error = try failure { _ = try create(app, title) }
    #expect(error.typed(InvalidParameter.self)?.parameter == "title")
    #expect(try failure { _ = try create(app, "x", in: "0") }.name == LibraryInterface.NoSuchAlbum.name)
    #expect(try app.albums().map(\.title) == ["A", "B"])
  }

  @Test(
    "S34, S25: an asset in two albums is one asset, changed by each link, and never removed by losing one")
  func membership() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let (a, b) = (try connection.album("A").id, try connection.album("B").id)
    let id = try connection.asset("one.jpg").id
    let subscriber = try app.connect().subscribe()
    try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: [id], album: b))
    #expect(Set(try connection.asset("one.jpg").albums) == [a, b])
    // Again: it is there already.
    try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: [id], album: b))
    try connection.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [id], album: a))
    #expect(try connection.asset("one.jpg").albums == [b])
    #expect(try connection.content(of: id) == Photo.jpeg("one"))
    let refused = try failure {
      try connection.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [id], album: b))
    }
    #expect(refused.typed(LibraryInterface.LastAlbum.self)?.id == id)
    let seen = try subscriber.rest(in: host.library)
    #expect(seen.changed.map(\.id) == [id, id])
    #expect(seen.changed.allSatisfy { !$0.contentChanged })
    #expect(seen.count == 2)
    #expect(try connection.asset("one.jpg").albums == [b])
  }

  @Test("S34: an app gives an asset at most a hundred names; an owner as many as there are albums")
  func names() throws {
    let host = try host()
    let (connection, owner) = (try host.app().connect(), try host.owner())
    let id = try connection.asset("one.jpg").id
    func add(_ number: Int, by caller: Connection) throws {
      let album = try create(connection, "album \(number)").id
      try caller.call(LibraryInterface.AddToAlbum.self, .init(ids: [id], album: album))
    }
    for number in 2...100 { try add(number, by: connection) }
    let refused = try failure { try add(101, by: connection) }
    #expect(refused.typed(LibraryInterface.CannotLink.self)?.id == id)
    try add(102, by: owner)
    #expect(try connection.asset("one.jpg").albums.count == 101)
  }

  @Test(
    "S34: a link of another file system is refused", .enabled(if: SmallDisk.isPossible, "mounting a tmpfs"))
  func otherFileSystem() throws {
    let library = try TemporaryLibrary()
    try library.add("A/one.jpg")
    let disk = try SmallDisk(at: library.path("B"), kilobytes: 64)
    let host = try Host(library)
    let owner = try host.owner()
    let (id, b) = (try owner.asset("one.jpg").id, try owner.album("B").id)
    let error = try failure { try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: [id], album: b)) }
    #expect(error.typed(LibraryInterface.CannotLink.self)?.id == id)
    withExtendedLifetime(disk) {}
  }

  @Test("S16: without readWrite nothing is changed, and what a limited app does not see does not exist")
  func notAuthorized() throws {
    let host = try Host {
      try $0.add("A/one.jpg")
      try $0.add("B/two.jpg")
    }
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let b = try owner.album("B").id
    let app = try host.app().connect()
    try host.set(.wallpapers, .authorized, .addOnly)
    for error in [
      try failure { _ = try create(app, "x") },
      try failure { try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [one], album: b)) },
      try failure { try app.call(LibraryInterface.DeleteAssets.self, .init(ids: [one])) },
    ] {
      #expect(error.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
    }
    try host.limit(app, assets: [one])
    let album = try failure { try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [one], album: b)) }
    #expect(album.typed(LibraryInterface.NoSuchAlbum.self)?.id == b)
    let asset = try failure { try app.call(LibraryInterface.DeleteAssets.self, .init(ids: [one, two])) }
    #expect(asset.typed(LibraryInterface.NoSuchAsset.self)?.id == two)
    #expect(try owner.assets().map(\.filename) == ["one.jpg", "two.jpg"])
  }

  @Test("S34: many assets, more than are linked in one turn, are put into an album and taken out of it")
  func many() throws {
    let host = try Host {
      for number in 0..<40 { try $0.add("A/\(number).jpg", Photo.jpeg("\(number)")) }
      try $0.makeAlbum("B")
    }
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    let ids = try app.assets().map(\.id)
    let (a, b) = (try app.album("A").id, try app.album("B").id)
    try app.call(LibraryInterface.AddToAlbum.self, .init(ids: ids, album: b))
    #expect(try app.assets().allSatisfy { Set($0.albums) == [a, b] })
    #expect(try app.album("B").assetCount == 40)
    try app.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: ids, album: a))
    #expect(try app.assets().allSatisfy { $0.albums == [b] })
  }
}
