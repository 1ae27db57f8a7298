import AlbumAPI
import EventLoop
import Glibc
import LibraryModel
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkServer
import VarlinkTransport

@testable import AlbumDaemon
@testable import Storage

@Suite("Searches, asked by this process", .blocking, .timeLimit(.minutes(30)))
struct SearchingTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test("who asks for what takes more than it may is told so, and is served on")
  func tooLong() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.authorized)
    await scene.allow(operations: 0)
    let calls = [
      try scene.fetchByName(),
      try Call(LibraryInterface.FetchMoments.self, .init(unit: .day, albums: [scene.album])),
    ]
    for call in calls {
      try scene.app.send(call)
      let reply = try scene.app.receive().reply
      #expect(reply.error == SystemFailure.name)
      #expect("\(reply.parameters)".contains("it takes too long to find that"))
    }
    await scene.allow(operations: LongQueries.mostOperations)
    for call in calls {
      try scene.app.send(call)
      #expect(try scene.app.receive().reply.error == nil)
    }
    await scene.untilIdle()
  }

  @Test("who hangs up is not searched for, and what waits of it goes")
  func hangsUp() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.authorized)
    let held = await scene.hold()
    do {
      let gone = try await services.connect(scene.daemon)
      try gone.send(try scene.fetchByName())
      await scene.untilWaiting(1)
      withExtendedLifetime(gone) {}
    }
    await scene.untilWaiting(0)
    try scene.app.send(Call(LibraryInterface.FetchMoments.self, .init(unit: .day)))
    await scene.untilWaiting(1)
    held.open()
    #expect(try scene.app.receive().reply.error == nil)
    await scene.untilIdle()
  }

  @Test("S58: no call has the loop look at each asset, or sort them")
  func loop() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.authorized)
    let album = scene.album
    typealias Fetch = LibraryInterface.FetchAssets.Parameters
    var all: [Fetch] = [LibraryInterface.SortKey.created, .modified, .filename, .byteCount].flatMap {
      [Fetch(sort: $0, limit: 10), Fetch(sort: $0, descending: true, limit: 10)]
    }
    all += [
      Fetch(nameContains: "99", limit: 10), Fetch(nameContains: "99", sort: .byteCount, limit: 10),
      Fetch(mediaTypes: [.video], limit: 10), Fetch(albums: [album], limit: 10),
      Fetch(createdAfter: Instant(microseconds: 0), limit: 10), Fetch(subtypes: [.raw], limit: 10),
      Fetch(ids: Array(scene.ids.prefix(10)), sort: .filename),
    ]
    for parameters in all {
      let cost = try await scene.cost {
        _ = try scene.app.call(LibraryInterface.FetchAssets.self, parameters)
      }
      #expect(cost < scene.ids.count, "\(parameters)")
    }
    for albums in [nil, [album]] {
      for unit in [LibraryInterface.MomentUnit.day, .month, .year] {
        let cost = try await scene.cost {
          _ = try scene.app.call(LibraryInterface.FetchMoments.self, .init(unit: unit, albums: albums))
        }
        #expect(cost < scene.ids.count, "\(unit) of \(albums ?? [])")
      }
    }
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    var seen = 0
    let cost = try await scene.cost {
      seen = try scene.app.call(LibraryInterface.GetInfo.self, .init()).reply.assetCount
    }
    #expect(seen == scene.ids.count)
    #expect(cost < scene.ids.count)
  }

  @Test("S16, S26: how much of a large selection is seen is counted once, and then by what has changed")
  func counted() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    let (last, rest) = (scene.ids.suffix(4), scene.ids.dropLast(4))
    try scene.select(Array(rest), .replace)
    func seen() throws -> Int? {
      try scene.app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite)).reply
        .selectionCount
    }
    var count = try seen()
    #expect(count == rest.count)
    for (added, id) in last.enumerated() {
      try scene.select([id], .add)
      #expect(try await scene.cost { count = try seen() } < rest.count / 2)
      #expect(count == rest.count + added + 1)
    }
    try scene.select(Array(last.prefix(1)), .remove)
    #expect(try await scene.cost { count = try seen() } < rest.count / 2)
    #expect(count == scene.ids.count - 1)
  }
}
