import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("What is done to the library, in the access log", .blocking)
struct LibraryLogTests {
  private typealias Kind = ManagerInterface.AccessKind

  /// An app that may see everything, and photos in one of two albums.
  private func host() throws -> Host {
    let host = try Host {
      for name in ["one", "two", "three"] { try $0.add("A/\(name).jpg", Photo.jpeg(name)) }
      try $0.makeAlbum("B")
    }
    try host.set(.wallpapers, .authorized)
    return host
  }

  private func replace(_ id: String, as connection: Connection, _ host: Host) throws {
    let path = try host.library.add("../source", Photo.jpeg("new"))
    let batch = DescriptorBatch()
    let index = batch.append(
      try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
    try connection.call(
      LibraryInterface.ReplaceAsset.self, .init(id: id, fileDescriptor: index), descriptors: batch)
  }

  @Test("S34: an app's albums are told: created, filled, emptied, and how many assets that was about")
  func albums() throws {
    let host = try host()
    let app = try host.app().connect()
    let (a, b) = (try app.album("A").id, try app.album("B").id)
    let ids = try app.assets().map(\.id)
    for title in ["Trip", "Journey"] {
      try app.call(LibraryInterface.CreateAlbum.self, .init(title: title, parent: nil))
    }
    // What is there already is not added.
    try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [ids[0]], album: b))
    try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [ids[0], ids[1]], album: b))
    try app.call(LibraryInterface.AddToAlbum.self, .init(ids: [ids[0]], album: b))
    // The third is in no other album: the call fails there, and what it did is done.
    _ = try failure { try app.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: ids, album: a)) }
    let entries = try host.accessLog(.wallpapers)
    let told = Dictionary(uniqueKeysWithValues: entries.map { ($0.kind, $0) })
    #expect(told[.createAlbum]?.count == 2 && told[.createAlbum]?.assets == nil)
    #expect(told[.addToAlbum]?.count == 2 && told[.addToAlbum]?.assets == 2)
    #expect(told[.removeFromAlbum]?.count == 1 && told[.removeFromAlbum]?.assets == 2)
    for kind in [Kind.createAlbum, .addToAlbum, .removeFromAlbum] {
      #expect(told[kind]?.accessLevel == .readWrite && told[kind]?.uid == Int(getuid()))
    }
  }

  @Test("S45: what a connection does as the owner is told, as that and not as an app's")
  func owner() throws {
    let host = try host()
    let owner = try host.owner()
    let (a, b) = (try owner.album("A").id, try owner.album("B").id)
    let ids = try owner.assets().map(\.id)
    try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "Trip", parent: nil))
    try owner.call(LibraryInterface.AddToAlbum.self, .init(ids: ids, album: b))
    try owner.call(LibraryInterface.RemoveFromAlbum.self, .init(ids: [ids[0]], album: a))
    _ = try owner.open(ids[0])
    try replace(ids[0], as: owner, host)
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [ids[1], ids[2]]))
    let batch = DescriptorBatch()
    let path = try host.library.add("../added", Photo.jpeg("added"))
    let index = batch.append(
      try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path))
    try owner.call(
      LibraryInterface.AddAssets.self, .init(items: [.init(fileDescriptor: index, filename: "x.jpg")]),
      descriptors: batch)
    let entries = try host.accessLog().filter { $0.appId != AppDescription.wallpapers.id }
    let told = Dictionary(grouping: entries, by: \.kind)
    for (kind, assets) in [
      (.createAlbum, nil), (.addToAlbum, 3), (.removeFromAlbum, 1), (.open, nil), (.replace, 1), (.delete, 2),
      (.add, 1),
    ] as [(Kind, Int?)] {
      #expect(told[kind]?.map(\.assets) == [assets], "\(kind)")
      #expect(told[kind]?.allSatisfy { $0.accessLevel == nil && $0.uid == Int(getuid()) } == true)
    }
    #expect(try host.accessLog(.wallpapers).allSatisfy { $0.kind == .decision })
  }

  @Test("names are told: who lists them, or subscribes to them, is in the log, and who may not is refused")
  func listing() throws {
    let host = try host()
    func fetches(_ body: (Connection) throws -> Void) throws -> [ManagerInterface.AccessLogEntry] {
      let before = try host.accessLog(.wallpapers).filter { $0.kind == .fetch }.map(\.count).reduce(0, +)
      try body(try host.app().connect())
      let after = try host.accessLog(.wallpapers).filter { $0.kind == .fetch }
      #expect(
        after.map(\.count).reduce(0, +) == before + 1 && after.allSatisfy { $0.accessLevel == .readWrite })
      return after
    }
    _ = try fetches { try $0.call(LibraryInterface.FetchAlbums.self, .init()) }
    _ = try fetches { try $0.call(LibraryInterface.FetchAssets.self, .init(limit: 2)) }
    _ = try fetches { app in
      try app.begin(LibraryInterface.Subscribe.self, .init(), more: true)
      _ = try app.receive(LibraryInterface.Subscribe.self)
    }
    // A stream is one call, with all that it tells.
    let told = try fetches { app in
      try app.begin(LibraryInterface.FetchAssets.self, .init(limit: 2), more: true)
      for _ in 0..<2 { _ = try app.receive(LibraryInterface.FetchAssets.self) }
    }
    #expect(told.compactMap(\.assets).reduce(0, +) == 5)
    #expect(
      try host.albumctl("log", "--app", AppDescription.wallpapers.id).output.contains("listed what it sees"))
    try host.set(.wallpapers, .denied)
    _ = try failure { _ = try host.app().connect().assets() }
    #expect(try host.accessLog(.wallpapers).contains { $0.kind == .refused && $0.detail == "FetchAssets" })
  }

  @Test("S33: what an app wanted and nobody was there to be asked about is told")
  func nobodyThere() throws {
    let host = try host()
    let app = try host.app().connect()
    let ids = try app.assets().map(\.id)
    _ = try failure { try app.call(LibraryInterface.DeleteAssets.self, .init(ids: ids)) }
    _ = try failure { try replace(ids[0], as: app, host) }
    _ = try failure { try app.call(PickerInterface.Pick.self, .init()) }
    let told = try host.accessLog(.wallpapers).filter { $0.kind != .decision && $0.kind != .fetch }
    #expect(told.map(\.kind) == [.delete, .replace, .pick])
    #expect(told.map(\.outcome) == ["noAgent", "noAgent", "noAgent"])
    #expect(told.map(\.assets) == [3, 1, nil])
    #expect(try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets.isEmpty)
  }

  @Test("S33: repeated deletions are told with all their assets, and those that the owner refused apart")
  func repeated() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app().connect()
    let ids = try app.assets().map(\.id)
    for (asked, decision) in [
      (ids, .deny), ([ids[0]], .deny), ([ids[0]], .allow), ([ids[1], ids[2]], .allow),
    ] as [([String], AgentInterface.Decision)] {
      try app.begin(LibraryInterface.DeleteAssets.self, .init(ids: asked))
      try agent.answer(agent.prompt(), decision)
      _ = try? app.receive(LibraryInterface.DeleteAssets.self)
    }
    let manager = try host.connect()
    try manager.call(ManagerInterface.RestoreDeleted.self, .init(ids: [ids[0]]))
    try manager.call(ManagerInterface.RestoreDeleted.self, .init(ids: [ids[1], ids[2]]))
    let log = try host.albumctl("log").output
    #expect(log.contains("  wanted to delete 2 times (4 assets in all): the owner did not agree\n"), "\(log)")
    #expect(log.contains("  deleted 2 times (3 assets in all)\n"))
    #expect(log.contains("  restored 2 times (3 assets in all)\n"))
  }
}
