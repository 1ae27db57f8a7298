import EventLoop
import Glibc
import Linux
import LoopTesting
import Testing
import TestSupport
import VarlinkServer
import VarlinkTransport

@Suite("What a peer can make the service hold is bounded", .timeLimit(.minutes(30)))
struct LimitTests {
  init() {
    LoopThread.start()
  }

  @Test("a user has so many connections; one that ends makes room")
  func quota() async throws {
    let service = await TestService { $0.connectionsPerUser = 2 }
    let first = try await service.connect()
    let second = try await service.connect()
    let third = try await service.connect()
    try #require(await service.server.statistics.refused == 1)
    #expect(await third.rest() == [])
    first.close()
    await service.until { service.server.connectionCount == 1 }
    let fourth = try await service.connect()
    #expect(await fourth.call("Echo", #"{"text":"4"}"#) == #"{"parameters":{"text":"4"}}"#)
    #expect(await second.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
  }

  @Test("all users together have so many connections; one that ends makes room")
  func quotaOfAll() async throws {
    let service = await TestService { $0.connections = 1 }
    let first = try await service.connect()
    let second = try await service.connect()
    try #require(await service.refusals == ["there are as many connections as may be: 1"])
    #expect(await second.rest() == [])
    first.close()
    await service.until { service.server.connectionCount == 0 }
    let third = try await service.connect()
    #expect(await third.call("Echo", #"{"text":"3"}"#) == #"{"parameters":{"text":"3"}}"#)
  }

  @Test("a connection whose call is still worked on counts until the work is done")
  func quotaOfUnfinishedWork() async throws {
    let service = await TestService { $0.connectionsPerUser = 1 }
    let first = try await service.connect()
    await first.writeAll(Peer.call("Keep"))
    await service.until { service.kept.count == 1 }
    first.close()
    await service.until { service.server.connectionCount == 0 }
    let refused = try await service.connect()
    #expect(await refused.rest() == [])
    #expect(await service.server.statistics.refused == 1)
    await EventLoopActor.run { service.kept = [] }
    let second = try await service.connect()
    #expect(await second.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
  }

  @Test("a peer that takes long to be found out about delays nobody, and counts")
  func slowAdmission() async throws {
    let admission = TestAdmission()
    let service = await TestService(admission: admission) { $0.connectionsPerUser = 2 }
    await EventLoopActor.run { admission.holdsBack = true }
    let slow = try await service.connect()
    await slow.writeAll(Peer.call("Echo", #"{"text":"slow"}"#))
    await EventLoopActor.run { admission.holdsBack = false }
    let other = try await service.connect()
    #expect(await other.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    #expect(await service.echoes == 1)
    #expect(await service.server.connectionCount == 1)
    let refused = try await service.connect()
    #expect(await refused.rest() == [])
    await EventLoopActor.run { admission.waiting.removeFirst()(nil) }
    #expect(await slow.messages(1) == [#"{"parameters":{"text":"slow"}}"#])
  }

  @Test("a closed connection's socket is closed, whoever keeps its call")
  func socketOfKeptCall() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Keep"))
    await service.until { service.kept.count == 1 }
    await EventLoopActor.run { service.server.close() }
    #expect(peer.ends())
    #expect(await service.kept.count == 1)
  }

  @Test("a peer that does not read is not read from: its replies stay bounded, and none is lost")
  func backPressure() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    let text = String(repeating: "x", count: 4000)
    let call = Peer.call("Echo", #"{"text":"\#(text)"}"#)
    var rest = (0..<1000).flatMap { _ in call }[...]
    var idleTurns = 0
    while idleTurns < 100 {
      let count = peer.write(rest.prefix(1 << 16))
      rest = rest.dropFirst(count)
      idleTurns = count == 0 ? idleTurns + 1 : 0
      await TestService.turn()
    }
    // 256 KiB and one reply in memory, and what the socket's buffer holds.
    #expect(await service.echoes < 250)
    async let written: Void = peer.writeAll(Array(rest))
    let replies = await peer.messages(1000)
    await written
    #expect(replies.count == 1000 && replies.allSatisfy { $0.utf8.count == 4000 + 26 })
  }

  @Test("a stream that its peer never reads ends, before it fills the memory")
  func unreadStream() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Stream", #"{"count":500,"size":65536}"#, #","more":true"#))
    await service.until { service.server.connectionCount == 0 || service.streamed == 500 }
    #expect(await service.streamed < 100)
    #expect(await service.refusals.count == 1)
  }

  @Test("a peer that floods has a bounded share of every turn of the loop")
  func fairness() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    // Smaller than a socket's buffer: all of it waits when the first is served.
    let flood = (0..<2500).flatMap { _ in Peer.call("Echo", #"{"text":""}"#, #","oneway":true"#) }
    #expect(peer.write(flood) == flood.count)
    let largest = await service.largestShare(until: 2500)
    #expect(largest <= 64)
  }

  @Test("a call whose peer vanishes is cancelled")
  func cancellation() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Sleep"))
    await service.until { service.server.statistics.calls == 1 }
    peer.close()
    await service.until { service.cancelled == 1 }
    #expect(await service.server.connectionCount == 0)
  }

  @Test("a half-closed peer that waits for an answer costs no turns of the loop")
  func quietHalfClose() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(Peer.call("Keep"))
    await service.until { service.kept.count == 1 }
    peer.closeWriting()
    #expect(try await isAloneInSomeTurn(), "nothing else is ready in every turn")
    await EventLoopActor.run { service.kept.removeFirst().reply(Nothing()) }
    #expect(await peer.rest() == [#"{"parameters":{}}"#])
  }

  /// Whether what becomes ready is handled alone, in one turn out of many: other tests share the loop.
  @EventLoopActor
  private func isAloneInSomeTurn() async throws -> Bool {
    let bell = try Pipe()
    var (turns, isAlone) = (0, false)
    let source = try IOSource(bell.reading, .readable) { _ in
      _ = bell.take()
      turns += 1
      isAlone = isAlone || !EventLoop.shared.isTurnShared
    }
    for turn in 1...1000 where !isAlone {
      try #require(bell.put(1))
      while turns < turn { await EventLoopActor.giveWay() }
    }
    source.cancel()
    return isAlone
  }

  @Test("a listening socket that was handed over in blocking mode never blocks the loop")
  func blockingListener() async throws {
    let service = await TestService()
    let path = "/tmp/albumd-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    defer { unlink(path) }
    try await EventLoopActor.run {
      let listener = try UnixSocket.listen(at: path)
      _ = fcntl(listener.number, F_SETFL, 0)
      try service.server.serve(listener: listener)
    }
    for text in ["1", "2"] {
      let peer = Peer(try UnixSocket.connect(to: path), of: service)
      #expect(await peer.call("Echo", #"{"text":"\#(text)"}"#) == #"{"parameters":{"text":"\#(text)"}}"#)
    }
    await EventLoopActor.run { service.server.close() }
  }
}

private struct Nothing: Encodable {}
