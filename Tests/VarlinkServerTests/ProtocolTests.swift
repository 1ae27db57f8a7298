import EventLoop
import Glibc
import Linux
import LoopTesting
import Testing
import TestSupport
import VarlinkServer
import VarlinkTransport

@Suite("A connection keeps the protocol", .timeLimit(.minutes(30)))
struct ProtocolTests {
  init() {
    LoopThread.start()
  }

  @Test(
    "what breaks the protocol closes the connection without a reply, and is counted",
    arguments: [
      "nonsense", "[1]", "{}", #"{"method":1}"#, #"{"method":"a.b.C","other":1}"#, #"{"method":"a.b.C","#,
      #"{"method":"a.b.C","more":true,"oneway":true}"#, #"{"method":"a.b.C","method":"a.b.C"}"#,
      String(repeating: " ", count: 2000),
    ])
  func violations(message: String) async throws {
    let service = await TestService { $0.messageBytes = 1024 }
    let peer = try await service.connect()
    await peer.writeAll(Array(message.utf8) + [0])
    #expect(await peer.rest() == [])
    #expect(await service.server.statistics.violations == 1)
    #expect(await service.server.connectionCount == 0)
  }

  @Test("bytes without a NUL are refused at the limit, not collected")
  func endless() async throws {
    let service = await TestService { $0.messageBytes = 1024 }
    let peer = try await service.connect()
    await peer.writeAll([UInt8](repeating: 0x20, count: 1025))
    #expect(await peer.rest() == [])
    #expect(await service.server.statistics.violations == 1)
  }

