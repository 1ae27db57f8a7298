import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink

@Suite("Descriptors and quotas", .blocking)
struct DescriptorTests {
  private func batch(_ count: Int) throws -> DescriptorBatch {
    let batch = DescriptorBatch()
    for _ in 0..<count {
      _ = batch.append(
        try OwnedDescriptor(open("/dev/null", O_RDONLY | O_CLOEXEC), call: "open", subject: "/dev/null"))
    }
    return batch
  }

  @Test("descriptors that a call does not name are closed, and the call is refused")
  func unnamed() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    // Who describes it has a socket.
    let deadline = Deadline.generous
    while try owner.info().undescribed != 0, !deadline.hasPassed {}
    let before = host.daemon.descriptors
    for count in [1, 3, 200] {
      for (method, parameters) in [
        ("org.varlink.service.GetInfo", [:]), ("io.albumd.Library.OpenAsset", ["id": .string(id)]),
        ("io.example.None.Do", [:]), ("io.albumd.Library.FetchAssets", ["x": 1]),
      ] as [(String, JSONObject)] {
        try owner.send(Call(method: method, parameters: parameters), descriptors: batch(count))
        #expect(try owner.receive().reply.error != nil, "\(method)")
      }
    }
    try host.daemon.waitForDescriptors(before, owner)
  }

  @Test("the refusal says that it is about descriptors")
  func refusal() throws {
    let host = try Host()
    let owner = try host.owner()
    let error = try failure {
      try owner.call(ServiceInterface.GetInfo.self, .init(), descriptors: batch(1))
    }
    #expect(error.typed(InvalidParameter.self)?.parameter == "fileDescriptor")
  }

  @Test("descriptors with garbage, with half a message, and with a call behind one that waits are closed")
  func closed() throws {
    let host = try Host()
    let bystander = try host.connect()
    let app = try host.app()
    let agent = try host.agent()
    try bystander.roundTrip()
    let before = host.daemon.descriptors
    try {
      let garbage = try host.connect()
      try garbage.sendBytes(Array("garbage".utf8) + [0], descriptors: batch(5))
      #expect(try garbage.waitUntilClosed().isEmpty)
      let half = try host.connect()
      try half.sendBytes(Array("{\"method\"".utf8), descriptors: batch(5))
      try bystander.roundTrip()
      let waiting = try app.connect()
      try waiting.beginRequest()
      _ = try agent.prompt()
      try waiting.send(Call(method: "org.varlink.service.GetInfo"), descriptors: batch(5))
    }()
    _ = try agent.withdrawal()
    try host.daemon.waitForDescriptors(before, bystander)
  }

  @Test("opening assets leaves nothing open in the daemon, whether the descriptors are taken or not")
  func opened() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    let before = host.daemon.descriptors
    for _ in 0..<50 { _ = try owner.open(id) }
    for _ in 0..<50 { try owner.begin(LibraryInterface.OpenAsset.self, .init(id: id)) }
    for _ in 0..<50 { _ = try owner.receive() }
    try {
      let careless = try host.owner()
      for _ in 0..<50 { try careless.begin(LibraryInterface.OpenAsset.self, .init(id: id)) }
    }()
    try host.daemon.waitForDescriptors(before, owner)
  }

  @Test("128 connections per user, and no more")
  func quota() throws {
    let host = try Host()
    var connections = try (0..<128).map { _ in try host.connect() }
    for connection in connections { try connection.roundTrip() }
    let refused = try host.connect()
    #expect(try refused.waitUntilClosed().isEmpty)
    #expect(host.daemon.log.contains("the user has as many connections as may be: 128"))
    // One that ends makes room for another.
    connections.removeLast()
    try connections[0].roundTrip()
    try host.connect().roundTrip()
  }

  @Test("one user's connections do not take another's", .enabled(if: isRoot, needsRoot))
  func quotaOfOthers() throws {
    let host = try Host { $0.options = ["limits: {connectionsPerUser: 4}"] }
    let mine = try (0..<4).map { _ in try host.connect() }
    for connection in mine { try connection.roundTrip() }
    #expect(try host.connect().waitUntilClosed().isEmpty)
    #expect(try host.app(.wallpapers, uid: 65534).connect().status() == .notDetermined)
  }
}
