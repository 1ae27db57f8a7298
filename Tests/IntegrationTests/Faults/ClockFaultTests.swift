import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("A clock that jumps (R2)", .blocking)
struct ClockFaultTests {
  private func inAnHour() -> Instant {
    Instant(microseconds: Int64((Date().timeIntervalSince1970 + 3600) * 1_000_000))
  }

  @Test("S10: a grant ends when the clock says so, and does not begin again when that is set back")
  func forward() throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library) { try $0.add("a.jpg") }
    try host.set(.wallpapers, .authorized, expires: inAnHour())
    let app = try host.app().connect()
    #expect(try app.assets().count == 1)
    try faults.setClock(ahead: 7200)
    #expect(try app.status() == .notDetermined)
    #expect(try failure { _ = try app.assets() }.name == LibraryInterface.NotAuthorized.name)
    try faults.setClock(ahead: 0)
    #expect(try app.status() == .notDetermined)
    try host.daemon.restart()
    #expect(try host.app().connect().status() == .notDetermined)
  }

  @Test("a clock that is set back by years takes nothing away, and nothing is lost or removed for good")
  func backward() throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library) {
      for name in ["a.jpg", "b.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    try host.set(.wallpapers, .authorized)
    let owner = try host.owner()
    let (kept, deleted) = (try owner.asset("a.jpg").id, try owner.asset("b.jpg").id)
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [deleted]))
    for years in [-20, 0] {
      try faults.setClock(ahead: years * 365 * 86_400)
      #expect(try host.app().connect().status() == .authorized)
      try library.add("new\(years).jpg", Photo.jpeg("\(years)"))
      try host.daemon.restart()
    }
    let again = try host.owner()
    #expect(try again.asset("a.jpg").id == kept)
    #expect(try Set(again.assets().map(\.filename)) == ["a.jpg", "new-20.jpg", "new0.jpg"])
    #expect(
      try host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: [deleted])).restored == [
        deleted
      ])
  }

  @Test(
    "34, S33: a clock that is ahead by years, at several starts or while the daemon runs, removes nothing for good"
  )
  func ahead() throws {
    let library = try TemporaryLibrary()
    let faults = try Faults(library, beneath: library.state)
    let host = try Host(library) {
      for name in ["a.jpg", "b.jpg"] { try $0.add(name, Photo.jpeg(name)) }
    }
    let owner = try host.owner()
    let ids = try [owner.asset("a.jpg").id, owner.asset("b.jpg").id]
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: ids))
    func kept() throws -> [ManagerInterface.DeletedAsset] {
      try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets
    }
    // As a machine without a battery starts, before it has asked a server for the time.
    for years in [5, 0, 6, 0, 7] {
      try host.daemon.stop()
      try faults.setClock(ahead: years * 365 * 86_400)
      try host.daemon.start()
      // What was due would have gone by then: this is looked at when the library is there.
      try host.daemon.waitForStatus { $0.hasPrefix("ready") }
      try library.add("new\(years).jpg", Photo.jpeg("\(years)"))
      #expect(try Set(kept().map(\.id)) == Set(ids))
    }
    try faults.setClock(ahead: 8 * 365 * 86_400)
    try host.daemon.reload()
    #expect(try Set(kept().map(\.id)) == Set(ids))
    // By a clock that is right, it is still some days until they go.
    try host.daemon.stop()
    try faults.setClock(ahead: 0)
    try host.daemon.start()
    let left = try kept().map { $0.purge.microseconds / 1_000_000 - Int64(Date().timeIntervalSince1970) }
    #expect(left.allSatisfy { 20 * 86_400...30 * 86_400 ~= $0 })
    #expect(
      try Set(host.connect().call(ManagerInterface.RestoreDeleted.self, .init(ids: ids)).restored) == Set(ids)
    )
  }
}
