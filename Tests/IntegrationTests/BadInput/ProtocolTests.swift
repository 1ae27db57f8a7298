import AlbumAPI
import Glibc
import Testing
import TestSupport
import Varlink

@Suite("What a peer may send wrongly", .blocking)
struct ProtocolTests {
  private static let violations: [String] = [
    "hello", "", "[1,2]", "null", "42", "{}", "{\"method\":1}", "{\"method\":null}", "{\"method\":\"a.b.C\"",
    "{\"method\":\"org.varlink.service.GetInfo\",\"unknown\":1}",
    "{\"method\":\"org.varlink.service.GetInfo\",\"method\":\"org.varlink.service.GetInfo\"}",
    "{\"method\":\"org.varlink.service.GetInfo\",\"parameters\":[]}",
    "{\"method\":\"org.varlink.service.GetInfo\",\"more\":\"yes\"}",
    "{\"method\":\"org.varlink.service.GetInfo\",\"more\":true,\"oneway\":true}",
    "{\"method\":\"\\ud800\"}", "{\"method\":\"a\u{1}b\"}", "{\"method\":\"org.varlink.service.GetInfo\"} x",
    String(repeating: "[", count: 100_000), String(repeating: "{\"a\":", count: 100_000),
  ]

  @Test("what is no Varlink call closes its connection, and no other")
  func violations() throws {
    let host = try Host()
    let bystander = try host.connect()
    try bystander.roundTrip()
    let before = host.daemon.descriptors
    for text in Self.violations {
      let connection = try host.connect()
      try connection.sendBytes(Array(text.utf8) + [0])
      #expect(try connection.waitUntilClosed().isEmpty, "\(text.prefix(80))")
    }
    try host.daemon.waitForDescriptors(before, bystander)
    #expect(host.daemon.log.contains("A peer was refused"))
  }

  @Test("bytes that are no text at all, in pieces")
  func noise() throws {
    let host = try Host()
    let bystander = try host.connect()
    var generator = SeededGenerator(seed: 42)
    for _ in 0..<200 {
      let connection = try host.connect()
      let bytes = (0..<Int.random(in: 1...300, using: &generator)).map { _ in
        UInt8.random(in: 1...255, using: &generator)
      }
      let middle = bytes.count / 2
      try connection.sendBytes(Array(bytes[..<middle]))
      // It may have been closed already.
      try? connection.sendBytes(bytes[middle...] + [0])
      #expect(try connection.waitUntilClosed().isEmpty)
    }
    try bystander.roundTrip()
  }

  @Test("what was answered before a violation is answered")
  func answeredBefore() throws {
    let host = try Host()
    let connection = try host.connect()
    let good = Call(method: "org.varlink.service.GetInfo").encoded()
    try connection.sendBytes(good + Array("nonsense".utf8) + [0] + good)
    let replies = try connection.waitUntilClosed().split(separator: 0)
    #expect(replies.count == 1)
  }

  @Test("over 1 MiB without a NUL")
  func tooLong() throws {
    let host = try Host()
    let connection = try host.connect()
    let bystander = try host.connect()
    // The daemon closes in the middle of it.
    try? connection.sendBytes([UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) + 65536))
    #expect(try connection.waitUntilClosed().isEmpty)
    try bystander.roundTrip()
    #expect(host.daemon.log.contains("1048576"))

