import Testing

@Suite("Requests, at random")
struct RequestPropertyTests {
  @Test(
    "S4, S8, S9, S11, S16, S18, S20, S23, S35, S37, S44, S46 hold over random traffic, and who decided is told",
    arguments: 1...20)
  func randomTraffic(seed: UInt64) {
    let world = RequestWorld(seed: seed)
    for _ in 0..<1500 { world.step() }
    world.finish()
    #expect(world.replies > 100, "the traffic reached something")
  }
}