  @Test("unknown interface, unknown method, a name that is neither")
  func unknown() async throws {
    let peer = try await TestService().connect()
    #expect(
      await peer.call("None")
        == #"{"error":"org.varlink.service.MethodNotFound","parameters":{"method":"org.example.test.None"}}"#)
    #expect(
      await peer.call("deeper.None")
        == #"{"error":"org.varlink.service.InterfaceNotFound","parameters":{"interface":"org.example.test.deeper"}}"#
    )
  }

  @Test(
    "a parameter that does not fit is named",
    arguments: [
      ("Echo", #"{"text":1}"#, "text"), ("Echo", "{}", "text"), ("Echo", #"{"text":"","other":1}"#, "other"),
      ("List", #"{"items":[{"name":"a","count":1},{"name":"b","count":1.5}]}"#, "items[1].count"),
      ("List", #"{"items":[{"name":"a","count":1,"x":null}]}"#, "items[0].x"),
      ("Take", #"{"fileDescriptor":0}"#, "fileDescriptor"),
      ("Take", #"{"fileDescriptor":-1}"#, "fileDescriptor"),
    ])
  func invalid(method: String, parameters: String, field: String) async throws {
    let peer = try await TestService().connect()
    #expect(
      await peer.call(method, parameters)
        == #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"\#(field)"}}"#)
    #expect(await peer.call("Echo", #"{"text":"on"}"#) == #"{"parameters":{"text":"on"}}"#)
  }

  @Test("a streaming method needs more")
  func expectedMore() async throws {
    let peer = try await TestService().connect()
    #expect(
      await peer.call("Stream", #"{"count":1,"size":1}"#)
        == #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#)
  }

  @Test("oneway gets no reply, not even an error")
  func oneway() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    for call in [("Echo", #"{"text":"a"}"#), ("Echo", "{}"), ("None", "{}")] {
      await peer.writeAll(Peer.call(call.0, call.1, #","oneway":true"#))
    }
    #expect(await peer.call("Echo", #"{"text":"b"}"#) == #"{"parameters":{"text":"b"}}"#)
    #expect(await service.echoes == 2)
  }

  @Test("a peer that writes no more gets every reply, then the end")
  func halfClose() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    await peer.writeAll(
      (0..<100).flatMap { Peer.call("Echo", #"{"text":"\#($0)"}"#) })
    peer.closeWriting()
    #expect(await peer.rest() == (0..<100).map { #"{"parameters":{"text":"\#($0)"}}"# })
    #expect(await service.server.connectionCount == 0)
    #expect(await service.server.statistics.violations == 0)
  }

  @Test("of calls that came together each is answered, also when a connection ends in the same turn")
  @EventLoopActor
  func together() async throws {
    let service = TestService()
    let call = Peer.call("Echo", #"{"text":"a"}"#)
    let reply = #"{"parameters":{"text":"a"}}"#
    // Several with one turn of the loop, and more than are put off together.
    let asking = try (0..<20).map { _ in try service.connect() }
    let (leaving, broken) = (try service.connect(), try service.connect())
    for peer in asking { #expect(peer.write(call + call) > 0) }
    #expect(leaving.write(call + call) > 0)
    leaving.closeWriting()
    #expect(broken.write(call + call + [1, 0]) > 0)
    #expect(await leaving.rest() == [reply, reply])
    #expect(await broken.rest() == [reply, reply])
    for peer in asking {
      #expect(await peer.messages(2) == [reply, reply])
      #expect(await peer.call("Echo", #"{"text":"a"}"#) == reply)
    }
    #expect(service.server.connectionCount == 20)
  }

  @Test("oneway calls of a peer that closes at once are served")
  func onewayThenClose() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    let flood = (0..<1000).flatMap { _ in Peer.call("Echo", #"{"text":""}"#, #","oneway":true"#) }
    #expect(peer.write(flood) == flood.count)
    peer.close()
    await service.until { service.server.connectionCount == 0 }
    #expect(await service.echoes == 1000)
  }

  @Test("10,000 pipelined calls are answered in their order")
  func pipelining() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    let calls = (0..<10_000).flatMap { Peer.call("Echo", #"{"text":"\#($0)"}"#) }
    async let written: Void = peer.writeAll(calls)
    let replies = await peer.messages(10_000)
    await written
    #expect(replies == (0..<10_000).map { #"{"parameters":{"text":"\#($0)"}}"# })
  }

  @Test(
    "descriptors that no parameter names are closed, and the call is refused", arguments: ["Echo", "None"])
  func unnamedDescriptors(method: String) async throws {
    let peer = try await TestService().connect()
    let pipe = try Pipe()
    do {
      // Ends here, so that what is left of the descriptor is the service's.
      let batch = DescriptorBatch()
      _ = batch.append(try pipe.writing())
      var writer = MessageWriter()
      try writer.send(Peer.call(method, #"{"text":""}"#), descriptors: batch, to: peer.number)
    }
    let reply = await peer.messages(1)
    #expect(reply.first?.contains("error") == true)
    pipe.closeWriting()
    while !pipe.hasNoWriter { await TestService.turn() }
  }

  @Test("bytes in any pieces, whole or broken, never take the service down", arguments: UInt64(0)..<20)
  func fuzz(seed: UInt64) async throws {
    var random = SeededGenerator(seed: seed)
    let service = await TestService { $0.messageBytes = 4096 }
    for _ in 0..<20 {
      let peer = try await service.connect()
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        var call = Peer.call("Echo", #"{"text":"\#(UInt64.random(in: 0 ... .max, using: &random))"}"#)
        for _ in 0..<Int.random(in: 0...2, using: &random) {
          call[Int.random(in: call.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        bytes += call
      }
      while !bytes.isEmpty {
        let count = min(bytes.count, Int.random(in: 1...97, using: &random))
        if peer.write(bytes.prefix(count)) < 0 { break }
        bytes.removeFirst(count)
        if Bool.random(using: &random) { await TestService.turn() }
      }
      peer.closeWriting()
      _ = await peer.rest()
    }
    let peer = try await service.connect()
    #expect(await peer.call("Echo", #"{"text":"still here"}"#) == #"{"parameters":{"text":"still here"}}"#)
    #expect(await service.server.connectionCount == 1)
  }
}
