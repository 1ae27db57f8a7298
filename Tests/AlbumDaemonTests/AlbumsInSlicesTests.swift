import AlbumAPI
import Authorization
import EventLoop
import Glibc
import LibraryModel
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Lists of albums, told in slices", .blocking, .timeLimit(.minutes(30)))
struct AlbumsInSlicesTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests(connectionsPerUser: 8) }

  @Test("R6: albums are told 32 at a time, in the order of their titles")
  func slices() async throws {
    let scene = try await NamedScene(services, files: 1, albums: 100)
    try scene.set(.authorized)
    #expect(try await scene.turns(during: Call(LibraryInterface.FetchAlbums.self, .init())) == 3)
    let reply = try scene.app.call(LibraryInterface.FetchAlbums.self, .init()).reply
    #expect(reply.albums.map(\.title) == (0..<100).map { "album \($0)" }.sorted())
    // What is told of is all that is looked at.
    let few = reply.albums.prefix(32).map(\.id)
    #expect(try await scene.turns(during: Call(LibraryInterface.FetchAlbums.self, .init(ids: few))) == 0)
    #expect(try scene.app.call(LibraryInterface.FetchAlbums.self, .init(ids: few)).reply.albums.count == 32)
  }

  @Test("R6: a long list is sorted, and told as a short one is")
  func long() async throws {
    let scene = try await NamedScene(services, files: 1, albums: 600)
    try scene.set(.authorized)
    let reply = try scene.app.call(LibraryInterface.FetchAlbums.self, .init()).reply
    #expect(reply.albums.map(\.title) == (0..<600).map { "album \($0)" }.sorted())
  }

  @Test("S29: an app that may not read any more when some were looked at is told of none")
  func withdrawn() async throws {
    let scene = try await NamedScene(services, files: 1, albums: 100)
    try scene.set(.authorized)
    let reply = try await scene.reply(to: Call(LibraryInterface.FetchAlbums.self, .init()), deciding: .denied)
    #expect(reply.error == LibraryInterface.NotAuthorized.name)
  }

  @Test("S16, S29: an app that sees a part by now is told of what it sees by now")
  func limited() async throws {
    let scene = try await NamedScene(services, files: 1, albums: 100)
    try scene.set(.authorized)
    let own = try scene.app.call(LibraryInterface.CreateAlbum.self, .init(title: "Own")).reply.album.id
    let reply = try await scene.reply(
      to: Call(LibraryInterface.FetchAlbums.self, .init()), deciding: .limited)
    let told = try JSONDecoding.decode(
      LibraryInterface.FetchAlbums.Reply.self, from: .object(reply.parameters))
    #expect(told.albums.map(\.id) == [own])
  }

  @Test("S16, S29: albums are told by what their creator sees when the last was looked at")
  func taken() async throws {
    let scene = try await NamedScene(services, files: 2)
    try scene.set(.limited)
    try scene.select(scene.ids)
    for number in 0..<40 {
      let album = try scene.app.call(LibraryInterface.CreateAlbum.self, .init(title: "\(number)")).reply.album
      guard number == 0 else { continue }
      _ = try scene.app.call(LibraryInterface.AddToAlbum.self, .init(ids: scene.ids, album: album.id))
    }
    let reply = try await scene.reply(
      to: Call(LibraryInterface.FetchAlbums.self, .init()), losing: scene.ids[0])
    let told = try JSONDecoding.decode(
      LibraryInterface.FetchAlbums.Reply.self, from: .object(reply.parameters))
    #expect(told.albums.count == 40)
    #expect(told.albums.map(\.assetCount).max() == 1)
  }

  @Test("R6: of a user's lists one is made at a time, and those of others do not wait for it")
  @EventLoopActor
  func oneOfEach() async throws {
    let lists = OneOfEachUser()
    var done: [String] = []
    var gate: CheckedContinuation<Void, Never>?
    let first = Task.onLoopNow {
      await lists.run(for: 1) { await withCheckedContinuation { gate = $0 } }
      done.append("first")
    }
    let second = Task.onLoopNow { await lists.run(for: 1) { done.append("second") } }
    await lists.run(for: 2) { done.append("other") }
    #expect(lists.waitingCount == 1 && done == ["other"])
    gate?.resume()
    await first.value
    await second.value
    #expect(done.count == 3 && lists.waitingCount == 0)
    await lists.run(for: 1) { done.append("again") }
    #expect(done.last == "again")
  }
}
