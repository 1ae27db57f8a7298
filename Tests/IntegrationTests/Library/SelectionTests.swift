import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Changing a selection (S22)", .blocking)
struct SelectionTests {
  private typealias GetStatus = AuthorizationInterface.GetStatus

  private func host() throws -> Host {
    try Host {
      $0.shared = ["Family"]
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
      try $0.add("Trip/three.jpg", Photo.jpeg("three"))
      try $0.add("Trip/four.jpg", Photo.jpeg("four"))
      try $0.add("Family/five.jpg", Photo.jpeg("five"))
    }
  }

  @Test("S22: it pushes what was inserted and removed; the status stays, and its count is told")
  func pushed() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [one])
    let subscriber = try app.connect().subscribe()
    let monitor = try app.connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in 0..<2 { _ = try monitor.receive(AuthorizationInterface.Monitor.self) }

    try host.select(.add, assets: [two])
    let inserted = try subscriber.next()
    #expect(inserted.hasIncrementalChanges)
    #expect(inserted.inserted.map(\.filename) == ["two.jpg"] && inserted.removed.isEmpty)
    let told = try monitor.receive(AuthorizationInterface.Monitor.self)
    #expect(told.status == .limited && told.selectionCount == 2)

    try host.select(.remove, assets: [one])
    #expect(try subscriber.next().removed == [one])
    try host.select(.replace, assets: [one])
    let replaced = try subscriber.collect(2)
    #expect(replaced.inserted.map(\.id) == [one] && replaced.removed == [two])
    #expect(try connection.status() == .limited)
    #expect(try connection.assets().map(\.id) == [one])
    // What is selected already is no change.
    try host.select(.add, assets: [one])
    #expect(try subscriber.rest(in: host.library, seenBy: host).count == 0)
  }

  @Test("S16, S19: an app is not told how much is selected that it does not see, nor when; owners are")
  func count() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let five = try owner.asset("five.jpg").id
    let family = try owner.album("Family").id
    let trip = try owner.album("Trip").id
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [one])
    func count() throws -> Int? {
      try connection.call(GetStatus.self, .init(accessLevel: .readWrite)).selectionCount
    }
    let monitor = try app.connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    func told() throws -> Int? { try monitor.receive(AuthorizationInterface.Monitor.self).selectionCount }
    #expect(try [told(), told()].compactMap { $0 } == [1])

    try host.select(.add, assets: [five], albums: [family])
    #expect(try count() == 1)
    try host.select(.add, assets: [two], albums: [trip])
    #expect(try count() == 3 && told() == 3)
    try connection.roundTrip()
    #expect(monitor.isQuiet)
    // What has gone is not seen either.
    let everyone = try host.owner().subscribe()
    try host.library.remove("two.jpg")
    #expect(try everyone.next().removed == [two])
    #expect(try count() == 2 && told() == 2)
    let apps = try host.connect().call(ManagerInterface.ListApps.self, .init()).apps
    let grants = apps.first { $0.id == AppDescription.wallpapers.id }?.grants ?? []
    #expect(grants.compactMap(\.selectionCount) == [5])
  }

  @Test("S17, S22: selecting an album tells what is in it; deselecting, what is not seen otherwise")
  func wholeAlbum() throws {
    let host = try host()
    let owner = try host.owner()
    let three = try owner.asset("three.jpg").id
    let trip = try owner.album("Trip").id
    let app = try host.app()
    try host.limit(try app.connect(), assets: [three])
    let subscriber = try app.connect().subscribe()
    try host.select(.add, albums: [trip])
    #expect(try subscriber.next().inserted.map(\.filename) == ["four.jpg"])
    try host.library.add("Trip/later.jpg")
    #expect(try subscriber.next().inserted.map(\.filename) == ["later.jpg"])
    try host.select(.remove, albums: [trip])
    let removed = try subscriber.collect(2)
    #expect(removed.removed.count == 2 && !removed.removed.contains(three))
    #expect(try app.connect().assets().map(\.id) == [three])
  }

  @Test("S18: what a limited app adds is in its selection when it has the ids, and is told once")
  func ownAdditions() throws {
    let host = try host()
    let app = try host.app()
    let connection = try app.connect()
    try host.limit(connection, assets: [])
    let subscriber = try app.connect().subscribe()
    let ids = try (1...3).map { number in
      let batch = DescriptorBatch()
      let path = try host.library.add("../new\(number)", Photo.jpeg("new \(number)"))
      let item = LibraryInterface.AddItem(
        fileDescriptor: batch.append(
          try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)),
        filename: "new\(number).jpg")
      let reply = try connection.call(
        LibraryInterface.AddAssets.self, .init(items: [item]), descriptors: batch)
      let id = try #require(reply.ids.first)
      #expect(try connection.assets().map(\.id).contains(id))
      #expect(try connection.content(of: id) == Photo.jpeg("new \(number)"))
      return id
    }
    let told = try subscriber.rest(in: host.library, seenBy: host)
    #expect(told.inserted.map(\.id) == ids && told.count == ids.count)
  }

  @Test("S19: an album that becomes a shared one takes its assets out of sight, and back")
  func sharing() throws {
    let host = try host()
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let app = try host.app()
    try host.limit(try app.connect(), albums: [trip])
    let subscriber = try app.connect().subscribe()
    let names = try app.connect().assets().map(\.id)
    try host.library.move("Trip", to: "Family/Trip")
    #expect(Set(try subscriber.collect(2).removed) == Set(names))
    #expect(try app.connect().assets().isEmpty)
    // Nothing that happens to them there is told.
    try host.library.add("Family/Trip/three.jpg", Photo.jpeg("three, again"))
    try host.library.move("Family/Trip", to: "Trip")
    let back = try subscriber.collect(2)
    #expect(Set(back.inserted.map(\.id)) == Set(names) && back.changed.isEmpty)
    #expect(Set(try app.connect().assets().map(\.id)) == Set(names))
  }

  @Test("S16: an album that a limited app does not see has nothing in it, for a subscription either")
  func unknownAlbum() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, three) = (try owner.asset("one.jpg").id, try owner.asset("three.jpg").id)
    let trip = try owner.album("Trip").id
    let app = try host.app()
    try host.limit(try app.connect(), assets: [one, three])
    let subscriber = try app.connect().subscribe(albums: [trip], ids: [one])
    try host.library.add("Trip/three.jpg", Photo.jpeg("three, again"))
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    let delivery = try subscriber.next()
    #expect(delivery.changed.map(\.id) == [one])
  }

  @Test("S22, S29: the selections of two apps are their own")
  func twoApps() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let (first, second) = (try host.app(.wallpapers), try host.app(.mail))
    try host.limit(try first.connect(), assets: [one])
    try host.limit(try second.connect(), assets: [one])
    let (firstStream, secondStream) = (try first.connect().subscribe(), try second.connect().subscribe())
    try host.select(.add, assets: [two])
    #expect(try firstStream.next().inserted.map(\.id) == [two])
    try host.library.add("two.jpg", Photo.jpeg("two, again"))
    try host.library.add("one.jpg", Photo.jpeg("one, again"))
    #expect(try secondStream.next().changed.map(\.id) == [one])
    #expect(Set(try firstStream.collect(2).changed.map(\.id)) == [one, two])
  }

  @Test("S22: owners are told the selection; what is not in the library is refused by name")
  func settings() throws {
    let host = try host()
    let owner = try host.owner()
    let one = try owner.asset("one.jpg").id
    let trip = try owner.album("Trip").id
    let id = AppDescription.wallpapers.id
    try host.select(.replace, assets: [one], albums: [trip])
    let selection = try host.connect().call(ManagerInterface.GetSelection.self, .init(appId: id))
    #expect(selection == .init(assets: [one], albums: [trip]))
    // It was selected before the app was limited, and counts when it is.
    try host.set(.wallpapers, .limited)
    #expect(try host.app().connect().assets().count == 3)

    for (assets, albums, parameter) in [(["no-such-id"], [], "assets"), ([], [one], "albums")] {
      let error = try failure { try host.select(.add, assets: assets, albums: albums) }
      #expect(error.typed(InvalidParameter.self)?.parameter == parameter)
    }
    try host.select(.remove, assets: ["no-such-id"])
    let unknown = try failure {
      try host.connect().call(ManagerInterface.GetSelection.self, .init(appId: "org.example.Unknown"))
    }
    #expect(unknown.name == ManagerInterface.NoSuchApp.name)
    let app = try failure {
      try host.app(.mail).connect().call(ManagerInterface.GetSelection.self, .init(appId: id))
    }
    #expect(app.name == ManagerInterface.NotAnOwner.name)
  }

  @Test("S37: where a policy decides, a selection cannot be changed")
  func locked() throws {
    let host = try Host {
      try $0.policy("all", "effect: authorize\napps: [\"*\"]\naccessLevels: [readWrite]\n")
    }
    let error = try failure { try host.select(.add) }
    #expect(error.name == ManagerInterface.LockedByPolicy.name)
  }
}

extension Subscriber where Item == LibraryInterface.Asset {
  /// Everything that is delivered before a photo that is added, and selected, now.
  func rest(in library: TemporaryLibrary, seenBy host: Host) throws -> Collected<Item> {
    let name = "sentinel-\(UInt64.random(in: 0...UInt64.max)).jpg"
    let everyone = try host.owner().subscribe()
    try library.add(name)
    let id = try everyone.collect { $0.inserted.contains { $0.filename == name } }.inserted.last?.id
    try host.select(.add, assets: [try #require(id)])
    var collected = try collect { $0.inserted.contains { $0.filename == name } }
    collected.inserted.removeAll { $0.filename == name }
    return collected
  }
}
