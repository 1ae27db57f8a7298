import EventLoop
import Glibc
import Linux
import LoopTesting
import Synchronization
import Testing
import TestSupport

@Suite("The loop as an executor", .serialized)
struct EventLoopTests {
  init() {
    LoopThread.start()
  }

  @Test("jobs from many threads run on one, none lost")
  func jobs() async {
    let counter = await EventLoopActor.run { LoopCounter() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<16 {
        group.addTask { for _ in 0..<500 { await counter.increment() } }
      }
    }
    #expect(await counter.value == 8000)
    #expect(await counter.threads == 1)
  }

  @Test("a readable descriptor calls its handler, until it is cancelled")
  func source() async throws {
    let pipe = try Pipe()
    let reading = pipe.reading
    let received = AsyncStream<UInt8>.makeStream()
    let source = try await ReaderBox(reading) { received.continuation.yield($0) }
    var iterator = received.stream.makeAsyncIterator()
    for byte in UInt8(1)...3 {
      try #require(pipe.put(byte))
      #expect(await iterator.next() == byte)
    }
    await source.cancel()
    try #require(pipe.put(9))
    // The loop has had its turn when this returns, and the handler was not called.
    await EventLoopActor.run {}
    await EventLoopActor.run {}
    received.continuation.finish()
    #expect(await iterator.next() == nil)
  }

  @Test("S36: what came while the loop worked is known to be no older than that work")
  func readySince() async throws {
    let first = try Pipe()
    let second = try Pipe()
    let (reading, later) = (first.reading, second.reading)
    let writing = try second.writing()
    let number = writing.number
    let found = AsyncStream<(since: UInt64, before: UInt64)>.makeStream()
    let before = Mutex<UInt64>(0)
    let sources = try await EventLoopActor.run {
      (
        try IOSource(reading, .readable) { _ in
          var byte: UInt8 = 0
          guard read(reading, &byte, 1) == 1 else { return }
          let now = Clock.sinceBoot
          before.withLock { $0 = now }
          guard write(number, &byte, 1) == 1 else { return }
          while Clock.sinceBoot < now + 5000 {}
        },
        try IOSource(later, .readable) { _ in
          var byte: UInt8 = 0
          guard read(later, &byte, 1) == 1 else { return }
          let before = before.withLock { $0 }
          found.continuation.yield((EventLoop.shared.readySince, before))
        }
      )
    }
    try #require(first.put(1))
    var iterator = found.stream.makeAsyncIterator()
    let times = try #require(await iterator.next())
    #expect(times.since <= times.before)
    #expect(times.since > 0)
    await EventLoopActor.run {
      sources.0.cancel()
      sources.1.cancel()
    }
  }

  @Test("a timer fires once, when it is armed for; disarmed it does not")
  func timer() async {
    let fired = AsyncStream<Int>.makeStream()
    let timers = await EventLoopActor.run {
      let never = Timer { fired.continuation.yield(1) }
      let once = Timer { fired.continuation.yield(2) }
      never.arm(after: .milliseconds(1))
      never.disarm()
      once.arm(after: .seconds(60))
      once.arm(after: .milliseconds(5))
      return (never, once)
    }
    var iterator = fired.stream.makeAsyncIterator()
    #expect(await iterator.next() == 2)
    await EventLoopActor.run { withExtendedLifetime(timers) {} }
  }

  @Test("work of a low priority is done although something else is always ready")
  @EventLoopActor
  func neverIdle() async throws {
    let pipe = try Pipe()
    try #require(pipe.put(1))
    // Never read: ready in every turn.
    let source = try IOSource(pipe.reading, .readable) { _ in }
    defer { source.cancel() }
    var call: DeferredCall?
    var turns = 0
    await withCheckedContinuation { continuation in
      call = DeferredCall(priority: 10) {
        turns += 1
        if turns == 5 { continuation.resume() } else { call?.arm() }
      }
      call?.arm()
    }
    call?.cancel()
    #expect(turns == 5)
  }

  @Test("what handlers put off is done after all that was ready together")
  @EventLoopActor
  func endOfTurn() async throws {
    let one = try Pipe()
    let other = try Pipe()
    var seen: [String] = []
    var sources: [IOSource] = []
    for pipe in [one, other] {
      sources.append(
        // Of a priority of their own, so that no other test's descriptors come between them.
        try IOSource(pipe.reading, .readable, priority: 1) { _ in
          _ = pipe.take()
          seen.append(EventLoop.shared.isTurnShared ? "handled" : "handled alone")
          EventLoop.shared.atEndOfTurn { seen.append("put off") }
        })
    }
    try #require(one.put(1) && other.put(1))
    while seen.count < 4 { await EventLoopActor.giveWay() }
    #expect(seen == ["handled", "handled", "put off", "put off"])
    for source in sources { source.cancel() }
    EventLoop.shared.atEndOfTurn { seen.append("at once") }
    #expect(seen.last == "at once")
  }

  @Test("assumeIsolated is true in a callback and a task of the loop")
  func isolation() async {
    await EventLoopActor.run {
      let value = EventLoopActor.assumeIsolated { 1 }
      #expect(value == 1)
    }
  }
}

@EventLoopActor
private final class LoopCounter {
  private(set) var value = 0
  private var seen: Set<UInt> = []
  var threads: Int { seen.count }

  func increment() {
    value += 1
    seen.insert(UInt(pthread_self()))
  }
}

@EventLoopActor
private final class ReaderBox {
  private var source: IOSource?

  init(_ descriptor: CInt, _ received: @escaping @Sendable (UInt8) -> Void) throws {
    source = try IOSource(descriptor, .readable) { _ in
      var byte: UInt8 = 0
      while read(descriptor, &byte, 1) == 1 { received(byte) }
    }
  }

  func cancel() {
    source?.cancel()
    source = nil
  }
}
