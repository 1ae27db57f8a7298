import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Subscribing", .blocking)
struct SubscribeTests {
  @Test("S24, S25: inserted, changed, moved, removed")
  func kinds() throws {
    let host = try Host { try $0.makeAlbum("Trip") }
    let subscriber = try host.owner().subscribe()
    let trip = try host.owner().album("Trip").id

    try host.library.add("a.jpg", Photo.jpeg("a"))
    let inserted = try #require(try subscriber.next().inserted.first)
    #expect(inserted.filename == "a.jpg")

    try host.library.add("a.jpg", Photo.jpeg("another"))
    let changed = try subscriber.next().changed
    #expect(changed.map(\.id) == [inserted.id])
    #expect(changed.map(\.contentChanged) == [true])
    #expect(changed.first?.asset?.byteCount == Int64(Photo.jpeg("another").count))

    try host.library.move("a.jpg", to: "Trip/a.jpg")
    let moved = try #require(try subscriber.next().moved.first)
    #expect(moved.id == inserted.id)
    #expect(moved.contentChanged == false)
    #expect(moved.from == [])
    #expect(moved.to == [trip])

    try host.library.remove("Trip/a.jpg")
    #expect(try subscriber.next().removed == [inserted.id])
  }

  @Test("S24: a new empty album does not wake an asset subscription, an asset not one of albums")
  func subjects() throws {
    let host = try Host()
    let assets = try host.owner().subscribe()
    let albums = try host.owner().subscribeToAlbums()
    try host.library.makeAlbum("Empty")
    #expect(try albums.next().inserted.map(\.title) == ["Empty"])
    try host.library.add("a.jpg")
    let first = try assets.next()
    #expect(first.inserted.map(\.filename) == ["a.jpg"])
    // The asset was not told to the other, or it would come before the next album.
    try host.library.add("Empty/b.jpg")
    _ = try assets.next()
    try host.library.makeAlbum("Next")
    let second = try albums.next()
    #expect(second.inserted.map(\.title) == ["Next"])
    #expect(second.changed.isEmpty)
  }

  @Test("S24: a subscription to albums hears of renames, moves and removals")
  func albums() throws {
    let host = try Host { try $0.makeAlbum("Trip") }
    let owner = try host.owner()
    let id = try owner.album("Trip").id
    let subscriber = try host.owner().subscribeToAlbums()
    try host.library.move("Trip", to: "Journey")
    let renamed = try subscriber.next()
    #expect(renamed.changed.map(\.id) == [id])
    #expect(renamed.changed.first?.album?.title == "Journey")
    try host.library.makeAlbum("Year")
    let year = try #require(try subscriber.next().inserted.first).id
    try host.library.move("Journey", to: "Year/Journey")
    let moved = try #require(try subscriber.next().moved.first)
    #expect(moved.id == id)
    #expect(moved.from == [] && moved.to == [year])
    try host.library.remove("Year/Journey")
    #expect(try subscriber.next().removed == [id])
  }

  @Test("S24: a subscription to an album or to ids hears of nothing else")
  func scopes() throws {
    let host = try Host {
      try $0.add("Trip/a.jpg")
      try $0.add("b.jpg")
    }
    let owner = try host.owner()
    let (trip, b) = (try owner.album("Trip").id, try owner.asset("b.jpg").id)
    let ofTrip = try host.owner().subscribe(albums: [trip])
    let ofB = try host.owner().subscribe(ids: [b])
    try host.library.add("c.jpg")
    try host.library.add("Trip/d.jpg")
    try host.library.add("b.jpg", Photo.jpeg("changed"))
    #expect(try ofTrip.next().inserted.map(\.filename) == ["d.jpg"])
    #expect(try ofB.next().changed.map(\.id) == [b])
    // What enters or leaves the album is inserted or removed there.
    try host.library.move("b.jpg", to: "Trip/b.jpg")
    #expect(try ofTrip.next().inserted.map(\.id) == [b])
    try host.library.move("Trip/b.jpg", to: "b.jpg")
    #expect(try ofTrip.next().removed == [b])
  }

