import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Albums are deleted (S76)", .blocking)
struct AlbumDeletionTests {
  private typealias Delete = LibraryInterface.DeleteAlbum

  /// An album with a photo of its own, one that is elsewhere as well, and another album.
  private func host() throws -> Host {
    let host = try Host {
      $0.shared = ["Family"]
      try $0.add("A/one.jpg", Photo.jpeg("one"))
      try $0.add("A/Inner/two.jpg", Photo.jpeg("two"))
      try $0.add("B/both.jpg", Photo.jpeg("both"))
      try $0.link("B/both.jpg", to: "A/both.jpg")
      for name in ["C/Empty", "Family"] { try $0.makeAlbum(name) }
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func deleted(_ host: Host) throws -> [ManagerInterface.DeletedAsset] {
    try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets
  }

  @Test("S76: an empty one, with empty ones in it, goes at once, and is told; nobody is asked")
  func empty() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    let albums = try app.connect().subscribeToAlbums()
    let (c, inner) = (try connection.album("C").id, try connection.album("Empty").id)
    #expect(try connection.call(Delete.self, .init(album: c)).deleted.isEmpty)
    #expect(Set(try albums.collect(2).removed) == [c, inner])
    #expect(access(host.library.path("C"), F_OK) != 0)
    let again = try failure { try connection.call(Delete.self, .init(album: c)) }
    #expect(again.typed(LibraryInterface.NoSuchAlbum.self)?.id == c)
    #expect(try host.accessLog(.wallpapers).contains { $0.kind == .deleteAlbum })
  }

  @Test(
    "S33, S76: the owner is asked about all in it; what is elsewhere stays there, the rest can be restored")
  func asked() throws {
    let host = try host()
    let agent = try host.agent()
    let connection = try host.app().connect()
    let (a, b) = (try connection.album("A").id, try connection.album("B").id)
    let ids = try ["one.jpg", "two.jpg", "both.jpg"].map { try connection.asset($0).id }
    try connection.begin(Delete.self, .init(album: a))
    let refused = try agent.prompt()
    #expect(refused.kind == .deletion && Set(refused.assets ?? []) == Set(ids))
    try agent.answer(refused, .deny)
    #expect(try failure { _ = try connection.receive(Delete.self) }.name == LibraryInterface.UserRefused.name)
    #expect(try connection.album("A").assetCount == 2)

    try connection.begin(Delete.self, .init(album: a))
    try agent.answer(agent.prompt(), .allow)
    #expect(Set(try connection.receive(Delete.self).deleted) == Set(ids.prefix(2)))
    #expect(try connection.assets().map(\.id) == [ids[2]] && connection.assets()[0].albums == [b])
    #expect(!(try connection.albums().contains { ["A", "Inner"].contains($0.title) }))
    #expect(access(host.library.path("A"), F_OK) != 0)
    #expect(Set(try deleted(host).map(\.id)) == Set(ids.prefix(2)))
    let restore = ManagerInterface.RestoreDeleted.Parameters(ids: Array(ids.prefix(2)))
    try host.connect().call(ManagerInterface.RestoreDeleted.self, restore)
    #expect(Set(try connection.assets().map(\.id)) == Set(ids))
    #expect(try connection.content(of: ids[1]) == Photo.jpeg("two"))
    // The albums are the same again.
    #expect(try connection.album("A").id == a && connection.album("Inner").parent == a)
    #expect(try connection.asset("one.jpg").albums == [a])
    #expect(try connection.asset("two.jpg").albums == [connection.album("Inner").id])
  }

  @Test("S76: what an app has made of photos that are elsewhere it undoes without anybody")
  func undone() throws {
    let host = try host()
    let connection = try host.app().connect()
    let ids = try ["one.jpg", "two.jpg"].map { try connection.asset($0).id }
    let made = try connection.call(LibraryInterface.CreateAlbum.self, .init(title: "Best")).album.id
    _ = try connection.call(LibraryInterface.AddToAlbum.self, .init(ids: ids, album: made))
    #expect(try connection.album("Best").assetCount == 2)
    #expect(try connection.call(Delete.self, .init(album: made)).deleted.isEmpty)
    #expect(try !connection.albums().contains { $0.title == "Best" } && connection.assets().count == 3)
    // Nobody is there to ask about the others.
    let a = try connection.album("A").id
    let refused = try failure { try connection.call(Delete.self, .init(album: a)) }
    #expect(refused.name == AuthorizationInterface.NoAgent.name)
  }

  @Test("S76: with something else in it nothing is deleted; a shared one only an owner deletes")
  func kept() throws {
    let host = try host()
    try host.library.add("A/Inner/notes.txt", Array("precious".utf8))
    let agent = try host.agent()
    let connection = try host.app().connect()
    let (a, family) = (try connection.album("A").id, try connection.album("Family").id)
    let others = try failure { try connection.call(Delete.self, .init(album: a)) }
    #expect(others.typed(LibraryInterface.AlbumNotEmpty.self)?.reason == .otherFiles)
    let shared = try failure { try connection.call(Delete.self, .init(album: family)) }
    #expect(shared.typed(LibraryInterface.CannotMove.self)?.reason == .shared)
    #expect(try connection.assets().count == 3 && deleted(host).isEmpty)
    // What comes while the owner is asked is in no answer.
    try host.library.remove("A/Inner/notes.txt")
    try connection.begin(Delete.self, .init(album: a))
    let prompt = try agent.prompt()
    try host.library.add("A/Inner/new.txt", Array("precious".utf8))
    try agent.answer(prompt, .allow)
    let late = try failure { _ = try connection.receive(Delete.self) }
    #expect(late.typed(LibraryInterface.AlbumNotEmpty.self)?.reason == .otherFiles)
    #expect(access(host.library.path("A/Inner/new.txt"), F_OK) == 0)
    #expect(try host.owner().call(Delete.self, .init(album: family)).deleted.isEmpty)
  }

  @Test("S76: the owner is asked about a thousand photos at once, and not about ten thousand and one")
  func many() throws {
    let host = try Host {
      for number in 0...10_000 { try $0.add("Too many/\(number).jpg", [UInt8](Photo.jpeg().prefix(64))) }
      for number in 0...1000 { try $0.add("Many/\(number).jpg", [UInt8](Photo.jpeg().prefix(64))) }
    }
    try host.set(.wallpapers, .authorized)
    let agent = try host.agent()
    let connection = try host.app().connect()
    let refused = try failure {
      try connection.call(Delete.self, .init(album: try connection.album("Too many").id))
    }
    #expect(refused.typed(LibraryInterface.AlbumNotEmpty.self)?.reason == .tooMany)
    let many = try connection.album("Many")
    #expect(many.assetCount == 1001)
    try connection.begin(Delete.self, .init(album: many.id))
    let prompt = try agent.prompt()
    #expect(prompt.kind == .deletion && prompt.assets?.count == 1001)
    try agent.answer(prompt, .allow)
    #expect(try connection.receive(Delete.self).deleted.count == 1001)
    #expect(access(host.library.path("Many"), F_OK) != 0)
  }

  @Test("S16, S76: a limited app deletes what it has made, and nothing that it does not see in it")
  func limited() throws {
    let host = try host()
    let connection = try host.app().connect()
    let a = try connection.album("A").id
    try host.set(.wallpapers, .limited)
    let foreign = try failure { try connection.call(Delete.self, .init(album: a)) }
    #expect(foreign.typed(LibraryInterface.NoSuchAlbum.self)?.id == a)
    func create() throws -> String {
      try connection.call(LibraryInterface.CreateAlbum.self, .init(title: "Mine")).album.id
    }
    #expect(try connection.call(Delete.self, .init(album: create())).deleted.isEmpty)
    let own = try create()
    let everyone = try host.owner().subscribe()
    try host.library.link("B/both.jpg", to: "Mine/both.jpg")
    _ = try everyone.collect(1)
    let unseen = try failure { try connection.call(Delete.self, .init(album: own)) }
    #expect(unseen.typed(LibraryInterface.AlbumNotEmpty.self)?.reason == .notSeen)
    // Nor an album that somebody else has made in it, if that is empty.
    let outer = try create()
    try host.owner().call(LibraryInterface.CreateAlbum.self, .init(title: "Inner", parent: outer))
    let foreignInside = try failure { try connection.call(Delete.self, .init(album: outer)) }
    #expect(foreignInside.typed(LibraryInterface.AlbumNotEmpty.self)?.reason == .notSeen)
    try host.set(.wallpapers, .denied)
    let denied = try failure { try connection.call(Delete.self, .init(album: own)) }
    #expect(denied.typed(LibraryInterface.NotAuthorized.self)?.accessLevel == .readWrite)
  }

  @Test("R2, S76: killed before each step of it, every photo is in its album, or deleted and can be restored")
  func killed() throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library)
    var isKilled = true
    var step = 0
    while isKilled, step < 200 {
      step += 2
      let subscriber = try host.owner().subscribe()
      let names = (0..<2).map { "\(step)-\($0).jpg" }
      for name in names { try library.add("A/\(name)", Photo.jpeg(name)) }
      let ids = Set(try subscriber.collect(2).inserted.map(\.id))
      let owner = try host.owner()
      let album = try owner.album("A").id
      try faults.kill(before: step)
      let isDone = (try? owner.call(Delete.self, .init(album: album))) != nil
      try faults.endKilling()
      isKilled = (try? owner.roundTrip()) == nil
      if isKilled {
        #expect(try host.daemon.ended() == .signal(SIGKILL))
        try host.daemon.start()
      }
      let after = try host.owner()
      let there = Set(try after.assets().map(\.id))
      let gone = Set(try deleted(host).map(\.id))
      #expect(there.union(gone) == ids && there.isDisjoint(with: gone), "step \(step)")
      #expect(!isDone || gone == ids && access(library.path("A"), F_OK) != 0, "step \(step)")
      if !gone.isEmpty {
        try after.call(ManagerInterface.RestoreDeleted.self, .init(ids: gone.sorted()))
        #expect(Set(try after.assets().map(\.id)) == ids, "step \(step)")
      }
      let all = try after.assets().map(\.id)
      _ = try after.call(LibraryInterface.DeleteAssets.self, .init(ids: all))
      try after.call(ManagerInterface.PurgeDeleted.self, .init())
    }
    #expect(!isKilled && step > 2)
  }
}
