import AlbumAPI
import AlbumClient
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("The client library's lazy results", .blocking, .timeLimit(.minutes(30)))
struct LazyFetchTests {
  private func host(_ prepare: (TemporaryLibrary) throws -> Void = { _ in }) throws -> (Host, PhotoLibrary) {
    let host = try Host {
      try $0.describeThisProcess()
      try prepare($0)
    }
    try host.set(.client, .authorized)
    return (host, PhotoLibrary(socketPath: host.library.socket))
  }

  private func ids(_ result: LazyFetchResult) async throws -> [String] {
    var ids: [String] = []
    for index in result.indices { ids.append(try await result.localIdentifier(at: index) ?? "") }
    return ids
  }

  @Test("S104: of twelve thousand assets some are in memory, whatever is looked at; a change reads none")
  func large() async throws {
    let (host, library) = try host { library in
      for number in 0..<12_000 { try library.add("\(number).jpg", [UInt8](Photo.jpeg().prefix(64))) }
    }
    let options = FetchOptions(sortKey: .modified)
    let result = try await library.fetchAssets(lazily: options)
    #expect(result.count == 12_000)
    #expect(result.loadedAsset(at: 0) != nil && result.loadedAsset(at: 200) == nil)
    #expect(try await result.asset(at: 11_999) != nil)
    var (last, count) = (Int64.min, 0)
    for try await asset in result {
      #expect(asset.modified.microseconds >= last)
      (last, count) = (asset.modified.microseconds, count + 1)
    }
    #expect(count == 12_000)
    #expect(result.indices.count { result.loadedAsset(at: $0) != nil } <= 2000)
    // It shows what a whole fetch does.
    let whole = try await library.fetchAssets(with: options)
    #expect(try await ids(result) == whole.map(\.id))
    #expect(try await result.index(ofLocalIdentifier: whole[7777].id) == 7777)

    try host.library.add("new.jpg")
    try host.library.remove("5000.jpg")
    var shown = result
    for try await change in library.persistentChanges(since: result.token) {
      guard let details = try await change.changeDetails(for: shown) else { continue }
      #expect(details.hasIncrementalChanges)
      shown = details.fetchResultAfterChanges
      let anew = try await library.fetchAssets(with: options)
      if anew.count == 12_000, try await ids(shown) == anew.map(\.id) { break }
    }
    #expect(try await shown.asset(at: 11_999)?.filename == "new.jpg")
  }

