import EventLoop
import Glibc
import Linux
import Logging
import LoopTesting
import Testing
import TestSupport
import VarlinkServer

@testable import AlbumDaemon

/// A daemon in this process and peers that send it what comes to their mind. This process is the app and the owner.
final class TrafficWorld {
  /// One connection.
  private final class Peer {
    let socket: OwnedDescriptor
    var received: [UInt8] = []
    /// What it was shown and has not answered, where it is an agent.
    var prompts: [String] = []

    init(_ socket: consuming OwnedDescriptor) { self.socket = socket }
  }

  /// How many messages came back.
  private(set) var replies = 0

  private let directory: TemporaryDirectory
  private let daemon: Daemon
  private var random: SeededGenerator
  private var peers: [Peer] = []
  /// A daemon ends with its process.
  @EventLoopActor private static var daemons: [Daemon] = []

  private static let mostPeers = 12

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    directory = try TemporaryDirectory()
    let path = directory.path
    for name in ["photos", "apps.d"] { mkdir("\(path)/\(name)", 0o755) }
    try Self.write("\(path)/albumd.yaml", "roots: [{path: \(path)/photos}]\nstate: \(path)/state\n")
    try Self.write("\(path)/photos/one.jpg", "\u{7f}")
    daemon = try await EventLoopActor.run {
      let options = Daemon.Options(
        configurationFile: "\(path)/albumd.yaml", vendorDirectory: "\(path)/vendor",
        defaultState: "\(path)/state", socketPath: "\(path)/socket")
      let daemon = try Daemon(
        configuration: options.load(), options: options, helpers: HelperProcesses.start(),
        log: Logger(label: "test"))
      Self.daemons.append(daemon)
      return daemon
    }
    try describe()
  }

  // MARK: Steps

  func step() async throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: try await connect()
    case 2: if let place = peers.indices.randomElement(using: &random) { peers.remove(at: place) }
    case 3:
      try describe()
      send("Manager.Reload")
    case 4: send("Agent.Register", #""name":"test""#, wantsMore: true)
    case 5...7: answer()
    case 8, 9: decide()
    case 10: send("Manager.SetSelection", #"\#(app),"assets":[],"albums":[],"operation":"replace""#)
    case 11: send("Manager.Reset", maybe(app))
    case 12, 13:
      send(
        "Authorization.Request", #""accessLevel":"\#(level)","waitForAgent":\#(Bool.random(using: &random))"#)
    case 14: send("Authorization.PresentLimitedPicker")
    case 15: send("Picker.Pick", #""requestAccess":\#(Bool.random(using: &random))"#)
    case 16: send("Authorization.Monitor", wantsMore: true)
    case 17: send("Library.Subscribe", wantsMore: true)
    default: send("Library.FetchAssets")
    }
    if Int.random(in: 0..<3, using: &random) > 0 { await EventLoopActor.run {} }
    for peer in peers { receive(peer) }
  }

  /// Everyone leaves, and nothing is left of them.
  func finish() async throws {
    peers = []
    while await EventLoopActor.run({ [daemon] in
      daemon.parts.server.connectionCount > 0 || daemon.parts.center.agentCount > 0
        || daemon.parts.center.decisions.promptCount > 0
        || daemon.parts.subscriptions.count > 0
    }) {
      try Task.checkCancellation()
    }
  }

  private var level: String { Bool.random(using: &random) ? "readWrite" : "addOnly" }
  private var app: String { #""appId":"org.example.Test","uid":\#(getuid())"# }

  private func maybe(_ text: String) -> String { Bool.random(using: &random) ? text : "" }

  private func decide() {
    let status = ["limited", "limited", "authorized", "denied"].randomElement(using: &random) ?? "denied"
    send("Manager.SetAuthorization", #"\#(app),"accessLevel":"readWrite","status":"\#(status)""#)
  }

  private func answer() {
    guard let agent = peers.filter({ !$0.prompts.isEmpty }).randomElement(using: &random) else { return }
    let prompt = agent.prompts.removeFirst()
    let decision = ["allow", "limited", "deny", "notNow"].randomElement(using: &random) ?? "notNow"
    let selection = decision == "limited" ? #","assets":[]"# : ""
    send("Agent.Respond", #""prompt":"\#(prompt)","answer":{"decision":"\#(decision)"\#(selection)}"#)
  }

  /// Writes the manifest of this process, with keys of which each may be there, or none at all.
  private func describe() throws {
    let file = "\(directory.path)/apps.d/org.example.Test.yaml"
    if Int.random(in: 0..<5, using: &random) == 0 {
      unlink(file)
      return
    }
    var program = [CChar](repeating: 0, count: Int(PATH_MAX))
    try #require(readlink("/proc/self/exe", &program, program.count - 1) > 0)
    let path = String(decoding: program.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
    var lines = ["name: {en: Test}", "identity: {executable: \(path)}", "manages: true"]
    if Int.random(in: 0..<4, using: &random) > 0 { lines.append("automaticLimitedPicker: true") }
    if Bool.random(using: &random) { lines.append("icon: test") }
    let usage = ["readWrite", "addOnly"].filter { _ in Int.random(in: 0..<4, using: &random) > 0 }
    if !usage.isEmpty {
      lines.append("usage: {" + usage.map { "\($0): {en: To test.}" }.joined(separator: ", ") + "}")
    }
    try Self.write(file, lines.joined(separator: "\n") + "\n")
  }

  // MARK: Sockets

  private func connect() async throws {
    guard peers.count < Self.mostPeers else { return }
    var pair: [CInt] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    let number = pair[1]
    await EventLoopActor.run { [daemon] in
      daemon.parts.server.serve(connection: OwnedDescriptor(owning: number))
    }
    peers.append(Peer(OwnedDescriptor(owning: pair[0])))
  }

  /// From whichever peer; it may wait for an answer already, and then this waits too.
  private func send(_ method: String, _ parameters: String = "", wantsMore: Bool = false) {
    guard let peer = peers.randomElement(using: &random) else { return }
    let more = wantsMore ? #","more":true"# : ""
    let message =
      Array(#"{"method":"io.albumd.\#(method)","parameters":{\#(parameters)}\#(more)}"#.utf8) + [0]
    // One that the daemon has closed: it said why, and that was read.
    _ = Glibc.send(
      peer.socket.number, message, message.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
  }

  private func receive(_ peer: Peer) {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(peer.socket.number, &chunk, chunk.count, CInt(MSG_DONTWAIT))
      guard count > 0 else { break }
      peer.received += chunk[..<count]
    }
    while let end = peer.received.firstIndex(of: 0) {
      let message = String(decoding: peer.received[..<end], as: UTF8.self)
      peer.received.removeSubrange(...end)
      replies += 1
      guard let shown = message.firstMatch(of: #/"prompt":\{"id":"([0-9a-f]{32})"/#) else { continue }
      peer.prompts.append(String(shown.1))
    }
  }

  private static func write(_ path: String, _ text: String) throws {
    let file = try OwnedDescriptor(
      open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644), call: "open")
    try #require(Glibc.write(file.number, text, text.utf8.count) == text.utf8.count)
  }
}
