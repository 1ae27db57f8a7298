import EventLoop
import LoopTesting
import Testing
import Varlink

@testable import VarlinkServer

@Suite("Several wait until a peer has read, and all go on", .timeLimit(.minutes(30)))
struct DrainedTests {
  init() {
    LoopThread.start()
  }

  @EventLoopActor
  private final class Seen {
    var (waiting, drained, gone, called) = (0, 0, 0, 0)
  }

  @Test(
    "all that wait go on when a peer has read what was sent; and when it has gone, each is told",
    arguments: [true, false])
  @EventLoopActor
  func several(reads: Bool) async throws {
    let service = TestService()
    let peer = try service.connect()
    await peer.writeAll(Peer.call("Keep", "{}", #","more":true"#))
    await service.until { service.kept.count == 1 }
    let call = service.kept.removeFirst()
    // More than a socket takes.
    call.reply(TestInterface.Text(text: String(repeating: "x", count: 4 << 20)), continues: true)
    #expect(!call.isDrained)
    let seen = Seen()
    for _ in 1...3 {
      Task.onLoop {
        seen.waiting += 1
        do {
          try await call.waitUntilDrained()
          seen.drained += 1
        } catch { seen.gone += 1 }
      }
    }
    for _ in 1...2 { call.whenDrained { seen.called += 1 } }
    await service.until { seen.waiting == 3 }
    #expect(seen.drained == 0 && seen.gone == 0 && seen.called == 0)
    if reads { #expect(await peer.messages(1).count == 1) } else { peer.close() }
    await service.until { seen.drained + seen.gone == 3 && seen.called == 2 }
    #expect(seen.drained == (reads ? 3 : 0))
  }
}
