import AlbumClient
import Testing

@Suite struct BackoffTests {
  @Test("waiting longer each time, to a bound")
  func backoff() {
    var backoff = Backoff(bound: 50)
    #expect((0..<5).map { _ in backoff.delay() } == [10, 20, 40, 50, 50])
    backoff.reset()
    #expect(backoff.delay() == 10)
  }
}
