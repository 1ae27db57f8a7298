import AlbumAPI
import EventLoop
import Glibc
import LibraryIO
import LibraryModel
import LoopTesting
import Testing
import TestSupport

@testable import AlbumDaemon
@testable import Storage

@Suite("How many assets of an album a limited app sees (S16)", .timeLimit(.minutes(30)))
struct AlbumCountTests {
  init() { LoopThread.start() }

  @Test("S16: an album costs what is in it, however much is selected")
  func cost() async throws {
    let directory = try TemporaryDirectory()
    try await cost(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func cost(_ path: String) async throws {
    let library = try await Self.library(path)
    let album = try library.album("Own")
    let selected = Set((1...10_000).map { AssetID(rawValue: 1000 + $0) })
    let view = LibraryView(
      assets: selected.union([try library.asset("a.jpg").id]), albums: [], hiddenAlbums: [],
      ownAlbums: [album.id])
    let renderer = LibraryRenderer(store: library.store, monitor: library.monitor)
    let before = PreparedStatements(of: library.store.connection.pointer).steps
    #expect(renderer.album(album, in: view).assetCount == 1)
    #expect(PreparedStatements(of: library.store.connection.pointer).steps - before < 1000)
    library.monitor.stop()
  }

  @Test("S16, S17, S19: what is selected, alone or with an album, and lies in no shared album, counts once")
  func count() async throws {
    let directory = try TemporaryDirectory()
    try await count(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func count(_ path: String) async throws {
    let library = try await Self.library(path)
    let own = try library.album("Own")
    let (trip, family) = (try library.album("Trip").id, try library.album("Family").id)
    let (a, c) = (try library.asset("a.jpg").id, try library.asset("c.jpg").id)
    let renderer = LibraryRenderer(store: library.store, monitor: library.monitor)
    func count(_ assets: Set<AssetID>, _ albums: Set<AlbumID>, hidden: Set<AlbumID>) -> Int {
      renderer.album(
        own,
        in: LibraryView(assets: assets, albums: albums, hiddenAlbums: hidden, ownAlbums: [own.id])
      ).assetCount
    }
    #expect(count([], [], hidden: []) == 0)
    // It is in there twice.
    #expect(count([a], [], hidden: []) == 1)
    #expect(count([a, c], [], hidden: []) == 2)
    #expect(count([a, c], [], hidden: [family]) == 1)
    #expect(count([], [trip], hidden: []) == 1)
    #expect(count([a], [trip], hidden: [family]) == 2)
    #expect(count([], [own.id], hidden: []) == 3)
    #expect(count([], [own.id], hidden: [family]) == 2)
    #expect(count([], [own.id], hidden: [own.id]) == 0)
    library.monitor.stop()
  }

  @Test(
    "S87: for who sees everything, too, an album holds what is fetched from it, whoever has been renamed into it"
  )
  func names() async throws {
    let directory = try TemporaryDirectory()
    try await names(directory.path)
    withExtendedLifetime(directory) {}
  }

  @EventLoopActor
  private func names(_ path: String) async throws {
    let library = try await Self.library(path)
    let (own, trip) = (try library.album("Own").id, try library.album("Trip").id)
    func count(_ album: AlbumID) throws -> Int {
      let told = try #require(library.monitor.contents.album(album)).assetCount
      var query = AssetQuery()
      query.memberships = [.init(albums: [album])]
      #expect(try library.store.assets.count(query) == told)
      return told
    }
    #expect(try count(own) == 3 && count(trip) == 1)
    // Its other name comes to its first.
    try #require(rename("\(path)/photos/Trip/b.jpg", "\(path)/photos/Own/later.jpg") == 0)
    try #require(link("\(path)/photos/Own/c.jpg", "\(path)/photos/Trip/c.jpg") == 0)
    try #require(link("\(path)/photos/Own/c.jpg", "\(path)/photos/Trip/d.jpg") == 0)
    try await library.until { try $0.has("Trip/d.jpg") && !$0.has("Trip/b.jpg") }
    #expect(try count(own) == 3 && count(trip) == 1)
    try #require(unlink("\(path)/photos/Trip/c.jpg") == 0)
    try #require(unlink("\(path)/photos/Own/again.jpg") == 0)
    try await library.until { try !$0.has("Trip/c.jpg") && !$0.has("Own/again.jpg") }
    #expect(try count(own) == 3 && count(trip) == 1)
    try #require(unlink("\(path)/photos/Trip/d.jpg") == 0)
    try await library.until { try !$0.has("Trip/d.jpg") }
    #expect(try count(own) == 3 && count(trip) == 0)
    library.monitor.stop()
  }

  /// An album of three photos: one twice, one also in the album Trip, and one also in the album Family.
  @EventLoopActor
  private static func library(_ path: String) async throws -> PhotoLibrary {
    for album in ["Own", "Trip", "Family"] {
      try #require(mkdir("\(path)/photos", 0o755) == 0 || errno == EEXIST)
      try #require(mkdir("\(path)/photos/\(album)", 0o755) == 0)
    }
    let library = try PhotoLibrary(
      path, ["photos/Own/a.jpg", "photos/Trip/b.jpg", "photos/Family/c.jpg"])
    for (old, new) in [("Own/a", "Own/again"), ("Trip/b", "Own/b"), ("Family/c", "Own/c")] {
      try #require(link("\(path)/photos/\(old).jpg", "\(path)/photos/\(new).jpg") == 0)
    }
    try await library.start()
    return library
  }
}

extension PhotoLibrary {
  /// Whether the index has a file of that name.
  fileprivate func has(_ path: String) throws -> Bool {
    let names = path.split(separator: "/")
    guard let album = monitor.contents.albums.first(where: { $0.name == FileName(String(names[0])) }) else {
      return false
    }
    return try store.files.link(at: Location(album.id, FileName(String(names[1])))) != nil
  }

  /// The album of that name.
  fileprivate func album(_ name: String) throws -> Album {
    try #require(monitor.contents.albums.first { $0.name == FileName(name) })
  }
}
