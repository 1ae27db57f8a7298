import EventLoop
import LoopTesting
import Testing

@testable import AlbumDaemon

@Suite("The services, under random traffic", .timeLimit(.minutes(30)))
struct TrafficPropertyTests {
  init() {
    LoopThread.start()
  }

  @Test(
    "S9, S12, S13, S21, S29: agents, apps, manifests, policies and times come and go; nobody is told what is not so",
    arguments: 1...12)
  func randomTraffic(seed: UInt64) async throws {
    let world = try await TrafficWorld(seed: seed)
    for _ in 0..<600 { try await world.step() }
    try await world.finish()
    #expect(world.replies > 10, "the traffic reached something")
  }
}
