import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Assets are renamed and moved (S77)", .blocking)
struct AssetMoveTests {
  private func host() throws -> Host {
    let host = try Host {
      $0.shared = ["Family"]
      for name in ["one", "two"] { try $0.add("A/\(name).jpg", Photo.jpeg(name)) }
      try $0.add("B/one.jpg", Photo.jpeg("another"))
      try $0.add("Family/ours.jpg", Photo.jpeg("ours"))
      try $0.add("three.jpg", Photo.jpeg("three"))
      try $0.makeAlbum("C")
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func rename(_ connection: Connection, _ id: String, to name: String) throws
    -> LibraryInterface.Asset
  {
    try connection.call(LibraryInterface.RenameAsset.self, .init(id: id, filename: name)).asset
  }

  private func move(_ connection: Connection, _ ids: [String], to album: String) throws {
    try connection.call(LibraryInterface.MoveAssets.self, .init(ids: ids, album: album))
  }

  @Test("S77: another name keeps id and extension, is told as changed, and is never another file's")
  func renamed() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let id = try connection.asset("two.jpg").id
    let subscriber = try app.connect().subscribe()
    for (name, filename) in [("Sea", "Sea.jpg"), ("sun.JPG", "sun.jpg"), ("v1.2", "v1.2.jpg")] {
      let asset = try rename(connection, id, to: name)
      #expect(asset.id == id && asset.filename == filename)
      let told = try #require(try subscriber.next().changed.first)
      #expect(told.asset?.filename == filename && !told.contentChanged)
    }
    #expect(try connection.content(of: id) == Photo.jpeg("two"))
    let taken = try failure { _ = try rename(connection, id, to: "one") }
    #expect(taken.typed(LibraryInterface.NameTaken.self)?.name == "one.jpg")
    for name in ["", "..", ".x", "a/b", "a\n.jpg", String(repeating: "x", count: 252)] {
      let error = try failure { _ = try rename(connection, id, to: name) }
      #expect(error.typed(InvalidParameter.self)?.parameter == "filename", "\(name)")
    }
    #expect(
      try failure { _ = try rename(connection, "x", to: "y") }.name == LibraryInterface.NoSuchAsset.name)
    #expect(try subscriber.rest(in: host.library).count == 0)
    #expect(try host.accessLog(.wallpapers).filter { $0.kind == .renameAsset }.map(\.count).reduce(0, +) == 3)
  }

