import AlbumAPI
import AlbumClient
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Recently added", .blocking)
struct ArrivalTests {
  private func host() throws -> Host {
    let host = try Host {
      try $0.describeThisProcess()
      for name in ["one", "two"] { try $0.add("A/\(name).jpg", Photo.jpeg(name)) }
    }
    try host.set(.client, .authorized)
    return host
  }

  private func added(
    _ connection: Connection, descending: Bool? = nil, limit: Int? = nil, cursor: String? = nil
  ) throws -> LibraryInterface.FetchAssets.Reply {
    try connection.call(
      LibraryInterface.FetchAssets.self,
      .init(albums: ["recentlyAdded"], descending: descending, limit: limit, cursor: cursor))
  }

  /// What comes next comes later, by the clock that files have.
  private func waitForTheClock(after time: Instant) throws {
    while true {
      var now = timespec()
      clock_gettime(CLOCK_REALTIME_COARSE, &now)
      if Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000 > time.microseconds { return }
      usleep(1000)
    }
  }

  @Test(
    "S101: what came last is first in recentlyAdded, whenever it was taken, through renames, edits and restarts"
  )
  func order() throws {
    let host = try host()
    let owner = try host.owner()
    let stream = try host.owner().subscribe(albums: ["recentlyAdded"])
    let found = try added(owner).assets
    #expect(found.count == 2 && found.allSatisfy { $0.added != nil })
    // Taken in 2024, and so the first of all by when it was taken.
    try host.library.add("B/late.jpg", TakenPhoto(time: "2024:05:01 12:30:15", offset: "+00:00").bytes)
    let late = try #require(try stream.collect { !$0.inserted.isEmpty }.inserted.first)
    #expect(late.added == nil, "only who fetches in that order is told")
    try waitForTheClock(after: try #require(try added(owner).assets.first?.added))
    try host.library.add("B/later.jpg", Photo.jpeg("later"))
    while try added(owner).total < 4 { _ = try stream.next() }
    try owner.waitUntilDescribed(.generous)
    let page = try added(owner)
    #expect(page.assets.prefix(2).map(\.filename) == ["later.jpg", "late.jpg"])
    let times = page.assets.compactMap(\.added)
    #expect(times.count == 4 && times == times.sorted(by: >))
    // The other way round, in pages, and by the name of the order.
    #expect(try added(owner, descending: false).assets == page.assets.reversed())
    let first = try added(owner, limit: 3)
    let rest = try added(owner, limit: 3, cursor: first.cursor)
    #expect(first.assets + rest.assets == page.assets && rest.cursor == nil)
    #expect(try owner.assets(.init(sort: .added, descending: true)) == page.assets)
    #expect(
      try owner.assets(.init(albums: ["recentlyAdded"], sort: .filename)).map(\.added) == [
        nil, nil, nil, nil,
      ])
    #expect(try owner.assets(.init(albums: ["recentlyAdded", "raw"])) == owner.assets(.init(sort: .created)))
    try owner.call(LibraryInterface.RenameAsset.self, .init(id: late.id, filename: "other.jpg"))
    try host.library.add("B/later.jpg", Photo.jpeg("edited"))
    _ = try stream.collect { $0.changed.contains(where: \.contentChanged) }
    try host.daemon.restart()
    let again = try host.owner()
    #expect(try added(again).assets.map(\.added) == times)
    #expect(try added(again).assets.map(\.id) == page.assets.map(\.id))
  }

  @Test("S33, S101: what is deleted and restored is where it was")
  func restored() throws {
    let host = try host()
    let owner = try host.owner()
    let before = try added(owner).assets
    let id = try #require(before.last?.id)
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [id]))
    #expect(try added(owner).total == 1)
    try host.daemon.restart()
    let again = try host.owner()
    try again.call(ManagerInterface.RestoreDeleted.self, .init(ids: [id]))
    #expect(try added(again).assets.map(\.added) == before.map(\.added))
  }

  @Test("S16, S101: who sees a part finds that part in its order")
  func limited() throws {
    let host = try host()
    let app = try host.app().connect()
    let ids = try added(try host.owner()).assets.map(\.id)
    try host.limit(app, assets: [ids[1]])
    #expect(try added(app).assets.map(\.id) == [ids[1]])
    #expect(try app.call(LibraryInterface.FetchAssets.self, .init(sort: .added)).total == 1)
  }

  @Test("S101: the client library and albumctl fetch in the order of arrival")
  func clients() async throws {
    let host = try host()
    let expected = try added(try host.owner()).assets.map(\.id)
    let library = PhotoLibrary(socketPath: host.library.socket)
    let result = try await library.fetchAssets(with: FetchOptions(sortKey: .added, ascending: false))
    #expect(result.map(\.id) == expected && result.allSatisfy { $0.added != nil })
    let listed = try host.albumctl("assets", "--album", "recentlyAdded", "--json", "--owner")
    #expect(listed.status == 0 && listed.output.contains("\"added\":"))
    let sorted = try host.albumctl("assets", "--sort", "added", "--descending", "--owner")
    let ids = sorted.output.split(separator: "\n").compactMap { line in expected.first { line.contains($0) } }
    #expect(sorted.status == 0 && ids == expected)
  }
}
