import AlbumAPI
import EventLoop
import LibraryModel
import Linux
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkServer
import VarlinkTransport

@testable import AlbumDaemon
@testable import Storage

@Suite("What a search tells when access changes meanwhile", .blocking, .timeLimit(.minutes(30)))
struct SearchingAccessTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test("S29: who loses access while a search is under way, or waits for its turn, is refused")
  func accessEnds() async throws {
    let scene = try await SearchScene(services)
    let refused = [
      try scene.fetchByName(), try Call(LibraryInterface.FetchMoments.self, .init(unit: .day)),
    ]
    for status in [AuthorizationInterface.AuthorizationStatus.authorized, .limited] {
      for call in refused {
        try scene.set(status)
        try scene.select(scene.ids, .replace)
        let held = await scene.holdSearch()
        try scene.app.send(call)
        await held.untilReached()
        try scene.set(.denied)
        held.open()
        #expect(try scene.app.receive().reply.error == LibraryInterface.NotAuthorized.name)
      }
    }
    try scene.set(.limited)
    let turn = await scene.hold()
    try scene.app.send(try scene.fetchByName())
    await scene.untilWaiting(1)
    try scene.set(.denied)
    turn.open()
    #expect(try scene.app.receive().reply.error == LibraryInterface.NotAuthorized.name)
    await scene.untilIdle()
  }

  @Test("S16, S29: who loses access while it is counted what it sees is told what one without access is")
  func infoWithoutAccess() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    let held = await scene.holdSearch()
    try scene.app.send(Call(LibraryInterface.GetInfo.self, .init()))
    await held.untilReached()
    try scene.set(.denied)
    held.open()
    let reply = try scene.app.receive().reply
    #expect(reply.error == nil)
    let info = try JSONDecoding.decode(
      LibraryInterface.GetInfo.Reply.self, from: .object(reply.parameters))
    #expect(info.assetCount == 0 && info.token.isEmpty)
  }

  @Test("S16, S29: what is taken out of a selection during a search is not shown, nor counted")
  func selectionShrinks() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.limited)
    try scene.select(scene.ids, .add)
    let changes = LibraryService.mostTries - 1
    await scene.shrinkDuringSearches(changes)
    let page = try scene.app.call(
      LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 1000)
    ).reply
    #expect(page.total == scene.ids.count - changes)
    #expect(page.assets.count == 1000)
    #expect(Set(page.assets.map(\.id)).isDisjoint(with: scene.ids[..<changes]))
    // Once more, and it is given up: for as often as it changes.
    try scene.select(scene.ids, .add)
    await scene.shrinkDuringSearches(LibraryService.mostTries)
    try scene.app.send(try scene.fetchByName())
    let reply = try scene.app.receive().reply
    #expect(reply.error == SystemFailure.name)
    #expect("\(reply.parameters)".contains("changes while it is sought"))
    try scene.app.send(try scene.fetchByName())
    #expect(try scene.app.receive().reply.error == nil)
    await scene.untilIdle()
  }

  @Test("S16, S29: who becomes limited during a search of an album is not told what is in there")
  func becomesLimited() async throws {
    let scene = try await SearchScene(services)
    try scene.set(.authorized)
    try scene.select(scene.ids, .add)
    let held = await scene.holdSearch()
    try scene.app.send(
      Call(LibraryInterface.FetchAssets.self, .init(albums: [scene.album], sort: .filename, limit: 10)))
    await held.untilReached()
    try scene.set(.limited)
    held.open()
    let reply = try scene.app.receive().reply
    #expect(reply.error == nil)
    let page = try JSONDecoding.decode(
      LibraryInterface.FetchAssets.Reply.self, from: .object(reply.parameters))
    #expect(page.total == 0 && page.assets.isEmpty)
  }

  @Test("S16: what goes out of sight between a search and its answer is not shown")
  func goesMeanwhile() async throws {
    let scene = try await SearchScene(services)
    try await scene.finishScan()
    try scene.set(.limited)
    await scene.selectAlbum()
    await scene.writeDuringSearch { store in
      try store.begin()
      // One is gone, and one has moved out of the album that is selected.
      let gone = AssetID(rawValue: 1)
      try store.index.files.remove(gone)
      let moved = try #require(try store.index.files.asset(AssetID(rawValue: 2)))
      let place = Location(DirectoryID(rawValue: 2), moved.filename)
      try store.index.files.removeLink(at: moved.primary)
      _ = try store.index.files.insert(
        Link(location: place, asset: moved.id, identity: moved.identity, byteCount: 1, modified: 1))
      let elsewhere = Asset(
        id: moved.id, mediaType: moved.mediaType, identity: moved.identity, byteCount: moved.byteCount,
        created: moved.created, modified: moved.modified,
        primary: place)
      try store.index.files.update(elsewhere)
      _ = try store.index.journal.append(
        Change(.asset(gone), .removed, albumsBefore: [], albumsAfter: [], snapshot: .init(moved)))
      try store.commit()
      // The search cannot find that: it is not committed.
      #expect(store.committedPlace < store.place)
    }
    let page = try scene.app.call(
      LibraryInterface.FetchAssets.self, .init(sort: .byteCount, limit: 10)
    ).reply
    // It is committed a quarter of a second later, which on a busy machine may be before the search.
    let (all, isFoundGone) = (scene.ids.count, page.total != scene.ids.count)
    #expect(page.total == (isFoundGone ? all - 2 : all))
    #expect(page.assets.map(\.id) == Array(scene.ids[2..<(isFoundGone ? 12 : 10)]))
  }
}
