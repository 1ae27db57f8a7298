import EventLoop
import LoopTesting
import Testing

@Suite("What is tried again")
struct RetryTests {
  init() {
    LoopThread.start()
  }

  @Test("what is tried again is tried later each time, and soon where there is another reason")
  @EventLoopActor
  func retry() async {
    var tries = 0
    let retry = Retry(after: .seconds(100), atMost: .seconds(300)) { tries += 1 }
    #expect(!retry.isAwaited)
    retry.later()
    #expect(retry.isAwaited && retry.delay == .seconds(100))
    for seconds in [200, 300, 300] {
      retry.tryNow()
      #expect(retry.delay == .seconds(seconds))
    }
    retry.soon()
    #expect(tries == 3 && retry.isAwaited && retry.delay == .seconds(100))
    retry.tryNow()
    retry.reset()
    #expect(retry.delay == .seconds(100))
    retry.stop()
    #expect(!retry.isAwaited)
    retry.later()
    retry.tryNow()
    retry.end()
    #expect(!retry.isAwaited && retry.isFirst)
  }

  @Test("what is tried again is tried when its time has come, and once only")
  @EventLoopActor
  func tried() async {
    var retry: Retry?
    var tries = 0
    await withCheckedContinuation { continuation in
      let made = Retry(every: .milliseconds(1)) {
        tries += 1
        continuation.resume()
      }
      retry = made
      made.later()
      made.later()
    }
    #expect(tries == 1 && retry?.isAwaited == false)
  }
}