    // One that just fits is a call.
    let call = Array("{\"method\":\"org.varlink.service.GetInfo\"}".utf8)
    let padding = [UInt8](repeating: UInt8(ascii: " "), count: (1 << 20) - call.count - 1)
    let other = try host.connect()
    try other.sendBytes(padding + call + [0])
    other.finishSending()
    #expect(try other.waitUntilClosed().contains(0))
  }

  @Test("the limit is the configuration's")
  func configuredLimit() throws {
    let host = try Host {
      $0.options = ["limits: {messageBytes: 4096}"]
      for number in 0..<50 { try $0.add("\(number).jpg") }
    }
    let connection = try host.connect()
    try? connection.sendBytes([UInt8](repeating: UInt8(ascii: " "), count: 5000))
    #expect(try connection.waitUntilClosed().isEmpty)
    // It is about what is received: a reply is as long as it is.
    #expect(try host.owner().assets(.init()).count == 50)
  }

  @Test("a peer that closes in the middle of a message")
  func halfMessage() throws {
    let host = try Host()
    let bystander = try host.connect()
    try bystander.roundTrip()
    let before = host.daemon.descriptors
    for _ in 0..<20 {
      let connection = try host.connect()
      try connection.sendBytes(Array("{\"method\":\"org.varl".utf8))
    }
    try host.daemon.waitForDescriptors(before, bystander)
  }

  // MARK: Parameters

  @Test(
    "InvalidParameter names the field",
    arguments: [
      ("io.albumd.Authorization.GetStatus", "{}", "accessLevel"),
      ("io.albumd.Authorization.GetStatus", "{\"accessLevel\":null}", "accessLevel"),
      ("io.albumd.Authorization.GetStatus", "{\"accessLevel\":7}", "accessLevel"),
      ("io.albumd.Authorization.GetStatus", "{\"accessLevel\":\"everything\"}", "accessLevel"),
      ("io.albumd.Authorization.GetStatus", "{\"accessLevel\":\"addOnly\",\"x\":1}", "x"),
      ("io.albumd.Authorization.WhoAmI", "{\"verbose\":true}", "verbose"),
      ("io.albumd.Library.FetchAssets", "{\"limit\":\"ten\"}", "limit"),
      ("io.albumd.Library.FetchAssets", "{\"limit\":1.5}", "limit"),
      ("io.albumd.Library.FetchAssets", "{\"albums\":[\"a\",2]}", "albums[1]"),
      ("io.albumd.Library.FetchAssets", "{\"sort\":\"colour\"}", "sort"),
      ("io.albumd.Library.FetchAssets", "{\"createdAfter\":\"yesterday\"}", "createdAfter"),
      ("io.albumd.Library.Subscribe", "{\"assets\":{\"names\":[]}}", "assets.names"),
      ("io.albumd.Agent.Respond", "{\"prompt\":\"x\",\"answer\":{}}", "answer.decision"),
      ("org.varlink.service.GetInterfaceDescription", "{}", "interface"),
    ])
  func parameters(method: String, parameters: String, field: String) throws {
    let host = try Host()
    let owner = try host.owner()
    let text = "{\"method\":\"\(method)\",\"parameters\":\(parameters),\"more\":true}"
    try owner.sendBytes(Array(text.utf8) + [0])
    owner.finishSending()
    let reply = try #require(try owner.waitUntilClosed().split(separator: 0).first)
    let error = try reply.withUnsafeBufferPointer { try Reply(parsing: $0) }
    #expect(error.error == InvalidParameter.name)
    #expect(error.parameters["parameter"] == .string(field))
  }

  @Test("absent, null and empty parameters are the same")
  func noParameters() throws {
    let host = try Host()
    for parameters in ["", ",\"parameters\":null", ",\"parameters\":{}"] {
      let connection = try host.connect()
      try connection.sendBytes(Array("{\"method\":\"org.varlink.service.GetInfo\"\(parameters)}".utf8) + [0])
      connection.finishSending()
      #expect(String(decoding: try connection.waitUntilClosed(), as: UTF8.self).contains("io.albumd.Library"))
    }
  }

  @Test("unknown interfaces and methods are named in full")
  func unknown() throws {
    let host = try Host()
    let connection = try host.connect()
    func reply(_ method: String) throws -> (String?, JSONObject) {
      try connection.send(method)
      let reply = try connection.receive().reply
      return (reply.error, reply.parameters)
    }
    #expect(
      try reply("io.example.None.Do")
        == ("org.varlink.service.InterfaceNotFound", ["interface": "io.example.None"]))
    #expect(
      try reply("io.albumd.Library.Explode")
        == ("org.varlink.service.MethodNotFound", ["method": "io.albumd.Library.Explode"]))
    #expect(try reply("nonsense").0 == "org.varlink.service.InterfaceNotFound")
    #expect(try reply("").0 == "org.varlink.service.InterfaceNotFound")
    try connection.roundTrip()
  }

  @Test(
    "a streaming method without more: ExpectedMore",
    arguments: ["io.albumd.Library.Subscribe", "io.albumd.Authorization.Monitor"])
  func expectedMore(method: String) throws {
    let host = try Host()
    let connection = try host.owner()
    try connection.send(method)
    #expect(try connection.receive().reply.error == "org.varlink.service.ExpectedMore")
    try connection.roundTrip()
  }

  // MARK: Order

  @Test("oneway gets no reply, not even an error")
  func oneway() throws {
    let host = try Host()
    let connection = try host.connect()
    for method in ["org.varlink.service.GetInfo", "io.example.None.Do", "io.albumd.Library.FetchAssets"] {
      try connection.send(Call(method: method, isOneway: true))
    }
    try connection.send(
      Call(method: "org.varlink.service.GetInfo", parameters: ["x": 1], isOneway: true))
    try connection.send("io.example.First.Reply")
    #expect(try connection.receive().reply.parameters["interface"] == "io.example.First")
    #expect(connection.isQuiet)
  }

  @Test("pipelined calls are answered in order")
  func pipelined() throws {
    let host = try Host()
    let connection = try host.connect()
    var bytes: [UInt8] = []
    for number in 0..<500 {
      bytes += Call(method: "io.example.I\(number).Do").encoded()
    }
    try connection.sendBytes(bytes)
    connection.finishSending()
    let replies = try connection.waitUntilClosed().split(separator: 0)
    #expect(replies.count == 500)
    for (number, reply) in replies.enumerated() {
      #expect(String(decoding: reply, as: UTF8.self).contains("io.example.I\(number)\""))
    }
  }

  @Test("a call behind one that waits is answered after it")
  func behindWaiting() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    try app.begin(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite))
    let prompt = try agent.prompt()
    #expect(try agent.isQuiet)
    #expect(app.isQuiet)
    try agent.answer(prompt, .allow)
    #expect(try app.requestReply().status == .authorized)
    #expect(try app.receive(AuthorizationInterface.GetStatus.self).status == .authorized)
  }

  @Test("a peer that vanishes in the middle of a stream")
  func vanishes() throws {
    let host = try Host { library in for number in 0..<2000 { try library.add("p\(number).jpg") } }
    let bystander = try host.owner()
    // Photos are open while they are read.
    let deadline = Deadline.generous
    while try bystander.info().undescribed != 0, !deadline.hasPassed {}
    let before = host.daemon.descriptors
    for _ in 0..<5 {
      let owner = try host.owner()
      try owner.begin(LibraryInterface.FetchAssets.self, .init(limit: 1000), more: true)
      _ = try owner.receive()
      _ = try host.owner().subscribe()
    }
    try host.daemon.waitForDescriptors(before, bystander)
    try host.library.add("later.jpg")
    #expect(try host.owner().info().assetCount >= 2000)
  }

  @Test("the service describes itself, and every definition it gives parses")
  func introspection() throws {
    let host = try Host()
    let connection = try host.connect()
    let info = try connection.call(ServiceInterface.GetInfo.self, .init())
    #expect(
      Set(info.interfaces).isSuperset(of: [
        "org.varlink.service", "io.albumd.Authorization", "io.albumd.Library", "io.albumd.Agent",
        "io.albumd.Manager", "io.systemd.service",
      ]))
    for name in info.interfaces {
      let text = try connection.call(
        ServiceInterface.GetInterfaceDescription.self, .init(interface: name)
      ).description
      #expect(try InterfaceDescription(parsing: text).name == name)
    }
    try connection.send("io.systemd.service.Ping")
    #expect(try connection.receive().reply.error == nil)
  }
}
