import EventLoop
import LoopTesting
import Synchronization
import Testing

@testable import AlbumDaemon

@Suite("Threads for files that peers gave", .timeLimit(.minutes(10)))
struct UserThreadsTests {
  private let app = UserThreads.Key(uid: 1, appID: "a")

  init() {
    LoopThread.start()
  }

  @Test("one that never gets on holds up neither the app's next nor another's")
  func stuck() async {
    let threads = await UserThreads(patience: .milliseconds(20))
    let gate = Gate()
    async let stuck = threads.run(for: app) { _ in gate.wait() }
    await gate.untilReached()
    #expect(await threads.run(for: .init(uid: 1, appID: "b")) { _ in 1 } == 1)
    #expect(await threads.run(for: app) { _ in 2 } == 2)
    #expect(await threads.run(for: app) { _ in 3 } == 3)
    gate.open()
    await stuck
  }

  @Test("many that never get on hold up the app's next hardly longer than one")
  func manyStuck() async {
    let waits = await EventLoopActor.run {
      let threads = UserThreads(patience: .seconds(1))
      return (0..<60).map { threads.patience(left: $0) }
    }
    #expect(waits.first == .seconds(1) && waits.reduce(.zero, +) < .seconds(3))
    let threads = await UserThreads(patience: .milliseconds(50))
    let key = app
    let gates = (0..<60).map { _ in Gate() }
    let tasks = gates.map { gate in
      Task { @EventLoopActor in await threads.run(for: key) { _ in gate.wait() } }
    }
    for gate in gates { await gate.untilReached() }
    #expect(await threads.run(for: app) { _ in 1 } == 1)
    for gate in gates { gate.open() }
    for task in tasks { await task.value }
    while await threads.laneCount > 0 { await EventLoopActor.run {} }
  }

  @Test("one that gets on is waited for, however long it takes; one that does not is left to itself")
  func slow() async {
    // Nobody's patience ends by itself.
    let threads = await UserThreads(patience: .seconds(600))
    let key = app
    let order = Order()
    let gate = Gate()
    let rounds = 40
    async let slow: Void = threads.run(for: key) { progress in
      for _ in 0..<rounds {
        _ = progress.step()
        gate.wait()
      }
      order.add(1)
      gate.wait()
    }
    await gate.untilReached()
    let next = Task { @EventLoopActor in
      await threads.run(for: key) { _ in order.add(2) }
    }
    await EventLoopActor.run {}
    for _ in 0..<rounds {
      await threads.look(at: key)
      gate.open()
      await gate.untilReached()
    }
    #expect(order.all == [1])
    await threads.look(at: key)
    await next.value
    #expect(order.all == [1, 2])
    gate.open()
    await slow
  }

  @Test("whose peer has gone is told so, whether it has begun or waits")
  func cancelled() async {
    let threads = await UserThreads(patience: .seconds(600))
    let key = app
    let gate = Gate()
    let running = Task { @EventLoopActor in
      await threads.run(for: key) { progress in
        let isWanted = progress.step()
        gate.wait()
        return isWanted && !progress.step()
      }
    }
    await gate.untilReached()
    let waiting = Task { @EventLoopActor in await threads.run(for: key) { !$0.step() } }
    await EventLoopActor.run {}
    waiting.cancel()
    #expect(await waiting.value)
    running.cancel()
    // The loop hears of it in its order.
    await EventLoopActor.run {}
    gate.open()
    #expect(await running.value)
    let late = Task { @EventLoopActor in
      withUnsafeCurrentTask { $0?.cancel() }
      return await threads.run(for: key) { progress in
        gate.wait()
        return !progress.step()
      }
    }
    await gate.untilReached()
    await EventLoopActor.run {}
    gate.open()
    #expect(await late.value)
  }
}

/// What has happened, in its order.
private final class Order: Sendable {
  private let steps = Mutex<[Int]>([])
  var all: [Int] { steps.withLock { $0 } }

  func add(_ step: Int) { steps.withLock { $0.append(step) } }
}
