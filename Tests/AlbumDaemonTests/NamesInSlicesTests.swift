import AlbumAPI
import Authorization
import EventLoop
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("What calls name, looked up in slices", .blocking, .timeLimit(.minutes(30)))
struct NamesInSlicesTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests(connectionsPerUser: 8) }

  @Test("R6: ten thousand names are read a thousand at a time, also for who sees everything")
  func readInSlices() async throws {
    let scene = try await NamedScene(services, files: 1)
    try scene.set(.authorized)
    let names = (0..<10_000).map { "no-such-\($0)" }
    // Few in each of the filters that it is made of.
    let filter = LibraryInterface.AssetFilter(
      any: stride(from: 0, to: names.count, by: 500).map { .init(albums: Array(names[$0..<($0 + 500)])) })
    let calls = [
      try Call(LibraryInterface.FetchAssets.self, .init(ids: names)),
      try Call(LibraryInterface.FetchAssets.self, .init(albums: names)),
      try Call(LibraryInterface.FetchAlbums.self, .init(ids: names)),
      try Call(LibraryInterface.FetchMoments.self, .init(unit: .day, albums: names)),
      try Call(LibraryInterface.FetchAssets.self, .init(matching: filter)),
      try Call(LibraryInterface.FetchMoments.self, .init(unit: .day, matching: filter)),
    ]
    for call in calls { #expect(try await scene.turns(during: call) == 9, "\(call.method)") }
    // These end with their connection.
    #expect(
      try await scene.turns(
        during: Call(LibraryInterface.Subscribe.self, .init(assets: .init(ids: names)), wantsMore: true)) == 9
    )
  }

  @Test("R6: owners are told of hundreds of apps, some of which are looked at in a turn")
  func apps() async throws {
    let scene = try await NamedScene(services, files: 1)
    await scene.noteApps(300)
    let call = try Call(ManagerInterface.ListApps.self, .init())
    let turns = try await scene.turns(during: call)
    let told = try scene.app.call(ManagerInterface.ListApps.self, .init()).reply.apps
    #expect(told.count > 300 && turns == (told.count - 1) / 64)
    let order = told.map { [$0.id, "\($0.uid)"] }
    #expect(zip(order, order.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
  }

  @Test("R6, S29, S44: who is no owner any more when some apps were looked at is told of none")
  func appsForNoOwner() async throws {
    let scene = try await NamedScene(services, files: 1)
    await scene.noteApps(300)
    await scene.afterFirstSlice { $0.makeApp() }
    try scene.app.send(Call(ManagerInterface.ListApps.self, .init()))
    #expect(try scene.app.receive().reply.error == ManagerInterface.NotAnOwner.name)
  }

  @Test("R6, S29: what an app sees is counted when others have had their turn, by what it sees then")
  func info() async throws {
    let scene = try await NamedScene(services, files: 100)
    try scene.set(.limited)
    try scene.select(scene.ids)
    let call = try Call(LibraryInterface.GetInfo.self, .init())
    #expect(try await scene.turns(during: call) == 1)
    #expect(try scene.app.call(LibraryInterface.GetInfo.self, .init()).reply.assetCount == 100)
    let reply = try await scene.reply(to: call, deciding: .denied)
    #expect(reply.parameters["assetCount"] == .integer(0) && reply.parameters["token"] == .string(""))
  }

  @Test("R6: of what a user has prepared, one picture is looked for in a turn")
  func prepared() async throws {
    let scene = try await NamedScene(services, files: 1)
    try scene.set(.authorized)
    let ids = (0..<200).map { "no-such-\($0)" }
    let turns = try await scene.turns(
      during: Call(LibraryInterface.PreparePreviews.self, .init(ids: ids, pixels: 256)))
    // It may look for several at a time, each of which waits.
    #expect(turns >= ids.count / 2)
  }

  @Test(
    "R6, S29: an asset that was looked up first, and is not seen any more when the last has been, is not changed"
  )
  func changed() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    try scene.select(scene.ids)
    let album = try scene.app.call(LibraryInterface.CreateAlbum.self, .init(title: "Own")).reply.album.id
    let calls = [
      try Call(LibraryInterface.AddToAlbum.self, .init(ids: scene.ids, album: album)),
      try Call(LibraryInterface.MoveAssets.self, .init(ids: scene.ids, album: album)),
      try Call(LibraryInterface.MoveAssets.self, .init(ids: scene.ids)),
      try Call(LibraryInterface.SetFavorite.self, .init(ids: scene.ids, favorite: true)),
    ]
    for call in calls {
      let reply = try await scene.reply(to: call, losing: scene.ids[0])
      #expect(reply.error == LibraryInterface.NoSuchAsset.name, "\(call.method)")
      #expect(reply.parameters["id"] == .string(scene.ids[0]), "\(call.method)")
    }
    let page = try scene.owner.call(LibraryInterface.FetchAssets.self, .init(albums: [album])).reply
    #expect(page.total == 0)
    let marked = try scene.owner.call(LibraryInterface.FetchAssets.self, .init(isFavorite: true)).reply
    #expect(marked.total == 0)
  }

  @Test(
    "R6, S29: an asset that is not seen any more when the last was looked up is not deleted with the others")
  func deleted() async throws {
    let scene = try await NamedScene(services, files: 400)
    try scene.set(.limited)
    try scene.select(scene.ids)
    let agent = try await scene.agent()
    try scene.app.send(Call(LibraryInterface.DeleteAssets.self, .init(ids: scene.ids)))
    // They are looked up once more after the owner has agreed.
    var loss: Task<Void, Never>?
    try await scene.agree(agent) { loss = await scene.lose(scene.ids[0]) }
    let reply = try scene.app.receive().reply
    await loss?.value
    #expect(reply.error == nil)
    let deleted = try JSONDecoding.decode(
      LibraryInterface.DeleteAssets.Reply.self, from: .object(reply.parameters)
    ).deleted
    #expect(Set(deleted) == Set(scene.ids.dropFirst()))
    let left = try scene.owner.call(LibraryInterface.FetchAssets.self, .init()).reply
    #expect(left.assets.map(\.id) == [scene.ids[0]])
  }
}
