import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("Limited access", .blocking)
struct LimitedTests {
  /// Three photos, one of them in an album, one in a shared album.
  private func host() throws -> Host {
    try Host {
      $0.shared = ["Family"]
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("Trip/two.jpg", Photo.jpeg("two"))
      try $0.add("Family/three.jpg", Photo.jpeg("three"))
    }
  }

  @Test("S16: a limited app sees its selection and nothing else")
  func selection() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg"), try owner.asset("two.jpg"))
    let app = try host.app().connect()
    try host.limit(app, assets: [one.id])

    let page = try app.call(LibraryInterface.FetchAssets.self, .init())
    #expect(page.assets.map(\.id) == [one.id])
    #expect(page.total == 1)
    let info = try app.info()
    #expect(info.assetCount == 1)
    #expect(info.albumCount == 0)
    #expect(info.roots.allSatisfy { $0.path == nil })
    #expect(try app.assets(.init(ids: [one.id, two.id])).map(\.id) == [one.id])
    #expect(try app.content(of: one.id) == Photo.jpeg("one"))
    let status = try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite))
    #expect(status.selectionCount == 1)
  }

  @Test("S16: an id outside of the selection behaves as one that does not exist")
  func outside() throws {
    let host = try host()
    let owner = try host.owner()
    let two = try owner.asset("two.jpg").id
    let trip = try owner.album("Trip").id
    let app = try host.app().connect()
    try host.limit(app, assets: [try owner.asset("one.jpg").id])
    for id in [two, "no-such-id"] {
      let error = try failure { _ = try app.open(id) }
      #expect(error == RemoteError(name: LibraryInterface.NoSuchAsset.name, parameters: ["id": .string(id)]))
      #expect(try app.assets(.init(ids: [id])).isEmpty)
    }
    for id in [trip, "no-such-id"] {
      let error = try failure { try app.call(LibraryInterface.FetchAlbums.self, .init(parent: id)) }
      #expect(error == RemoteError(name: LibraryInterface.NoSuchAlbum.name, parameters: ["id": .string(id)]))
      #expect(try app.assets(.init(albums: [id])).isEmpty)
      #expect(try app.call(LibraryInterface.FetchAlbums.self, .init(ids: [id])).albums.isEmpty)
    }
  }

  @Test("S16: nor can it be changed, deleted or added to otherwise than one that does not exist")
  func outsideUnchanged() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let trip = try owner.album("Trip").id
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let own = try app.call(LibraryInterface.CreateAlbum.self, .init(title: "Mine")).album.id
    let source = try host.library.add("../source.jpg", Photo.jpeg("source"))
    func sending<Reply>(_ body: (DescriptorBatch, Int) throws -> Reply) throws -> RemoteError {
      let batch = DescriptorBatch()
      let file = try OwnedDescriptor(open(source, O_RDONLY | O_CLOEXEC), call: "open", subject: source)
      let index = batch.append(file)
      return try failure { _ = try body(batch, index) }
    }
    for id in [two, "no-such-id"] {
      for error in [
        try failure { try app.call(LibraryInterface.DeleteAssets.self, .init(ids: [one, id])) },
        try failure { try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [one, id], album: own)) },
        try failure { try app.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [id], album: own)) },
        try failure { try app.call(LibraryInterface.GetAdjustment.self, .init(id: id)) },
        try failure { try app.call(LibraryInterface.RevertAsset.self, .init(id: id)) },
        try sending { batch, index in
          try app.call(
            LibraryInterface.ReplaceAsset.self, .init(id: id, fileDescriptor: index), descriptors: batch)
        },
      ] {
        #expect(
          error == RemoteError(name: LibraryInterface.NoSuchAsset.name, parameters: ["id": .string(id)]))
      }
    }
    for id in [trip, "no-such-id"] {
      for error in [
        try failure { try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [one], album: id)) },
        try failure { try app.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [one], album: id)) },
        try failure { _ = try app.call(LibraryInterface.CreateAlbum.self, .init(title: "x", parent: id)) },
        try sending { batch, index in
          try app.call(
            LibraryInterface.AddAssets.self,
            .init(items: [.init(fileDescriptor: index, filename: "x.jpg")], album: id), descriptors: batch)
        },
      ] {
        #expect(
          error == RemoteError(name: LibraryInterface.NoSuchAlbum.name, parameters: ["id": .string(id)]))
      }
    }
    #expect(try owner.assets().map(\.filename) == ["one.jpg", "three.jpg", "two.jpg"])
  }

  @Test("S16: a subscription tells of the selection only")
  func subscription() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [one])
    let subscriber = try connection.subscribe()
    try host.library.add("other.jpg")
    try host.library.add("Trip/two.jpg", Photo.jpeg("two, again"))
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    let delivery = try subscriber.next()
    #expect(delivery.changed.map(\.id) == [one])
    #expect(delivery.inserted.isEmpty && delivery.removed.isEmpty && delivery.moved.isEmpty)
  }

  @Test("S17: a whole album includes what is added to it later")
  func album() throws {
    let host = try host()
    let trip = try host.owner().album("Trip").id
    let app = try host.app().connect()
    try host.limit(app, albums: [trip])
    #expect(try app.assets().map(\.filename) == ["two.jpg"])
    let subscriber = try host.app().connect().subscribe()
    try host.library.add("elsewhere.jpg")
    try host.library.add("Trip/later.jpg")
    #expect(try subscriber.next().inserted.map(\.filename) == ["later.jpg"])
    // What leaves the album leaves the selection.
    try host.library.move("Trip/later.jpg", to: "later.jpg")
    #expect(try subscriber.next().removed.count == 1)
    #expect(try app.assets().map(\.filename) == ["two.jpg"])
  }

  @Test("S19: a limited app sees no albums, and nothing of shared ones")
  func shared() throws {
    let host = try host()
    let owner = try host.owner()
    #expect(try owner.album("Family").shared)
    #expect(try owner.album("Trip").shared == false)
    let three = try owner.asset("three.jpg").id
    let app = try host.app().connect()
    try host.limit(
      app, assets: [three], albums: [try owner.album("Family").id, try owner.album("Trip").id])
    #expect(try app.albums().isEmpty)
    let visible = try app.assets()
    #expect(visible.map(\.filename) == ["two.jpg"])
    #expect(visible.allSatisfy { $0.albums.isEmpty })
    #expect(try failure { _ = try app.open(three) }.name == LibraryInterface.NoSuchAsset.name)
    #expect(try app.info().assetCount == 1)
  }

  @Test("S29: a full subscription that becomes limited is told to fetch anew, and sees no more")
  func becomesLimited() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let app = try host.app()
    let subscriber = try app.connect().subscribe()
    try host.set(.wallpapers, .limited)
    let delivery = try subscriber.next()
    #expect(!delivery.hasIncrementalChanges && delivery.isEmpty)
    #expect(try app.connect().assets().isEmpty)
  }

  @Test("S29: revoking ends subscriptions and the next call; open descriptors stay")
  func revoked() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let app = try host.app()
    let connection = try app.connect()
    let file = try connection.open(connection.asset("one.jpg").id)
    let subscriber = try app.connect().subscribe()
    try host.set(.wallpapers, .denied)
    let error = try failure { _ = try subscriber.next() }
    #expect(error.typed(LibraryInterface.NotAuthorized.self)?.status == .denied)
    #expect(try failure { _ = try connection.assets() }.name == LibraryInterface.NotAuthorized.name)
    #expect(try connection.info().assetCount == 0)
    #expect(try file.readAll() == Photo.jpeg("one"))
  }

  @Test(
    "S16: tokens do not tell of what is not seen: none without access, for a limited app another each time")
  func tokens() throws {
    let host = try host()
    let app = try host.app().connect()
    #expect(try app.info().token == "")
    #expect(
      try failure { _ = try host.owner().subscribe(since: "") }.name == LibraryInterface.TokenExpired.name)
    try host.limit(app, assets: [try host.owner().asset("one.jpg").id])
    let asked = try (0..<5).flatMap { _ in
      [
        try app.info().token, try app.call(LibraryInterface.FetchAlbums.self, .init()).token,
        try app.call(LibraryInterface.FetchAssets.self, .init()).token,
        try host.app().connect().subscribe().token,
      ]
    }
    #expect(Set(asked).count == asked.count)
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    // Each is a place to go on from.
    for token in [asked[0], asked[19]] {
      #expect(try host.app().connect().subscribe(since: token).next().changed.count == 1)
    }
    try host.set(.wallpapers, .authorized)
    #expect(try app.info().token == app.info().token)
  }

  @Test("S16: GetInfo counts what the caller may see")
  func counts() throws {
    let host = try host()
    let app = try host.app().connect()
    #expect(try app.info().assetCount == 0)
    #expect(try app.info().albumCount == 0)
    let owner = try host.owner().info()
    #expect(owner.assetCount == 3)
    #expect(owner.albumCount == 2)
    #expect(owner.state == .ready)
    #expect(owner.roots.map(\.path) == [host.library.photos])
  }

  @Test("S19, S29: an album that a reload makes a shared one is out of sight at once, and so are its assets")
  func reloadShares() throws {
    let host = try host()
    let owner = try host.owner()
    let app = try host.app().connect()
    try host.limit(app, albums: [try owner.album("Trip").id, try owner.album("Family").id])
    let two = try owner.asset("two.jpg").id
    let subscriber = try host.app().connect().subscribe()
    let albums = try host.owner().subscribeToAlbums()
    host.library.shared = ["Trip"]
    host.library.options = ["saveTo: Elsewhere", "limits: {addBytes: 7}"]
    try host.library.configure()
    let reply = try host.connect().call(ManagerInterface.Reload.self, .init())
    #expect(reply.needsRestart == ["saveTo", "limits"])
    #expect(host.daemon.log.contains("What has changed of saveTo, limits counts from the next start"))
    #expect(try failure { _ = try app.open(two) }.name == LibraryInterface.NoSuchAsset.name)
    #expect(try app.assets().map(\.filename) == ["three.jpg"])
    let told = try subscriber.collect(2)
    #expect(told.removed == [two] && told.inserted.map(\.filename) == ["three.jpg"])
    #expect(try owner.album("Trip").shared && !owner.album("Family").shared)
    // Who sees all of them is told what has changed (S25).
    let changed = try albums.collect(2).changed.compactMap(\.album)
    #expect(changed.sorted { $0.title < $1.title }.map(\.shared) == [false, true])
    // Also as of a token, and after the next start.
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try host.app().connect().assets().map(\.filename) == ["three.jpg"])
  }

  @Test("S19, S25: of albums in one that is moved into a shared one it is told that they are shared by now")
  func movedBeneathShared() throws {
    let host = try host()
    for album in ["Open", "Open/Inner"] { try host.library.makeAlbum(album) }
    let owner = try host.owner()
    let known = try ["Open", "Inner"].map { try owner.album($0).id }
    let albums = try host.owner().subscribeToAlbums()
    for (from, to, isShared) in [("Open", "Family/Open", true), ("Family/Open", "Open", false)] {
      try host.library.move(from, to: to)
      let told = try albums.collect(2)
      #expect(told.moved.map(\.id) == [known[0]] && told.changed.map(\.id) == [known[1]])
      #expect(told.moved.first?.album?.shared == isShared && told.changed.first?.album?.shared == isShared)
    }
  }

  @Test(
    "S16: what happens to an asset in albums that the app does not see is not told; what is seen of it is")
  func elsewhere() throws {
    let host = try Host {
      try $0.add("Seen/one.jpg", Photo.jpeg("one"))
      for album in ["A", "B"] { try $0.makeAlbum(album) }
    }
    let owner = try host.owner()
    let one = try owner.asset("one.jpg").id
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let subscriber = try host.app().connect()
    try subscriber.begin(LibraryInterface.Subscribe.self, .init(), more: true)
    _ = try subscriber.receive(LibraryInterface.Subscribe.self)
    try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: [one], album: a))
    try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: [one], album: b))
    for album in [a, b] {
      try owner.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [one], album: album))
    }
    try host.library.add("Seen/.new", Photo.jpeg("edited"))
    try host.library.move("Seen/.new", to: "Seen/one.jpg")
    // The first that it hears of is the edit.
    let told = try subscriber.receive(LibraryInterface.Subscribe.self)
    #expect(told.changed.map(\.id) == [one] && told.changed.allSatisfy(\.contentChanged))
    #expect(told.moved.isEmpty && told.inserted.isEmpty && told.removed.isEmpty)
    // Nor is it told in which it is.
    #expect(try app.assets().map(\.albums) == [[]])
  }
}
