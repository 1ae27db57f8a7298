import AlbumAPI
import EventLoop
import Logging
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("Lines that an owner's program brings about", .timeLimit(.minutes(30)))
struct OwnerLinesTests {
  private static let times = LineThrottle.perUser + 5

  private func told(_ lines: Lines, _ what: String) -> Int {
    lines.told.withLock { $0 }.count { $0.contains(what) }
  }

  @Test("agents that register in a loop are a few lines, and one with how many there were")
  func registrations() async throws {
    let services = try ServiceTests(connectionsPerUser: Self.times + 1)
    let lines = Lines()
    let daemon = try await services.makeDaemon(log: Logger(label: "test") { _ in lines })
    var agents: [ClientConnection] = []
    for _ in 0..<Self.times {
      let agent = try await services.connect(daemon)
      try agent.send(Call(AgentInterface.Register.self, .init(name: "test"), wantsMore: true))
      #expect(try agent.receive().reply.error == nil)
      agents.append(agent)
    }
    // The reply comes before the line: what is asked now is answered after that.
    await EventLoopActor.run { daemon.parts.registrations.endInterval() }
    #expect(told(lines, "has registered an agent") == LineThrottle.perUser)
    #expect(told(lines, "more agents were registered, which is not told of each: 5") == 1)
    withExtendedLifetime(agents) {}
  }

  @Test("S45: a connection that says again and again that it acts as the owner is a few lines")
  func owners() async throws {
    let services = try ServiceTests()
    let lines = Lines()
    let daemon = try await services.makeDaemon(log: Logger(label: "test") { _ in lines })
    let owner = try await services.connect(daemon)
    for _ in 0..<Self.times { _ = try owner.call(ManagerInterface.ActAsOwner.self, .init()) }
    await EventLoopActor.run { daemon.parts.owners.endInterval() }
    #expect(told(lines, "acts as the owner") == LineThrottle.perUser)
    #expect(told(lines, "more connections act as the owner, which is not told of each: 5") == 1)
  }
}
