import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Albums are renamed and moved (S75)", .blocking)
struct AlbumMoveTests {
  private func host() throws -> Host {
    let host = try Host {
      $0.shared = ["Family", "Open/Private"]
      try $0.add("Trip/one.jpg", Photo.jpeg("one"))
      try $0.add("Trip/Day/two.jpg", Photo.jpeg("two"))
      for name in ["Family", "Open", "Year/Month"] { try $0.makeAlbum(name) }
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func rename(_ connection: Connection, _ album: String, to title: String) throws
    -> LibraryInterface.Album
  {
    try connection.call(LibraryInterface.RenameAlbum.self, .init(album: album, title: title)).album
  }

  private func move(_ connection: Connection, _ album: String, into parent: String?) throws
    -> LibraryInterface.Album
  {
    try connection.call(LibraryInterface.MoveAlbum.self, .init(album: album, parent: parent)).album
  }

  @Test("S75: ids stay, of the album and all in it; subscribers are told once; a restart changes nothing")
  func moved() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let albums = try app.connect().subscribeToAlbums()
    let trip = try connection.album("Trip").id
    let (day, month) = (try connection.album("Day"), try connection.album("Month").id)
    let assets = try connection.assets()
    let renamed = try rename(connection, trip, to: "Journey")
    #expect(renamed.id == trip && renamed.title == "Journey" && renamed.assetCount == 1)
    #expect(try albums.next().changed.map(\.album?.title) == ["Journey"])
    let moved = try move(connection, trip, into: month)
    #expect(moved.id == trip && moved.parent == month)
    let told = try #require(try albums.next().moved.first)
    #expect(told.id == trip && told.from == [] && told.to == [month])
    #expect(access(host.library.path("Year/Month/Journey/Day/two.jpg"), F_OK) == 0)
    #expect(try move(connection, trip, into: nil).parent == nil)
    _ = try albums.next()
    #expect(try connection.assets() == assets && connection.album("Day") == day)
    try host.library.makeAlbum("sentinel")
    let rest = try albums.next()
    #expect(rest.inserted.map(\.title) == ["sentinel"] && rest.changed.isEmpty && rest.moved.isEmpty)
    #expect(try host.accessLog(.wallpapers).filter { $0.kind == .moveAlbum }.map(\.count).reduce(0, +) == 3)
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try app.connect().album("Journey").id == trip)
    #expect(try app.connect().assets() == assets)
  }

  @Test("S26: who follows albums has that all in one are in another root, when another program has moved it")
  func otherRoot() throws {
    let host = try Host {
      $0.moreRoots = [$0.path("../more")]
      try $0.add("../more/Else/one.jpg", Photo.jpeg("one"))
      try $0.add("Trip/Day/Hour/two.jpg", Photo.jpeg("two"))
    }
    let follower = try Follower(host)
    #expect(Set(follower.albums.items.values.map(\.root)) == ["photos", "more"])
    try host.library.move("Trip", to: "../more/Trip")
    try follower.follow {
      $0.albums.items.values.allSatisfy { $0.root == "more" }
    } or: {
      "\(follower.albums.items.values.map(\.root))"
    }
    #expect(Set(follower.albums.items.values) == Set(try host.owner().albums()))
  }

  @Test("S75: a title that is taken or none, itself, another root, shared, too deep: each is told")
  func refused() throws {
    let other = try TemporaryDirectory()
    let host = try Host {
      $0.shared = ["Family", "Open/Private"]
      $0.options = ["limits: {albumDepth: 3}"]
      $0.moreRoots = [other.path]
      try $0.add("Trip/one.jpg", Photo.jpeg("one"))
      for name in ["Trip/Day", "Family", "Open", "Year/Month"] { try $0.makeAlbum(name) }
      mkdir(other.path + "/Else", 0o755)
    }
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    let before = try app.albums()
    func id(_ title: String) throws -> String { try app.album(title).id }
    let (trip, day) = (try id("Trip"), try id("Day"))
    let taken = try failure { _ = try rename(app, trip, to: "Open") }
    #expect(taken.typed(LibraryInterface.NameTaken.self)?.name == "Open")
    for title in ["", "..", ".x", "a/b", "a\n", String(repeating: "x", count: 256)] {
      let error = try failure { _ = try rename(app, trip, to: title) }
      #expect(error.typed(InvalidParameter.self)?.parameter == "title")
    }
    for (parent, reason) in [
      (day, LibraryInterface.MoveProblem.insideItself), (try id("Else"), .otherRoot),
      (try id("Family"), .shared),
    ] {
      let error = try failure { _ = try move(app, trip, into: parent) }
      #expect(error.typed(LibraryInterface.CannotMove.self)?.reason == reason)
    }
    for (album, title) in [("Family", "Kin"), ("Open", "Shut")] {
      let error = try failure { _ = try rename(app, try id(album), to: title) }
      #expect(error.typed(LibraryInterface.CannotMove.self)?.reason == .shared)
    }
    let deep = try failure { _ = try move(app, trip, into: try id("Month")) }
    #expect(deep.typed(LibraryInterface.TooDeep.self)?.limit == 3)
    for unknown in ["nothing", ""] {
      for error in [
        try failure { _ = try move(app, unknown, into: nil) },
        try failure { _ = try move(app, trip, into: unknown) },
      ] {
        #expect(error.typed(LibraryInterface.NoSuchAlbum.self)?.id == unknown)
      }
    }
    #expect(try app.albums() == before)
    // An owner decides what is shared, and how deep it is.
    let owner = try host.owner()
    #expect(try rename(owner, try id("Open"), to: "Shut").title == "Shut")
    #expect(try move(owner, trip, into: try id("Month")).id == trip)
    #expect(try rename(owner, try id("Family"), to: "Kin").shared == false)
  }

