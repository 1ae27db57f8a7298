import Testing

@testable import VarlinkServer

@Suite("Who asks without end gets half of the time, while others ask")
struct TimeShareTests {
  @Test("who asks for a little, however often, never rests")
  func little() {
    var share = TimeShare()
    for time in stride(from: UInt64(1_000_000), to: 2_000_000, by: 250) {
      #expect(share.rest(at: time) == nil)
      share.spend(100, until: time + 100)
    }
  }

  @Test(
    "who goes on without a pause rests about as long as it has worked", arguments: [UInt64(20), 200, 5000])
  func half(turn: UInt64) {
    var share = TimeShare()
    let start: UInt64 = 1_000_000
    var (now, worked) = (start, UInt64(0))
    while worked < 1_000_000 {
      if let end = share.rest(at: now) { now = end }
      now += turn
      worked += turn
      share.spend(turn, until: now)
      #expect(worked <= (now - start) / 2 + TimeShare.tolerance + turn)
    }
    #expect(now - start <= 2 * worked)
  }

  @Test("one thing that took long is no reason to rest for long")
  func long() {
    var share = TimeShare()
    share.spend(8_000_000, until: 10_000_000)
    #expect(share.rest(at: 10_000_000) == 10_000_000 + TimeShare.longest)
    #expect(share.rest(at: 10_000_000 + TimeShare.longest) == nil)
  }

  @Test("a pause is no credit: who was away works no longer at a stretch than anybody")
  func credit() {
    var share = TimeShare()
    share.spend(100, until: 1_000_000)
    var now: UInt64 = 100_000_000
    while share.rest(at: now) == nil {
      now += 100
      share.spend(100, until: now)
    }
    #expect(now - 100_000_000 <= TimeShare.tolerance + 200)
  }
}