  @Test(
    "S25, S26, S104: a list that does what the places say shows what a fetch would, also through a restart")
  func followed() async throws {
    let (host, library) = try host {
      for name in ["b.jpg", "d.jpg", "f.jpg", "h.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    let result = try await library.fetchAssets(lazily: FetchOptions(ascending: false))
    let screen = Screen(try await ids(result), result)
    try library.register(screen, since: result.token)
    try host.library.add("a.jpg")
    try host.library.remove("f.jpg")
    try await screen.wait(for: ["a.jpg", "b.jpg", "d.jpg", "h.jpg"])
    try host.daemon.stop()
    try host.library.add("g.jpg")
    try host.library.move("h.jpg", to: "i.jpg")
    try host.daemon.start()
    try await screen.wait(for: ["a.jpg", "b.jpg", "d.jpg", "g.jpg", "i.jpg"])
    try await screen.check()
    let anew = try await library.fetchAssets(with: FetchOptions(ascending: false))
    #expect(await screen.shown == anew.map(\.id))
    #expect(await screen.reloads == 0)
    library.unregisterChangeObserver(screen)
  }

  @Test(
    "S29, S70, S104: access that is taken away ends reading, empties what is shown, and fills it when it returns"
  )
  func revoked() async throws {
    let (host, library) = try host { library in for number in 0..<450 { try library.add("\(number).jpg") } }
    let result = try await library.fetchAssets(lazily: FetchOptions())
    var changes = library.persistentChanges(since: result.token).makeAsyncIterator()
    try host.set(.client, .denied)
    let error = await #expect(throws: AlbumError.self) { try await result.asset(at: 400) }
    #expect(error?.code == .notAuthorized && error?.guide != nil)
    let taken = try #require(try await changes.next())
    let empty = try #require(try await taken.changeDetails(for: result)).fetchResultAfterChanges
    #expect(empty.isEmpty)
    #expect(try await empty.asset(at: 0) == nil)
    try host.set(.client, .authorized)
    let given = try #require(try await changes.next())
    let full = try #require(try await given.changeDetails(for: empty))
    #expect(!full.hasIncrementalChanges && full.fetchResultAfterChanges.count == 450)
    // The one from before reads on as well.
    #expect(try await result.asset(at: 400) != nil)
    let none = LazyFetchResult(emptyFor: FetchOptions(), of: library)
    #expect(none.isEmpty)
    #expect(try await given.changeDetails(for: none)?.fetchResultAfterChanges.count == 450)
  }

  @Test("S16, S104: a limited app has a list of what it sees; what it does not see any more is nil")
  func limited() async throws {
    let (host, library) = try host { library in
      for name in ["a.jpg", "b.jpg", "c.jpg"] { try library.add(name) }
    }
    let owner = try host.owner()
    try host.set(.client, .limited)
    try host.select(.add, assets: [try owner.asset("a.jpg").id, try owner.asset("b.jpg").id], for: .client)
    let result = try await library.fetchAssets(lazily: FetchOptions())
    #expect(result.count == 2)
    #expect(try await result.index(ofLocalIdentifier: owner.asset("c.jpg").id) == nil)
    #expect(try await result.asset(at: 0)?.filename != nil)
    try host.select(.remove, assets: [try owner.asset("a.jpg").id], for: .client)
    for try await change in library.persistentChanges(since: result.token) {
      guard let details = try await change.changeDetails(for: result) else { continue }
      #expect(details.removedIndexes?.count == 1)
      #expect(try await details.fetchResultAfterChanges.asset(at: 0)?.filename == "b.jpg")
      break
    }
  }

  @Test("S104: an album's assets; a jump to a date")
  func album() async throws {
    let (host, library) = try host { library in
      for (place, name) in ["Trip/a.jpg", "Trip/b.jpg", "c.jpg"].enumerated() {
        let path = try library.add(name)
        let time = timespec(tv_sec: 1_000_000_000 + place, tv_nsec: 0)
        try #require(utimensat(AT_FDCWD, path, [time, time], 0) == 0)
      }
    }
    let trip = try #require(try await library.fetchAlbums().first)
    let result = try await library.fetchAssets(in: trip, lazily: FetchOptions())
    #expect(result.count == 2)
    let second = try #require(try await result.asset(at: 1))
    #expect(try await result.index(createdAt: second.created) == 1)
    #expect(try await result.index(createdAt: Instant(microseconds: 0)) == 0)
    try await result.prefetch(0..<2)
    #expect(result.loadedAsset(at: 1) == second)
    #expect(try host.owner().info().assetCount == 3)
  }

  @Test("S23: what is picked is loaded into a directory, one after the other")
  func picked() async throws {
    let (host, library) = try host {
      for name in ["a.jpg", "b.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    try host.library.makeAlbum("../app")
    let owner = try host.owner()
    let ids = [try owner.asset("b.jpg").id, try owner.asset("a.jpg").id]
    let agent = try host.agent()
    async let picking = library.pick()
    try agent.answer(agent.prompt(), .init(decision: .allow, assets: ids))
    let picked = try await picking
    var paths: [String] = []
    for try await item in picked.loaded(to: .directory(host.library.path("../app"))) {
      if case .files(let files) = try item.result.get() { paths += files }
    }
    #expect(Set(paths) == Set(["a.jpg", "b.jpg"].map { host.library.path("../app/\($0)") }))
    for path in paths {
      let name = String(path.split(separator: "/").last ?? "")
      #expect(try Array(Data(contentsOf: URL(filePath: path))) == Photo.jpeg(name))
    }
  }
}

/// A list on a screen that shows places: it does what changes say, and reads what it shows.
private actor Screen: PhotoLibraryChangeObserver {
  private(set) var shown: [String]
  private(set) var result: LazyFetchResult
  private(set) var reloads = 0
  private var waiting: [(names: Set<String>, continuation: CheckedContinuation<Void, any Error>)] = []

  init(_ shown: [String], _ result: LazyFetchResult) {
    self.shown = shown
    self.result = result
  }

  func photoLibraryDidChange(_ change: PhotoChange) async {
    do {
      guard let details = try await change.changeDetails(for: result) else { return }
      let after = details.fetchResultAfterChanges
      result = after
      if details.hasIncrementalChanges {
        for place in (details.removedIndexes ?? []).reversed() { shown.remove(at: place) }
        for place in details.insertedIndexes ?? [] {
          shown.insert(try await after.localIdentifier(at: place) ?? "", at: place)
        }
      } else {
        reloads += 1
        shown = []
        for place in after.indices { shown.append(try await after.localIdentifier(at: place) ?? "") }
      }
      let names = try await self.names
      for one in waiting where one.names == names { one.continuation.resume() }
      waiting.removeAll { $0.names == names }
    } catch {
      for one in waiting { one.continuation.resume(throwing: error) }
      waiting = []
    }
  }

  private var names: Set<String> {
    get async throws {
      Set(try await result.assets(in: result.indices).compactMap { $0?.filename })
    }
  }

  /// Waits until these are shown.
  func wait(for names: Set<String>) async throws {
    if try await self.names == names { return }
    try await withCheckedThrowingContinuation { waiting.append((names, $0)) }
  }

  /// What is shown are the result's.
  func check() async throws {
    for (place, id) in shown.enumerated() { #expect(try await result.localIdentifier(at: place) == id) }
    #expect(shown.count == result.count)
  }
}