  @Test(
    "S26: a token goes on where it was, across restart and SIGKILL, with changes while the daemon was down")
  func tokens() throws {
    let host = try Host { try $0.add("a.jpg", Photo.jpeg("a")) }
    let a = try host.owner().asset("a.jpg").id
    var token = ""
    try {
      let subscriber = try host.owner().subscribe()
      try host.library.add("b.jpg")
      _ = try subscriber.next()
      token = subscriber.token
    }()
    try host.library.add("c.jpg")
    try host.daemon.stop()
    try host.library.add("d.jpg")
    try host.library.remove("b.jpg")
    try host.daemon.start()
    let second = try host.owner().subscribe(since: token)
    let seen = try second.collect(3)
    #expect(seen.inserted.map(\.filename).sorted() == ["c.jpg", "d.jpg"])
    #expect(seen.removed.count == 1)

    try host.daemon.kill()
    try host.library.add("e.jpg")
    try host.library.add("a.jpg", Photo.jpeg("changed while nobody looked"))
    try host.daemon.start()
    let third = try host.owner().subscribe(since: second.token)
    let later = try third.collect(2)
    #expect(later.inserted.map(\.filename) == ["e.jpg"])
    #expect(later.changed.map(\.id) == [a])
    #expect(try third.rest(in: host.library).count == 0)
  }

  @Test("S26: exactly once: the same token twice tells the same changes twice, a later one none of them")
  func exactlyOnce() throws {
    let host = try Host()
    let first = try host.owner().subscribe()
    let start = first.token
    var tokens: [String] = []
    for number in 0..<20 {
      try host.library.add("p\(number).jpg")
      _ = try first.collect(1)
      tokens.append(first.token)
    }
    #expect(Set(tokens).count == 20)
    let names = (0..<20).map { "p\($0).jpg" }
    for _ in 1...2 {
      let again = try host.owner().subscribe(since: start).collect(20)
      #expect(again.inserted.map(\.filename) == names)
    }
    for (index, token) in tokens.enumerated().dropLast() {
      let rest = try host.owner().subscribe(since: token).collect(19 - index)
      #expect(rest.inserted.map(\.filename) == Array(names[(index + 1)...]))
    }
  }

  @Test("S27: a token that was never issued: TokenExpired")
  func madeUp() throws {
    let host = try Host()
    let other = try Host()
    let foreign = try other.owner().info().token
    for token in ["", "made-up", String(repeating: "A", count: 22), foreign] {
      let error = try failure { _ = try host.owner().subscribe(since: token) }
      #expect(error.name == LibraryInterface.TokenExpired.name, "\(token)")
    }
  }

  @Test("S27: a token of a journal that is gone: TokenExpired")
  func journalLost() throws {
    let host = try Host { try $0.add("a.jpg") }
    let token = try host.owner().info().token
    try host.daemon.stop()
    for suffix in ["", "-wal", "-shm"] { try? host.library.removeState("library.sqlite\(suffix)") }
    try host.daemon.start()
    let error = try failure { _ = try host.owner().subscribe(since: token) }
    #expect(error.name == LibraryInterface.TokenExpired.name)
  }

  @Test("assets and albums exclude each other")
  func both() throws {
    let host = try Host()
    let owner = try host.owner()
    try owner.send("io.albumd.Library.Subscribe", ["albums": true, "assets": [:]], more: true)
    let reply = try owner.receive().reply
    #expect(reply.error == InvalidParameter.name)
  }

  @Test("S26, S27: who fetched or subscribed during the first scan is told once to fetch anew")
  func firstScan() throws {
    let library = try TemporaryLibrary()
    try library.configure()
    for album in 0..<60 {
      for number in 0..<250 { try library.add("\(album)/\(number).jpg", Photo.jpeg()) }
    }
    let daemon = try DaemonProcess.spawn(library)
    defer { #expect(daemon.isRunning) }
    let deadline = Deadline.generous
    var connected: Connection?
    while connected == nil, !deadline.hasPassed {
      connected = try? Connection(path: library.socket)
    }
    let owner = try #require(connected)
    try owner.call(ManagerInterface.ActAsOwner.self, .init())
    let fetched = try owner.call(LibraryInterface.FetchAssets.self, .init(limit: 1))
    let other = try Connection(path: library.socket)
    try other.call(ManagerInterface.ActAsOwner.self, .init())
    let live = try other.subscribe()
    try #require(try owner.info().state == .scanning, "the scan was over before anybody could ask")
    let anew = try live.next()
    #expect(!anew.hasIncrementalChanges && anew.isEmpty)
    #expect(try owner.info().assetCount == 15_000)
    // The fetch is from before the end, wherever it stood.
    let late = try Connection(path: library.socket)
    try late.call(ManagerInterface.ActAsOwner.self, .init())
    let second = try late.subscribe(since: fetched.token)
    #expect(try !second.next().hasIncrementalChanges)
    try library.add("next.jpg")
    for subscriber in [live, second] {
      let next = try subscriber.next()
      #expect(next.hasIncrementalChanges && next.inserted.map(\.filename) == ["next.jpg"])
    }
  }
}
