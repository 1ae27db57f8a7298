import AlbumAPI
import AlbumClient
import TestSupport
import Testing

@Suite("The client library's observers", .blocking, .timeLimit(.minutes(30)))
struct ObservingTests {
  private static let byName = FetchOptions(sortKey: .filename)

  private func host(_ prepare: (TemporaryLibrary) throws -> Void = { _ in }) throws -> (Host, PhotoLibrary) {
    let host = try Host {
      try $0.describeThisProcess()
      try prepare($0)
    }
    try host.set(.client, .authorized)
    return (host, PhotoLibrary(socketPath: host.library.socket))
  }

  @Test("S25: a list that does what changes say shows what a fetch would")
  func details() async throws {
    let (host, library) = try host {
      for name in ["b.jpg", "d.jpg", "f.jpg", "h.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    let gallery = Gallery(try await library.fetchAssets(with: Self.byName))
    try library.register(gallery, since: gallery.beginning)
    #expect(await gallery.shown.map(\.filename) == ["b.jpg", "d.jpg", "f.jpg", "h.jpg"])
    try host.library.add("a.jpg")
    try host.library.remove("f.jpg")
    try host.library.add("g.jpg")
    await gallery.wait(for: ["a.jpg", "b.jpg", "d.jpg", "g.jpg", "h.jpg"])
    // A rename is a change, and a move in this order.
    try host.library.move("a.jpg", to: "z.jpg")
    await gallery.wait(for: ["b.jpg", "d.jpg", "g.jpg", "h.jpg", "z.jpg"])
    try host.library.add("d.jpg", Photo.jpeg("edited"))
    await gallery.wait { $0[1].byteCount == Int64(Photo.jpeg("edited").count) }
    let anew = try await library.fetchAssets(with: Self.byName)
    #expect(await gallery.shown == Array(anew))
    #expect(await gallery.reloads == 0)
    library.unregisterChangeObserver(gallery)
  }

  @Test("S26: an observer goes on by itself when the daemon was stopped or killed, and hears all once")
  func restart() async throws {
    let (host, library) = try host { try $0.add("a.jpg") }
    let gallery = Gallery(try await library.fetchAssets(with: Self.byName))
    try library.register(gallery, since: gallery.beginning)
    try host.library.add("b.jpg")
    await gallery.wait(for: ["a.jpg", "b.jpg"])
    try host.daemon.stop()
    try host.library.add("c.jpg")
    try host.library.remove("a.jpg")
    try host.daemon.start()
    await gallery.wait(for: ["b.jpg", "c.jpg"])
    try host.daemon.kill()
    try host.library.add("d.jpg")
    try host.daemon.start()
    await gallery.wait(for: ["b.jpg", "c.jpg", "d.jpg"])
    // Calls find the new daemon as well.
    #expect(try await library.authorizationStatus(for: .readWrite) == .authorized)
    #expect(await gallery.insertions == ["b.jpg": 1, "c.jpg": 1, "d.jpg": 1])
    #expect(await gallery.reloads == 0)
  }

  @Test("S26: bursts of changes with the daemon killed in the middle: what is shown is what is there")
  func bursts() async throws {
    let (host, library) = try host { try $0.makeAlbum("Trip") }
    let gallery = Gallery(try await library.fetchAssets(with: Self.byName))
    try library.register(gallery, since: gallery.beginning)
    for round in 0..<4 {
      for number in 0..<40 {
        try host.library.add("p\(number)-\(round).jpg")
        if number % 3 == 0 {
          try host.library.move("p\(number)-\(round).jpg", to: "Trip/q\(number)-\(round).jpg")
        } else if number % 5 == 4 {
          try host.library.remove("p\(number)-\(round).jpg")
        }
        if number == 10 * round { try host.daemon.kill() }
      }
      try host.daemon.start()
    }
    try host.library.add("z.jpg")
    await gallery.wait { $0.last?.filename == "z.jpg" }
    #expect(await gallery.shown == Array(try await library.fetchAssets(with: Self.byName)))
    #expect(await gallery.insertions.values.allSatisfy { $0 == 1 })
    #expect(await gallery.reloads == 0)
  }

  @Test("S26: an app that stored its token hears later what happened meanwhile, of assets and albums")
  func persistent() async throws {
    let (host, library) = try host()
    let gallery = Gallery(try await library.fetchAssets())
    try library.register(gallery, since: gallery.beginning)
    try host.library.add("Trip/a.jpg")
    await gallery.wait { $0.map(\.filename) == ["a.jpg"] }
    let stored = await gallery.token.rawValue
    library.unregisterChangeObserver(gallery)

    try host.library.add("b.jpg")
    try host.library.makeAlbum("Later")
    let token = try #require(PersistentChangeToken(rawValue: stored))
    var (assets, albums): (Set<String>, Set<String>) = ([], [])
    for try await change in library.persistentChanges(since: token) {
      assets.formUnion(change.assets.inserted.map(\.filename))
      albums.formUnion(change.albums.inserted.map(\.title))
      if assets.contains("b.jpg"), albums.contains("Later") { break }
    }
    #expect(assets == ["b.jpg"])
  }

  @Test("S24: an album that appears is told in the details of a fetch of albums")
  func albums() async throws {
    let (host, library) = try host { try $0.makeAlbum("A") }
    let result = try await library.fetchAlbums()
    #expect(result.map(\.title) == ["A"])
    try host.library.makeAlbum("B")
    for try await change in library.persistentChanges(since: result.token) {
      guard let details = try await change.changeDetails(for: result) else { continue }
      #expect(details.insertedIndexes == [1])
      #expect(details.fetchResultAfterChanges.map(\.title) == ["A", "B"])
      break
    }
  }

  @Test(
    "S27: a token of nobody's: an iteration fails with PhotoKit's 3105, an observer is told to fetch anew")
  func expired() async throws {
    let (host, library) = try host { try $0.add("a.jpg") }
    let token = try #require(PersistentChangeToken(rawValue: "made-up"))
    let error = await #expect(throws: AlbumError.self) {
      for try await _ in library.persistentChanges(since: token) {}
    }
    #expect(error?.code == .tokenExpired)
    #expect(error?.photosErrorCode == 3105)

    let gallery = Gallery(try await library.fetchAssets(with: Self.byName))
    try library.register(gallery, since: token)
    try host.library.add("b.jpg")
    await gallery.wait(for: ["a.jpg", "b.jpg"])
    try host.library.add("c.jpg")
    await gallery.wait(for: ["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test("S29: an observer may come before access, and goes on when access comes back")
  func revoked() async throws {
    let (host, library) = try host { try $0.add("a.jpg") }
    let result = try await library.fetchAssets(with: Self.byName)
    try host.set(.client, .denied)
    let gallery = Gallery(result)
    try library.register(gallery, since: result.token)
    let error = await #expect(throws: AlbumError.self) { try await library.fetchAssets() }
    #expect(error?.code == .notAuthorized)
    #expect(error?.photosErrorCode == 3311)
    #expect(error?.guide?.steps.isEmpty == false)
    try host.library.add("b.jpg")
    try host.set(.client, .authorized)
    await gallery.wait(for: ["a.jpg", "b.jpg"])
    try host.set(.client, .denied)
    try host.library.add("c.jpg")
    try host.set(.client, .authorized)
    await gallery.wait(for: ["a.jpg", "b.jpg", "c.jpg"])
  }

  @Test("S70: a view that was empty for want of access fills by itself when that is granted")
  func granted() async throws {
    let host = try Host {
      try $0.describeThisProcess()
      try $0.add("a.jpg")
    }
    let library = PhotoLibrary(socketPath: host.library.socket)
    await #expect(throws: AlbumError.self) { try await library.fetchAssets(with: Self.byName) }
    let (changes, continuation) = AsyncStream.makeStream(of: PhotoChange.self)
    var iterator = changes.makeAsyncIterator()
    let observer = Teller(continuation)
    try library.register(observer)
    // Somebody else changes the library meanwhile: nothing of it reaches who may not read.
    try host.library.add("b.jpg")
    try host.set(.client, .authorized)
    let change = try #require(await iterator.next())
    #expect(change.authorizationStatus == .authorized)
    #expect(!change.assets.hasIncrementalChanges && !change.albums.hasIncrementalChanges)
    let empty = FetchResult<Asset>(emptyFor: AssetFetch(Self.byName))
    let details = try #require(try await change.changeDetails(for: empty))
    #expect(details.fetchResultAfterChanges.map(\.filename) == ["a.jpg", "b.jpg"])
    #expect(!details.hasIncrementalChanges)
    // And goes on from there without a gap.
    try host.library.add("c.jpg")
    let next = try #require(await iterator.next())
    #expect(next.authorizationStatus == nil && next.assets.inserted.map(\.filename) == ["c.jpg"])
  }

  @Test("S70: access that is taken away empties what is shown, and says so")
  func emptied() async throws {
    let (host, library) = try host { try $0.add("a.jpg") }
    let result = try await library.fetchAssets(with: Self.byName)
    var iterator = library.persistentChanges(since: result.token).makeAsyncIterator()
    let gallery = Gallery(result)
    try library.register(gallery, since: result.token)
    try host.set(.client, .denied)
    await gallery.wait(for: [])
    let change = try #require(try await iterator.next())
    #expect(change.authorizationStatus == .denied)
    #expect(try await change.changeDetails(for: result)?.fetchResultAfterChanges.isEmpty == true)
    try host.library.add("b.jpg")
    try host.set(.client, .authorized)
    await gallery.wait(for: ["a.jpg", "b.jpg"])
    #expect(try await iterator.next()?.authorizationStatus == .authorized)
  }

  @Test("S70: the statuses are told as they are, and then each change, through a restart of the daemon")
  func statuses() async throws {
    let (host, library) = try host()
    var iterator = library.authorizationStatuses.makeAsyncIterator()
    var first: [AccessLevel: AuthorizationStatus] = [:]
    for _ in AccessLevel.allCases {
      let told = try #require(try await iterator.next())
      first[told.accessLevel] = told.status
    }
    #expect(first == [.addOnly: .notDetermined, .readWrite: .authorized])
    try host.set(.client, .denied)
    var told = try #require(try await iterator.next())
    #expect(told.accessLevel == .readWrite && told.status == .denied)
    try host.daemon.stop()
    try host.daemon.start()
    try host.set(.client, .authorized, .addOnly)
    told = try #require(try await iterator.next())
    // What stayed as it was is not told again.
    #expect(told.accessLevel == .addOnly && told.status == .authorized)
  }

  @Test("S98: how the library is, through a restart of the daemon, when it is gone")
  func availability() async throws {
    let (host, library) = try host()
    var iterator = library.availability.makeAsyncIterator()
    func told(_ state: LibraryAvailability.State) async throws -> LibraryAvailability {
      while true {
        let next = try #require(try await iterator.next())
        if next.state == state { return next }
      }
    }
    #expect(try await told(.ready).roots.map(\.name) == ["photos"])
    try host.daemon.stop()
    #expect(try await told(.gone).roots.isEmpty)
    try host.daemon.start()
    _ = try await told(.ready)
  }

  @Test("S16: without access there is no token, but the reason why")
  func noToken() async throws {
    let (host, library) = try host()
    let token = try await library.currentChangeToken()
    #expect(PersistentChangeToken(rawValue: token.rawValue) == token)
    try host.set(.client, .denied)
    let error = await #expect(throws: AlbumError.self) { try await library.currentChangeToken() }
    #expect(error?.code == .notAuthorized && error?.status == .denied)
    #expect(error?.guide?.steps.isEmpty == false)
  }

  @Test("a fetch with a limit fetches anew when something comes up from beyond it")
  func limit() async throws {
    let (host, library) = try host { for name in ["a.jpg", "b.jpg", "c.jpg"] { try $0.add(name) } }
    var options = Self.byName
    options.fetchLimit = 2
    let gallery = Gallery(try await library.fetchAssets(with: options))
    try library.register(gallery, since: gallery.beginning)
    #expect(await gallery.shown.map(\.filename) == ["a.jpg", "b.jpg"])
    try host.library.add("aa.jpg")
    await gallery.wait(for: ["a.jpg", "aa.jpg"])
    #expect(await gallery.reloads == 0)
    try host.library.remove("a.jpg")
    await gallery.wait(for: ["aa.jpg", "b.jpg"])
    #expect(await gallery.reloads == 1)
  }

  @Test("a fetch of more than a page has them all")
  func pages() async throws {
    let (host, library) = try host { for number in 0..<1203 { try $0.add("p\(number).jpg") } }
    let result = try await library.fetchAssets(with: Self.byName)
    #expect(result.count == 1203)
    #expect(
      result.map(\.filename)
        == result.map(\.filename).sorted { Array($0.utf8).lexicographicallyPrecedes(Array($1.utf8)) })
    #expect(try host.owner().info().assetCount == 1203)
    let some = try await library.fetchAssets(withLocalIdentifiers: [result[7].localIdentifier, "nobody's"])
    #expect(some.map(\.id) == [result[7].id])
    // More than one message takes.
    let many = (0..<80_000).map { "\($0), which is nobody's" } + [result[3].id, result[9].id]
    #expect(
      try await library.fetchAssets(withLocalIdentifiers: many, options: Self.byName).map(\.id)
        == [result[3].id, result[9].id])
    #expect(try await library.fetchAlbums(withLocalIdentifiers: many).isEmpty)
  }
}

/// Passes on what it is told.
private final class Teller: PhotoLibraryChangeObserver {
  private let continuation: AsyncStream<PhotoChange>.Continuation

  init(_ continuation: AsyncStream<PhotoChange>.Continuation) {
    self.continuation = continuation
  }

  func photoLibraryDidChange(_ change: PhotoChange) async { continuation.yield(change) }
}
