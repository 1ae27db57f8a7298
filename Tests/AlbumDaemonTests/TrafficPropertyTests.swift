import EventLoop
import LoopTesting
import TestSupport
import Testing

@testable import AlbumDaemon

/// `STORM_SEEDS=1000-1300` runs those seeds instead.
@Suite("The services, under random traffic", .timeLimit(.minutes(30)))
struct TrafficPropertyTests {
  init() {
    LoopThread.start()
  }

  @Test(
    "S9, S12, S13, S21, S29: agents, apps, manifests, policies and times come and go; nobody is told what is not so",
    arguments: StormSeeds.chosen(else: Array(1...12)))
  func randomTraffic(seed: UInt64) async throws {
    let world = try await TrafficWorld(seed: seed)
    for _ in 0..<600 { try await world.step() }
    try await world.finish()
    #expect(world.replies > 10, "the traffic reached something")
  }
}
