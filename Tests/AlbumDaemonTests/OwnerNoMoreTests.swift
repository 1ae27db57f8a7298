import AlbumAPI
import EventLoop
import Glibc
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Who is no owner any more", .timeLimit(.minutes(30)))
struct OwnerNoMoreTests {
  private let services: ServiceTests

  init() throws { services = try ServiceTests() }

  @Test("S29, S44: a followed access log ends when its reader may not act as an owner any more")
  func followedLog() async throws {
    let daemon = try await services.makeDaemon()
    let reader = try await services.connect(daemon)
    let other = try await services.connect(daemon)
    try reader.send(Call(ManagerInterface.ListAccessLog.self, .init(follow: true), wantsMore: true))
    #expect(try reader.receive().reply.error == nil)
    try services.isAnApp()
    _ = try other.call(ManagerInterface.Reload.self, .init())
    // Who was still told of what happens would be told of this.
    #expect(throws: RemoteError.self) { try other.call(LibraryInterface.FetchAlbums.self, .init()) }
    var last = try reader.receive().reply
    while last.continues, !"\(last.parameters)".contains("refused") { last = try reader.receive().reply }
    #expect(last.error == ManagerInterface.NotAnOwner.name)
  }
}