  @Test(
    "S77, S99: a photo with RAW beside one of its names alone is moved with it, whichever that is",
    arguments: ["A", "B"])
  func rawBesideOne(album: String) throws {
    let host = try Host {
      for name in ["B", "C"] { try $0.makeAlbum(name) }
      try $0.add("A/p.jpg", Photo.jpeg("p"))
      try $0.link("A/p.jpg", to: "B/p.jpg")
      try $0.add("\(album)/p.dng", Photo.jpeg("raw"))
    }
    try host.set(.wallpapers, .authorized)
    let connection = try host.app().connect()
    let (photo, c) = (try connection.asset("p.jpg"), try connection.album("C").id)
    #expect(photo.albums.count == 2)
    try move(connection, [photo.id], to: c)
    let moved = try connection.asset("p.jpg")
    #expect(moved.id == photo.id && moved.albums == [c])
    #expect(
      ["A", "B", "C"].map { entries(of: host.library.path($0)).sorted() } == [[], [], ["p.dng", "p.jpg"]])
  }

  @Test("S77: moved assets are in that album alone, keep their ids, and are told as moved")
  func moved() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    func album(_ title: String) throws -> String { try connection.album(title).id }
    let (a, b, c) = (try album("A"), try album("B"), try album("C"))
    let assets = try connection.assets().filter { $0.albums == [a] || $0.albums.isEmpty }
    let two = try connection.asset("two.jpg").id
    try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: [two], album: b))
    let subscriber = try app.connect().subscribe()
    try move(connection, assets.map(\.id), to: c)
    let told = try subscriber.rest(in: host.library)
    #expect(
      Set(told.moved.map(\.id)) == Set(assets.map(\.id)) && told.inserted.isEmpty && told.removed.isEmpty)
    let after = try connection.assets(.init(albums: [c]))
    #expect(Set(after.map(\.id)) == Set(assets.map(\.id)) && after.allSatisfy { $0.albums == [c] })
    #expect(Set(after.map(\.filename)) == ["one.jpg", "two.jpg", "three.jpg"])
    // A name that is taken gets a number; what is there already stays.
    try move(connection, after.map(\.id), to: b)
    #expect(
      Set(try connection.assets(.init(albums: [b])).map(\.filename)) == [
        "one.jpg", "one (2).jpg", "two.jpg", "three.jpg",
      ])
    #expect(try connection.album("A").assetCount == 0)
    #expect(try connection.content(of: two) == Photo.jpeg("two"))
    #expect(
      try host.accessLog(.wallpapers).filter { $0.kind == .moveAssets }.compactMap(\.assets).reduce(0, +) == 6
    )
  }

  @Test("S77: moved into no album, assets are directly beneath their root, with their ids, and told as moved")
  func beneathRoot() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let (a, b) = (try connection.album("A").id, try connection.album("B").id)
    let assets = try connection.assets().filter { $0.albums == [a] || $0.albums == [b] || $0.albums.isEmpty }
    let two = try connection.asset("two.jpg").id
    try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: [two], album: b))
    let subscriber = try app.connect().subscribe()
    for _ in 0..<2 { try connection.call(LibraryInterface.MoveAssets.self, .init(ids: assets.map(\.id))) }
    let told = try subscriber.rest(in: host.library)
    let moved = assets.filter { !$0.albums.isEmpty }.map(\.id)
    #expect(Set(told.moved.map(\.id)) == Set(moved) && moved.count == 3)
    #expect(told.inserted.isEmpty && told.removed.isEmpty)
    let after = try connection.assets(.init(ids: assets.map(\.id)))
    #expect(after.count == 4 && after.allSatisfy { $0.albums.isEmpty })
    #expect(Set(after.map(\.filename)) == ["one.jpg", "one (2).jpg", "two.jpg", "three.jpg"])
    #expect(try connection.content(of: two) == Photo.jpeg("two"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: host.library.path("A")).isEmpty)
    let log = try host.accessLog(.wallpapers).filter { $0.kind == .removeFromAlbum }
    #expect(log.compactMap(\.assets).reduce(0, +) == 3)
    let ours = try connection.asset("ours.jpg").id
    let shared = try failure {
      _ = try connection.call(LibraryInterface.MoveAssets.self, .init(ids: [ours]))
    }
    #expect(shared.typed(LibraryInterface.CannotMove.self)?.reason == .shared)
  }

  @Test("S16, S77: a limited app moves assets out of its own albums; what is elsewhere too is there alone")
  func limitedBeneathRoot() throws {
    let host = try host()
    let app = try host.app().connect()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("three.jpg").id, try owner.asset("two.jpg"))
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [one, two.id])
    let own = try app.call(LibraryInterface.CreateAlbum.self, .init(title: "Mine")).album.id
    try owner.call(LibraryInterface.MoveAssets.self, .init(ids: [one], album: own))
    try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [two.id], album: own))
    for _ in 0..<2 { try app.call(LibraryInterface.MoveAssets.self, .init(ids: [one, two.id])) }
    #expect(try app.assets(.init(ids: [one, two.id])).allSatisfy { $0.albums.isEmpty })
    #expect(try owner.asset("three.jpg").albums.isEmpty && owner.asset("two.jpg").albums == two.albums)
    #expect(try FileManager.default.contentsOfDirectory(atPath: host.library.path("Mine")).isEmpty)
    #expect(!FileManager.default.fileExists(atPath: host.library.path("two.jpg")))
    #expect(try host.owner().album("A").assetCount == 2)
  }

  @Test("S19, S77: no app changes what is shared with whom; an owner may")
  func shared() throws {
    let host = try host()
    let app = try host.app().connect()
    let (ours, one) = (try app.asset("ours.jpg").id, try app.asset("two.jpg").id)
    let (family, c) = (try app.album("Family").id, try app.album("C").id)
    for (id, album) in [(ours, c), (one, family)] {
      let error = try failure { try move(app, [id], to: album) }
      #expect(error.typed(LibraryInterface.CannotMove.self)?.reason == .shared)
      #expect(error.typed(LibraryInterface.CannotMove.self)?.id == id)
    }
    try move(try host.owner(), [ours], to: c)
    #expect(try app.assets(.init(albums: [c])).map(\.id) == [ours])
  }

  @Test("S16, S77: a limited app takes nothing out of albums that it does not see")
  func limited() throws {
    let host = try host()
    let app = try host.app().connect()
    let (one, two) = (try app.asset("two.jpg").albums, try app.asset("two.jpg").id)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [two])
    let own = try app.call(LibraryInterface.CreateAlbum.self, .init(title: "Mine")).album.id
    try move(app, [two], to: own)
    #expect(try app.asset("two.jpg").albums == [own])
    #expect(Set(try host.owner().asset("two.jpg").albums) == Set(one + [own]))
    // In its owner's album there is such a name, which is no answer.
    #expect(try rename(app, two, to: "one").filename == "one (2).jpg")
    let refused = try failure { try move(app, [two], to: one[0]) }
    #expect(refused.typed(LibraryInterface.NoSuchAlbum.self)?.id == one[0])
    try host.set(.wallpapers, .denied)
    for error in [
      try failure { _ = try rename(app, two, to: "x") }, try failure { try move(app, [two], to: own) },
    ] {
      #expect(error.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
    }
  }

  @Test("R2, S77: killed before each step, a live photo is whole, under its old name or its new one")
  func killed() throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    try library.add("A/x0.jpg", Photo.jpeg("live"))
    try library.add("A/x0.mov", Photo.jpeg("movie"))
    let host = try Host(library)
    let id = try host.owner().assets()[0].id
    var isKilled = true
    var step = 0
    while isKilled, step < 200 {
      step += 1
      let owner = try host.owner()
      let (name, next) = (try owner.assets()[0].filename, "x\(step).jpg")
      try faults.kill(before: step)
      let isDone = (try? rename(owner, id, to: next)) != nil
      try faults.endKilling()
      isKilled = (try? owner.roundTrip()) == nil
      if isKilled {
        #expect(try host.daemon.ended() == .signal(SIGKILL))
        try host.daemon.start()
      }
      let assets = try host.owner().assets()
      let files = try FileManager.default.contentsOfDirectory(atPath: library.path("A"))
      #expect(assets.map(\.id) == [id] && assets[0].mediaType == .livePhoto, "step \(step)")
      #expect(
        [name, next].contains(assets[0].filename) && (!isDone || assets[0].filename == next), "step \(step)")
      let stem = assets[0].filename.dropLast(4)
      #expect(Set(files) == ["\(stem).jpg", "\(stem).mov"], "step \(step)")
    }
    #expect(!isKilled && step > 1)
    #expect(try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets.isEmpty)
  }
}
