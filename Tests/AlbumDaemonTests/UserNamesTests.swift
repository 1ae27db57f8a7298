import EventLoop
import LoopTesting
import Synchronization
import Testing

@testable import AlbumDaemon

@Suite("Login names", .timeLimit(.minutes(30)))
struct UserNamesTests {
  init() {
    LoopThread.start()
  }

  private func look(_ names: UserNames, _ uids: [UInt32]) async -> [UInt32: String] {
    await withCheckedContinuation { continuation in
      Task { @EventLoopActor in names.look(up: uids) { continuation.resume(returning: $0) } }
    }
  }

  @Test("a database of users that does not answer holds up no turn of the loop, and who asks for so long")
  func silent() async {
    let gate = Gate()
    let names = await UserNames(patience: .milliseconds(50)) { uid in
      if uid == 2 { gate.wait() }
      return "user\(uid)"
    }
    #expect(await look(names, [1]) == [1: "user1"])
    async let both = look(names, [1, 2])
    await gate.untilReached()
    for _ in 0..<100 { await EventLoopActor.run {} }
    #expect(await both == [1: "user1"])
    // Who asks now does not wait for what does not come.
    #expect(await look(names, [1, 2, 3]) == [1: "user1"])
    gate.open()
    while await look(names, [2, 3]) != [2: "user2", 3: "user3"] {}
  }

  @Test("a line of the log names a user as far as that is known, and waits for nothing")
  @EventLoopActor
  func label() async {
    let gate = Gate()
    let names = UserNames { uid in
      gate.wait()
      return uid == 1 ? "alice" : nil
    }
    #expect(names.label(1) == "user 1")
    #expect(names.label(2) == "user 2")
    for _ in 0..<2 { gate.open() }
    _ = await look(names, [1, 2])
    #expect(names.label(1) == "alice (1)")
    #expect(names.label(2) == "user 2")
  }

  @Test("a name is asked for once; who has none is known to have none")
  @EventLoopActor
  func remembered() async {
    let asked = Mutex(0)
    let names = UserNames(patience: .seconds(600)) { uid in
      asked.withLock { $0 += 1 }
      return uid == 7 ? nil : "user\(uid)"
    }
    for _ in 0..<10 { #expect(await look(names, [1, 7, 1]) == [1: "user1"]) }
    #expect(asked.withLock { $0 } == 2)
    // Next in the loop's turn, and not before the call has returned.
    var isTold = false
    names.look(up: [7, 1]) { _ in isTold = true }
    #expect(!isTold)
    await EventLoopActor.giveWay()
    #expect(isTold)
    // It forgets, rather than to grow.
    for first in stride(from: UInt32(100), to: 4100, by: 500) {
      #expect(await look(names, Array(first..<first + 500)).count == 500)
    }
    #expect(names.rememberedCount <= 1024)
  }
}
