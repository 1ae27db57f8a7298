import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Files that change (S39, S40)", .blocking)
struct FileChangeTests {
  /// One photo in an album, its id, and a subscription.
  private struct Scene {
    let host: Host
    let library: TemporaryLibrary
    let owner: Connection
    let subscriber: AssetSubscriber
    let id: String

    init() throws {
      host = try Host {
        try $0.add("Trip/a.jpg", Photo.jpeg("first"))
        try $0.makeAlbum("Home")
      }
      library = host.library
      owner = try host.owner()
      subscriber = try host.owner().subscribe()
      id = try owner.asset("a.jpg").id
    }
  }

  @Test("S39: an edit in place keeps the id")
  func inPlace() throws {
    let scene = try Scene()
    try {
      let file = try openForWriting(scene.library.path("Trip/a.jpg"), O_APPEND)
      try file.write(Array("more".utf8))
    }()
    let delivery = try scene.subscriber.next()
    #expect(delivery.changed.map(\.id) == [scene.id])
    #expect(delivery.changed.map(\.contentChanged) == [true])
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("first") + Array("more".utf8))
  }

  @Test(
    "28, S88, S25: a write of which no event tells is told when the file is opened, which waits for nothing")
  func unheard() throws {
    let scene = try Scene()
    try scene.library.link("Trip/a.jpg", to: "../outside.jpg")
    _ = try scene.subscriber.rest(in: scene.library)
    try {
      let file = try openForWriting(scene.library.path("../outside.jpg"), O_APPEND)
      try file.write(Array("more".utf8))
    }()
    // It is the very file, whatever is known of it.
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("first") + Array("more".utf8))
    let delivery = try scene.subscriber.next()
    #expect(delivery.changed.map(\.id) == [scene.id] && delivery.changed.map(\.contentChanged) == [true])
    #expect(delivery.changed.first?.asset?.byteCount == Int64(Photo.jpeg("first").count + 4))
  }

  @Test(
    "S39: replacement by rename keeps the id", arguments: ["Trip/.a.jpg.tmp", "../a.jpg~", "Trip/a.jpg.part"])
  func replaced(temporary: String) throws {
    let scene = try Scene()
    try scene.library.add(temporary, Photo.jpeg("second"))
    try scene.library.move(temporary, to: "Trip/a.jpg")
    let seen = try scene.subscriber.rest(in: scene.library, atLeast: 1)
    #expect(seen.changed.map(\.id) == [scene.id])
    #expect(seen.changed.map(\.contentChanged) == [true])
    #expect(seen.count == 1)
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("second"))
  }

  @Test("S39: a backup by rename, then the new file: the name keeps its id")
  func backup() throws {
    let scene = try Scene()
    try scene.library.move("Trip/a.jpg", to: "Trip/a.jpg~")
    try scene.library.add("Trip/a.jpg", Photo.jpeg("second"))
    _ = try scene.subscriber.rest(in: scene.library, atLeast: 1)
    #expect(try scene.owner.asset("a.jpg").id == scene.id)
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("second"))
  }

  @Test("S39: a rename keeps the id and is no change of content")
  func renamed() throws {
    let scene = try Scene()
    try scene.library.move("Trip/a.jpg", to: "Trip/b.jpg")
    let delivery = try scene.subscriber.next()
    #expect(delivery.changed.map(\.id) == [scene.id])
    #expect(delivery.changed.map(\.contentChanged) == [false])
    #expect(delivery.changed.first?.asset?.filename == "b.jpg")
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("first"))
  }

  @Test("S39: a move between albums keeps the id")
  func moved() throws {
    let scene = try Scene()
    let (trip, home) = (try scene.owner.album("Trip").id, try scene.owner.album("Home").id)
    try scene.library.move("Trip/a.jpg", to: "Home/b.jpg")
    let delivery = try scene.subscriber.next()
    let move = try #require(delivery.moved.first)
    #expect(move.id == scene.id)
    #expect(move.from == [trip] && move.to == [home])
    #expect(move.asset?.filename == "b.jpg")
  }

  @Test("S25, S26: moved to another album and rewritten before anyone looked, it is one move that says so")
  func movedAndRewritten() throws {
    let scene = try Scene()
    let (trip, home) = (try scene.owner.album("Trip").id, try scene.owner.album("Home").id)
    let token = scene.subscriber.token
    // Meanwhile, the events of both wait for it.
    scene.host.daemon.pause()
    try scene.library.move("Trip/a.jpg", to: "Home/b.jpg")
    try scene.library.add("Home/b.jpg", Photo.jpeg("second"))
    scene.host.daemon.goOn()
    func check(_ seen: Collected<LibraryInterface.Asset>) throws {
      let move = try #require(seen.moved.first)
      #expect(seen.count == 1 && move.id == scene.id && move.contentChanged == true)
      #expect(move.from == [trip] && move.to == [home])
      #expect(move.asset?.filename == "b.jpg")
      #expect(move.asset?.byteCount == Int64(Photo.jpeg("second").count))
    }
    try check(scene.subscriber.rest(in: scene.library, atLeast: 1))
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("second"))
    // The journal says the same to who comes later, and a move alone is none of the content.
    let later = try scene.host.owner().subscribe(since: token)
    var told = try later.collect { !$0.inserted.isEmpty }
    told.inserted = []
    try check(told)
    try scene.library.move("Home/b.jpg", to: "Trip/b.jpg")
    let alone = try #require(try later.next().moved.first)
    #expect(alone.id == scene.id && alone.contentChanged == false)
  }

  @Test("S25, S34: a hard link is the same asset in two albums; losing one link is a change, not a removal")
  func hardLink() throws {
    let scene = try Scene()
    let (trip, home) = (try scene.owner.album("Trip").id, try scene.owner.album("Home").id)
    try scene.library.link("Trip/a.jpg", to: "Home/a.jpg")
    _ = try scene.subscriber.collect(1)
    #expect(try Set(scene.owner.asset("a.jpg").albums) == [trip, home])
    try scene.library.remove("Trip/a.jpg")
    let delivery = try scene.subscriber.next()
    #expect(delivery.removed.isEmpty)
    #expect(delivery.changed.map(\.id) + delivery.moved.map(\.id) == [scene.id])
    #expect(try scene.owner.asset("a.jpg").albums == [home])
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("first"))
    try scene.library.remove("Home/a.jpg")
    #expect(try scene.subscriber.next().removed == [scene.id])
  }

  @Test("S39: an album that is renamed keeps its id, and its assets theirs")
  func albumRenamed() throws {
    let scene = try Scene()
    let trip = try scene.owner.album("Trip").id
    try scene.library.move("Trip", to: "Journey")
    try scene.library.add("Journey/b.jpg")
    #expect(try scene.subscriber.collect { !$0.inserted.isEmpty }.removed.isEmpty)
    #expect(try scene.owner.album("Journey").id == trip)
    #expect(try scene.owner.asset("a.jpg").id == scene.id)
    #expect(try scene.owner.asset("b.jpg").albums == [trip])
    #expect(try scene.owner.content(of: scene.id) == Photo.jpeg("first"))
  }

  @Test("S39: ids survive a restart, and renames while nobody looked")
  func restart() throws {
    let scene = try Scene()
    try scene.host.daemon.restart()
    #expect(try scene.host.owner().asset("a.jpg").id == scene.id)
    try scene.host.daemon.kill()
    try scene.library.move("Trip/a.jpg", to: "Home/renamed.jpg")
    try scene.host.daemon.start()
    #expect(try scene.host.owner().asset("renamed.jpg").id == scene.id)
  }

  // MARK: Completeness

  @Test("S40: a file that is being written is invisible until it is closed")
  func halfWritten() throws {
    let scene = try Scene()
    try {
      let file = try openForWriting(scene.library.path("Trip/slow.jpg"))
      for _ in 1...3 {
        try file.write(Photo.jpeg("part"))
        #expect(try scene.subscriber.rest(in: scene.library).count == 0)
      }
      #expect(try scene.owner.assets().contains { $0.filename == "slow.jpg" } == false)
    }()
    let inserted = try #require(try scene.subscriber.next().inserted.first)
    #expect(inserted.filename == "slow.jpg")
    #expect(inserted.byteCount == Int64(3 * Photo.jpeg("part").count))
  }

  @Test("S40: a file that is linked into place counts at once")
  func linkedIntoPlace() throws {
    let scene = try Scene()
    try scene.library.add("../outside", Photo.jpeg("linked"))
    try scene.library.link("../outside", to: "Trip/linked.jpg")
    #expect(try scene.subscriber.next().inserted.map(\.filename) == ["linked.jpg"])
  }

  @Test("S40: names with a dot, and of partial downloads, do not count")
  func names() throws {
    let scene = try Scene()
    for name in [
      ".hidden.jpg", "photo.jpg.part", "photo.jpg.crdownload", "photo.jpg~", ".dir/b.jpg", "x.txt",
    ] {
      try scene.library.add("Trip/\(name)")
    }
    #expect(try scene.subscriber.rest(in: scene.library).count == 0)
    // The end of a download is a rename.
    try scene.library.move("Trip/photo.jpg.part", to: "Trip/photo.jpg")
    #expect(try scene.subscriber.next().inserted.map(\.filename) == ["photo.jpg"])
  }

  // MARK: Directories

  @Test("a directory that is moved in brings its photos, one moved out takes them along")
  func directories() throws {
    let scene = try Scene()
    for number in 0..<30 { try scene.library.add("../in/sub/p\(number).jpg") }
    try scene.library.move("../in", to: "In")
    let seen = try scene.subscriber.collect(30)
    #expect(Set(seen.inserted.map(\.filename)).count == 30)
    let sub = try scene.owner.album("sub")
    #expect(sub.assetCount == 30)
    #expect(sub.parent == (try scene.owner.album("In").id))
    // What is added to it now is heard of.
    try scene.library.add("In/sub/later.jpg")
    #expect(try scene.subscriber.next().inserted.map(\.filename) == ["later.jpg"])

    let albums = try scene.host.owner().subscribeToAlbums()
    try scene.library.move("In", to: "../out")
    let gone = try scene.subscriber.collect(31)
    #expect(gone.removed.count == 31)
    // Albums go after what is in them.
    var left: [String] = []
    while left.count < 2 { left += try albums.next().removed }
    #expect(try scene.owner.albums().map(\.title) == ["Home", "Trip"])
    // What happens outside is none of the daemon's business.
    try scene.library.add("../out/sub/secret.jpg")
    #expect(try scene.subscriber.rest(in: scene.library).count == 0)
  }

  @Test("a directory is made and filled faster than anybody can watch it")
  func burst() throws {
    let scene = try Scene()
    for number in 0..<200 { try scene.library.add("Deep/\(number % 10)/p\(number).jpg") }
    let seen = try scene.subscriber.collect(200)
    #expect(Set(seen.inserted.map(\.filename)).count == 200)
    #expect(seen.count == 200)
  }
}