  @Test("S16, S19, S75: a limited app moves what it has made, and learns of nothing else")
  func limited() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let foreign = try connection.album("Trip").id
    try host.set(.wallpapers, .limited)
    func create(_ title: String) throws -> String {
      try connection.call(LibraryInterface.CreateAlbum.self, .init(title: title)).album.id
    }
    let (best, good) = (try create("Best"), try create("Good"))
    for error in [
      try failure { _ = try rename(connection, foreign, to: "x") },
      try failure { _ = try move(connection, best, into: foreign) },
    ] {
      #expect(error.typed(LibraryInterface.NoSuchAlbum.self)?.id == foreign)
    }
    // What it sees is in its way, what it does not see is not.
    let taken = try failure { _ = try rename(connection, best, to: "Good") }
    #expect(taken.typed(LibraryInterface.NameTaken.self)?.name == "Good")
    let albums = try app.connect().subscribeToAlbums()
    for title in ["Trip", "Family"] {
      let renamed = try rename(connection, best, to: title)
      #expect(renamed.id == best && renamed.title == title)
      #expect(try albums.next().changed.map(\.album?.title) == [title])
    }
    #expect(try move(connection, best, into: good).parent == good)
    let told = try #require(try albums.next().moved.first)
    #expect(told.to == [good] && told.album?.title == "Family")
    #expect(try move(connection, best, into: nil).title == "Family")
    #expect(try connection.albums().map(\.title) == ["Family", "Good"])
    #expect(try host.owner().albums().contains { $0.id == best && $0.title == "Family (2)" && !$0.shared })
    try host.set(.wallpapers, .authorized, .addOnly)
    try host.set(.wallpapers, .denied)
    let denied = try failure { _ = try rename(connection, best, to: "x") }
    #expect(denied.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
  }

  @Test(
    "S75: a place that is mounted or read-only is told as that, and nothing is changed",
    .enabled(if: SmallDisk.isPossible, "mounting a tmpfs is not permitted"))
  func fileSystems() throws {
    let library = try TemporaryLibrary()
    try library.add("A/one.jpg")
    let disk = try SmallDisk(at: library.path("B"), kilobytes: 64)
    try library.makeAlbum("B/C")
    let host = try Host(library)
    let owner = try host.owner()
    let (a, b, c) = (try owner.album("A").id, try owner.album("B").id, try owner.album("C").id)
    for (album, parent, reason) in [(b, a, LibraryInterface.MoveProblem.mounted), (a, c, .otherRoot)] {
      let error = try failure { _ = try move(owner, album, into: parent) }
      #expect(error.typed(LibraryInterface.CannotMove.self)?.reason == reason)
    }
    guard mount(nil, library.path("B"), nil, UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 else {
      throw SystemError("mount")
    }
    let error = try failure { _ = try rename(owner, c, to: "D") }
    #expect(error.name == LibraryInterface.ReadOnly.name)
    #expect(try owner.albums().map(\.title) == ["A", "B", "C"])
    withExtendedLifetime(disk) {}
  }

  @Test("R2, S75: killed before each step of it, an album has its id, under its old name or its new one")
  func killed() throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    try library.add("A/one.jpg", Photo.jpeg("one"))
    let host = try Host(library)
    var (id, asset) = (try host.owner().album("A").id, try host.owner().asset("one.jpg").id)
    var isKilled = true
    var step = 0
    while isKilled, step < 200 {
      step += 1
      let token = try host.owner().subscribeToAlbums().token
      let owner = try host.owner()
      let (title, next) = (try owner.albums()[0].title, "B\(step)")
      try faults.kill(before: step)
      let isDone = (try? rename(owner, id, to: next)) != nil
      try faults.endKilling()
      // It may be about to end.
      isKilled = (try? owner.roundTrip()) == nil
      if isKilled {
        #expect(try host.daemon.ended() == .signal(SIGKILL))
        try host.daemon.start()
      }
      let after = try host.owner()
      let album = try after.albums()[0]
      #expect([title, next].contains(album.title) && (!isDone || album.title == next), "step \(step)")
      #expect(access(library.path("\(album.title)/one.jpg"), F_OK) == 0, "step \(step)")
      #expect(album.id == id && album.assetCount == 1, "step \(step)")
      #expect(try after.asset("one.jpg").id == asset, "step \(step)")
      // Whoever goes on from before is told of it once, if it was done.
      let albums = try host.owner().subscribeToAlbums(since: token)
      try library.makeAlbum("sentinel")
      let told = try albums.collect { $0.inserted.contains { $0.title == "sentinel" } }
      #expect(told.changed.compactMap(\.album?.title) == (album.title == next ? [next] : []), "step \(step)")
      try library.remove("sentinel")
      _ = try albums.next()
      (id, asset) = (album.id, try after.asset("one.jpg").id)
    }
    #expect(!isKilled && step > 1)
  }
}
