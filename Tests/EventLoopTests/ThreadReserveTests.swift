import Glibc
import Synchronization
import Testing

@testable import Linux

@Suite("Work where no thread is to be had")
struct ThreadReserveTests {
  @Test("without a thread nothing runs on the caller's")
  func none() {
    let hasRun = Mutex(false)
    // No address space has room for such a stack (pthread_create(3), EAGAIN).
    #expect(!startThread(1 << 46) { hasRun.withLock { $0 = true } })
    #expect(!hasRun.withLock { $0 })
  }

  @Test("who cannot do without waits for one, in order, and holds up nobody")
  func waiting() async {
    let refusals = Mutex(3)
    let reserve = ThreadReserve { body in
      let isRefused = refusals.withLock { left in
        defer { left -= 1 }
        return left > 0
      }
      return !isRefused && runDetached(body)
    }
    let caller = pthread_self()
    let (order, done) = AsyncStream<Int>.makeStream()
    for number in 1...3 {
      reserve.run {
        #expect(pthread_equal(pthread_self(), caller) == 0)
        done.yield(number)
      }
    }
    var all: Set<Int> = []
    for await number in order {
      all.insert(number)
      if all.count == 3 { break }
    }
    #expect(all == [1, 2, 3])
  }
}
