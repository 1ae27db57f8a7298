import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Albums that a limited app created itself (S19)", .blocking)
struct OwnAlbumTests {
  private func host() throws -> Host {
    try Host {
      $0.shared = ["Family", "Private"]
      try $0.makeAlbum("Trip")
      try $0.makeAlbum("Family")
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
    }
  }

  private func create(_ title: String, _ app: Connection) throws -> LibraryInterface.Album {
    try app.call(LibraryInterface.CreateAlbum.self, .init(title: title)).album
  }

  @Test("S19: it sees them, and no others; another app does not")
  func seen() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [])
    let albums = try app.connect().subscribeToAlbums()
    let album = try create("Collages", connection)
    #expect(album.createdByCaller)
    #expect(try connection.albums() == [album])
    #expect(try connection.info().albumCount == 1)
    #expect(try albums.next().inserted.map(\.id) == [album.id])
    try host.library.move("Collages", to: "Best")
    let renamed = try albums.next()
    #expect(renamed.changed.map(\.album?.title) == ["Best"] && renamed.inserted.isEmpty)

    let other = try host.app(.mail).connect()
    try host.limit(other, assets: [])
    #expect(try other.albums().isEmpty)
    #expect(try host.owner().album("Best").createdByCaller == false)
  }

  @Test("S19, S76: an app makes none that would be shared, and undoes what it has made")
  func noneShared() throws {
    let host = try host()
    let connection = try host.app().connect()
    try host.set(.wallpapers, .authorized)
    let album = try create("Private", connection)
    #expect(album.title == "Private (2)" && !album.shared)
    #expect(try connection.call(LibraryInterface.DeleteAlbum.self, .init(album: album.id)).deleted.isEmpty)
  }

  @Test("S16, S19: the title of one tells of no album that it does not see, shared or the owner's own")
  func titles() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [])
    let albums = try app.connect().subscribeToAlbums()
    let trip = try create("Trip", connection)
    let family = try create("Family", connection)
    #expect(trip.title == "Trip" && family.title == "Family")
    #expect(try albums.collect(2).inserted.map(\.title) == ["Trip", "Family"])
    #expect(Set(try connection.albums().map(\.title)) == ["Trip", "Family"])
    let owner = try host.owner()
    #expect(Set(try owner.albums().map(\.title)) == ["Family", "Family (2)", "Trip", "Trip (2)"])
    let batch = DescriptorBatch()
    let path = try host.library.add("../new.jpg")
    let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
    let item = LibraryInterface.AddItem(fileDescriptor: batch.append(file), filename: "new.jpg")
    let saved = try connection.call(
      LibraryInterface.AddAssets.self, .init(items: [item], album: trip.id, purpose: .keep, language: "en"),
      descriptors: batch)
    #expect(saved.guide?.message.contains("“Trip”") == true, "\(saved.guide?.message ?? "")")
    // What it sees itself is numbered as ever.
    #expect(try create("Trip", connection).title == "Trip (2)")
    try host.daemon.kill()
    try host.daemon.start()
    let later = try app.connect()
    #expect(Set(try later.albums().map(\.title)) == ["Trip", "Trip (2)", "Family"])
    // A name that the owner gives is its name, and who sees everything sees that too.
    let renamed = try app.connect().subscribeToAlbums()
    try host.library.move("Trip (2)", to: "Best")
    #expect(try renamed.next().changed.map(\.album?.title) == ["Best"])
    try host.set(.wallpapers, .authorized)
    #expect(
      Set(try later.albums().map(\.title)) == ["Best", "Family", "Family (2)", "Trip", "Trip (3)"])
  }

  @Test("S16, S19: what the owner puts into one is not seen for that, and not counted")
  func contents() throws {
    let host = try host()
    let owner = try host.owner()
    let one = try owner.asset("one.jpg").id
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [one])
    let album = try create("Collages", connection)
    let assets = try app.connect().subscribe(albums: [album.id])
    let everyone = try host.owner().subscribe()
    try host.library.link("two.jpg", to: "Collages/two.jpg")
    try host.library.link("one.jpg", to: "Collages/one.jpg")
    _ = try everyone.collect(2)
    #expect(try assets.next().inserted.map(\.id) == [one])
    #expect(try connection.assets(.init(albums: [album.id])).map(\.id) == [one])
    #expect(try connection.album("Collages").assetCount == 1)
    #expect(try owner.album("Collages").assetCount == 2)
    #expect(try connection.asset("one.jpg").albums == [album.id])
  }

  @Test("S19, S26: they are its own after a restart, and a token tells of them; a shared one is hidden")
  func afterRestart() throws {
    let host = try host()
    let app = try host.app()
    try host.limit(try app.connect(), assets: [])
    let token = try app.connect().subscribeToAlbums().token
    let album = try create("Collages", try app.connect())
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try app.connect().albums().map(\.id) == [album.id])
    let albums = try app.connect().subscribeToAlbums(since: token)
    #expect(try albums.next().inserted.map(\.id) == [album.id])
    try host.library.move("Collages", to: "Family/Collages")
    #expect(try albums.next().removed == [album.id])
    #expect(try app.connect().albums().isEmpty)
    try host.library.move("Family/Collages", to: "Collages")
    #expect(try albums.collect(1).inserted.map(\.id) == [album.id])
    #expect(try app.connect().album("Collages").createdByCaller)
  }

  @Test("an app creates so many albums, and so many inside one another; what the owner removes makes room")
  func quota() throws {
    let host = try Host {
      $0.options = ["limits: {albumsPerApp: 3, albumDepth: 2}"]
      try $0.makeAlbum("Trip/Day/Morning")
    }
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    let first = try create("A", app)
    let inner = try app.call(LibraryInterface.CreateAlbum.self, .init(title: "B", parent: first.id)).album
    for parent in [inner, try app.album("Morning")] {
      let error = try failure {
        try app.call(LibraryInterface.CreateAlbum.self, .init(title: "C", parent: parent.id))
      }
      #expect(error.typed(LibraryInterface.TooDeep.self)?.limit == 2)
    }
    _ = try create("C", app)
    // Also when it is limited, after a restart, and on another connection.
    try host.set(.wallpapers, .limited)
    try host.daemon.restart()
    let process = try host.app()
    let later = try process.connect()
    let error = try failure { _ = try create("D", later) }
    #expect(error.typed(LibraryInterface.TooManyAlbums.self)?.limit == 3)
    // Another app has its own, and an owner needs none.
    try host.set(.mail, .authorized)
    _ = try create("D", try host.app(.mail).connect())
    let owner = try host.owner()
    for title in ["E", "F", "G", "H"] { _ = try create(title, owner) }
    _ = try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "I", parent: inner.id))

    let albums = try process.connect().subscribeToAlbums()
    try host.library.remove("C")
    _ = try albums.next()
    _ = try create("J", later)
  }

  @Test("S19: those that it created with full access stay its own when it is limited")
  func createdBefore() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let app = try host.app().connect()
    let album = try create("Collages", app)
    #expect(try app.albums().filter(\.createdByCaller).map(\.id) == [album.id])
    try host.set(.wallpapers, .limited)
    #expect(try app.albums().map(\.id) == [album.id])
  }
}
