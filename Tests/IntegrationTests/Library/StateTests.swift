import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("How the library is, told as it changes (S98)", .blocking)
struct StateTests {
  private typealias State = LibraryInterface.MonitorState

  private func watch(_ connection: Connection) throws -> Connection {
    try connection.begin(State.self, .init(), more: true)
    return connection
  }

  /// What is told, up to something.
  private func next(_ connection: Connection, until holds: (State.Reply) -> Bool) throws -> [State.Reply] {
    var told: [State.Reply] = []
    while told.last.map(holds) != true { told.append(try connection.receive(State.self)) }
    return told
  }

  @Test(
    "S98: at once, and when a root goes and comes back, to who may not read as well; where it is, to owners")
  func told() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try watch(host.owner())
    let app = try watch(host.app().connect())
    #expect(try next(owner) { $0.state == .ready }.last?.roots.map(\.path) == [host.library.photos])
    #expect(try next(app) { $0.state == .ready }.last?.roots.map(\.path) == [nil])
    let away = host.library.photos + "-away"
    try #require(rename(host.library.photos, away) == 0)
    try host.connect().call(ManagerInterface.Rescan.self, .init())
    let gone = try #require(try next(owner) { $0.state == .offline }.last)
    #expect(gone.roots.map(\.state) == [.offline] && gone.roots.first?.problem != nil)
    let told = try #require(try next(app) { $0.state == .offline }.last)
    #expect(told.roots.map(\.name) == ["photos"] && told.roots.first?.problem == nil && told.scan == nil)
    try #require(rename(away, host.library.photos) == 0)
    try host.connect().call(ManagerInterface.Rescan.self, .init())
    _ = try next(app) { $0.state == .ready }
    _ = try next(owner) { $0.state == .ready }
  }

  @Test("S98, S16: how far a comparison is, and not to who sees a part")
  func progress() throws {
    let host = try Host { library in
      for number in 0..<400 { try library.add("Album \(number)/a.jpg") }
    }
    let owner = try host.owner()
    let limited = try host.app().connect()
    try host.limit(limited, assets: [])
    let (all, some) = (try watch(owner), try watch(limited))
    _ = try next(all) { $0.state == .ready }
    _ = try next(some) { $0.state == .ready }
    try host.connect().call(ManagerInterface.Rescan.self, .init())
    let told = try next(all) { $0.state == .ready }
    let first = try #require(told.first?.scan)
    #expect(first.assetCount == 400 && first.directoriesLeft > 0)
    #expect(told.last?.scan == nil)
    let counts = told.compactMap(\.scan?.directoriesDone)
    #expect(counts == counts.sorted())
    #expect(try next(some) { $0.state == .ready }.allSatisfy { $0.scan == nil })
  }

  @Test("S98, S28: who does not read is told later, of how it is by then, and holds nothing up")
  func unread() throws {
    let host = try Host { try $0.add("a.jpg") }
    let slow = try watch(host.app().connect())
    for _ in 0..<200 {
      try host.connect().call(ManagerInterface.Rescan.self, .init())
      // The service manager is told as well, and reads what it is told.
      host.daemon.hear()
    }
    _ = try next(watch(host.app().connect())) { $0.state == .ready }
    _ = try next(slow) { $0.state == .ready }
  }

  @Test("S98: albumctl tells it line by line")
  func command() throws {
    let host = try Host { try $0.add("a.jpg") }
    let command = try host.begin(["info", "--follow", "--owner"])
    let deadline = Deadline.generous
    while try !command.written().contains("ready\n"), !deadline.hasPassed { _ = try host.owner().info() }
    command.interrupt()
    #expect(try command.outcome().status == 0)
  }
}
