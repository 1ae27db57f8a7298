import AlbumAPI
import EventLoop
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite(
  "What lies in an album that is to be deleted, looked up in slices", .blocking, .timeLimit(.minutes(30)))
struct AlbumDeletionInSlicesTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests(connectionsPerUser: 8) }

  @Test("R6, S76: 50 photos at a time, and 50 names of the directory")
  func names() async throws {
    let scene = try await NamedScene(services, files: 1, albums: 1, filesOfAlbum: 120)
    try scene.set(.authorized)
    let albums = try scene.owner.call(LibraryInterface.FetchAlbums.self, .init()).reply.albums
    let id = try #require(albums.first).id
    // Nobody is there who could be asked: that is found out behind all of it.
    let turns = try await scene.turns {
      try scene.app.send(Call(LibraryInterface.DeleteAlbum.self, .init(album: id)))
      #expect(try scene.app.receive().reply.error == AuthorizationInterface.NoAgent.name)
    }
    #expect(turns == 2 + 2)
  }
}
