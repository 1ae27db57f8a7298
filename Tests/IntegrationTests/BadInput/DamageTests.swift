import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("Databases that are damaged", .blocking)
struct DamageTests {
  private func host() throws -> Host {
    try Host {
      for number in 0..<300 { try $0.add("Trip/\(number).jpg", Photo.jpeg("\(number)")) }
      try $0.add("one.jpg", Photo.jpeg("one"))
    }
  }

  private func index(_ host: Host) -> String { "\(host.library.state)/library.sqlite" }

  /// Everything by its name, once all of it was looked at: what a busy machine is late with is looked at again.
  private func ids(_ host: Host) throws -> [String: String] {
    try host.daemon.waitForStatus { $0.hasPrefix("ready") }
    let assets = try host.owner().assets()
    return Dictionary(uniqueKeysWithValues: assets.map { ($0.filename, $0.id) })
  }

  private func expectMadeAgain(_ host: Host) throws {
    #expect(host.daemon.log.contains("The index was damaged"), "\(host.daemon.log)")
    #expect(access("\(index(host)).damaged", F_OK) == 0)
    #expect(!entries(of: host.library.state).contains { $0.hasSuffix(".new") || $0.hasSuffix(".is-damaged") })
    let doctor = try host.albumctl("doctor").output
    #expect(doctor.contains("library.sqlite.damaged") && doctor.contains("another was made"), "\(doctor)")
    // The next start is as any other.
    let before = host.daemon.log
    try host.daemon.restart()
    #expect(!host.daemon.log.dropFirst(before.count).contains("was damaged ("))
  }

  @Test(
    "S39: where the index can still be read but for its journal or an order, ids are kept, and what limited apps see",
    arguments: ["journal", "asset_modified"])
  func idsKept(table: String) throws {
    let host = try host()
    let before = try ids(host)
    let owner = try host.owner()
    let token = try owner.call(LibraryInterface.FetchAssets.self, .init(limit: 1)).token
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [try #require(before["one.jpg"])])
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [try #require(before["7.jpg"])]))
    try host.daemon.stop()
    try damage(table, on: index(host))
    if table == "journal" {
      try host.daemon.start()
    } else {
      // Nothing is said of what nobody has looked at yet.
      try host.daemon.start()
      let reader = try host.owner()
      _ = try? reader.call(LibraryInterface.FetchAssets.self, .init(sort: .modified, limit: 10))
      #expect(try host.daemon.ended() == .status(EXIT_FAILURE))
      try host.daemon.start()
    }
    try expectMadeAgain(host)
    var now = try ids(host)
    #expect(now.count == 300)
    now["7.jpg"] = before["7.jpg"]
    #expect(now == before)
    #expect(try host.app().connect().assets().map(\.id) == [try #require(before["one.jpg"])])
    let again = try host.owner()
    try again.begin(LibraryInterface.Subscribe.self, .init(since: token), more: true)
    #expect(
      try failure { _ = try again.receive(LibraryInterface.Subscribe.self) }.name
        == LibraryInterface.TokenExpired.name)
    try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [try #require(before["7.jpg"])]))
    // Nothing that is new is called like anything before.
    try host.library.add("new.jpg", Photo.jpeg("new"))
    let subscriber = try host.owner().subscribe()
    _ = subscriber
    var found: String?
    let deadline = Deadline.generous
    while found == nil, !deadline.hasPassed { found = try ids(host)["new.jpg"] }
    #expect(!before.values.contains(try #require(found)))
  }

  @Test(
    "S16: where it cannot be read, assets have other ids, and a limited app sees nothing by the ones before",
    arguments: ["link", "asset", "meta", ""])
  func madeAgain(table: String) throws {
    let host = try host()
    let before = try ids(host)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [try #require(before["one.jpg"])])
    try host.daemon.stop()
    if table.isEmpty {
      try host.library.write(index(host), String(repeating: "damage", count: 4096))
    } else {
      try damage(table, on: index(host))
    }
    // What is found while the library is first compared ends that daemon, and the next one makes another.
    do { try host.daemon.start() } catch { try host.daemon.start() }
    while !host.daemon.log.contains("is made again") {
      // The rest when it is looked at.
      _ = try? host.owner().assets()
      try host.daemon.ended()
      try host.daemon.start()
    }
    try expectMadeAgain(host)
    let now = try ids(host)
    #expect(now.count == 301, "\(host.daemon.log)")
    #expect(Set(now.values).isDisjoint(with: before.values))
    #expect(try host.app().connect().assets().isEmpty)
    #expect(try host.app().connect().status() == .limited)
  }

  @Test("a damaged registry is not used, and a backup of it, put in its place as the error says, is")
  func registry() throws {
    let host = try Host()
    try host.set(.wallpapers, .denied)
    try host.daemon.restart()
    try host.daemon.stop()
    let state = host.library.state
    let backups = entries(of: "\(state)/backups").sorted()
    let newest = try #require(backups.last)
    var status = stat()
    #expect(stat("\(state)/backups/\(newest)", &status) == 0 && status.st_mode & 0o077 == 0)
    try host.library.write("\(state)/registry.sqlite", String(repeating: "damage", count: 4096))
    #expect(throws: (any Error).self) { try host.daemon.start() }
    #expect(host.daemon.log.contains("backups/registry-"), "\(host.daemon.log)")
    for suffix in ["-wal", "-shm"] { unlink("\(state)/registry.sqlite\(suffix)") }
    unlink("\(state)/registry.sqlite")
    #expect(link("\(state)/backups/\(newest)", "\(state)/registry.sqlite") == 0)
    try host.daemon.start()
    #expect(try host.app().connect().status() == .denied)
  }
}
