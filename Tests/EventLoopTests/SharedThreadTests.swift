import Glibc
import Linux
import Synchronization
import Testing

@Suite("A thread that users share", .timeLimit(.minutes(5)))
struct SharedThreadTests {
  @Test("who gives little waits for one block of each other user, and each has its own in order")
  func turns() async {
    let thread = SharedThread()
    let (order, done) = AsyncStream<String>.makeStream()
    // Nothing runs until everything was given.
    let gate = Mutex(())
    gate._unsafeLock()
    thread.async(for: 1) { gate.withLock { _ in } }
    for number in 0..<100 { thread.async(for: 1) { done.yield("1.\(number)") } }
    for number in 0..<2 { thread.async(for: 2) { done.yield("2.\(number)") } }
    thread.async(for: 3) { done.yield("3.0") }
    gate._unsafeUnlock()
    var all: [String] = []
    for await block in order {
      all.append(block)
      if all.count == 103 { break }
    }
    #expect(Set(all.prefix(3)) == ["1.0", "2.0", "3.0"])
    #expect(Set(all.prefix(5)) == ["1.0", "2.0", "3.0", "1.1", "2.1"])
    #expect(all.filter { $0.hasPrefix("1.") } == (0..<100).map { "1.\($0)" })
  }

  @Test("it does what comes after it had nothing to do")
  func again() async {
    let thread = SharedThread()
    for _ in 0..<100 {
      await withCheckedContinuation { continuation in thread.async(for: 7) { continuation.resume() } }
    }
  }
}
