import Authorization
import EventLoop
import Glibc
import LibraryIO
import Logging
import LoopTesting
import TestSupport
import Testing
import VarlinkServer

@testable import AlbumDaemon

/// A daemon in this process and peers that send it what comes to their mind. This process is the app and the owner.
final class TrafficWorld {
  /// How many messages came back.
  var replies = 0
  /// The public ids that peers were told.
  var assets: Set<String> = []
  /// The same of albums.
  var albums: Set<String> = []
  var random: SeededGenerator
  var peers: [TrafficPeer] = []
  let daemon: Daemon
  let directory: TemporaryDirectory
  private let clock: JumpingClock
  /// A daemon ends with its process.
  @EventLoopActor private static var daemons: [Daemon] = []

  init(seed: UInt64) async throws {
    random = SeededGenerator(seed: seed)
    directory = try TemporaryDirectory()
    let path = directory.path
    for name in ["photos", "photos/album", "apps.d", "policies.d"] { mkdir("\(path)/\(name)", 0o755) }
    try Self.write("\(path)/albumd.yaml", Self.configuration(path))
    for name in ["one", "two", "album/three"] { try Self.write("\(path)/photos/\(name).jpg", name) }
    (daemon, clock) = try await EventLoopActor.run {
      let options = Daemon.Options(
        configurationFile: "\(path)/albumd.yaml", vendorDirectory: "\(path)/vendor",
        defaultState: "\(path)/state", socketPath: "\(path)/socket")
      let clock = JumpingClock()
      let daemon = try Daemon(
        configuration: options.load(), options: options, helpers: HelperProcesses.start(),
        log: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }, clock: { clock.now })
      Self.daemons.append(daemon)
      try daemon.parts.library.start(telling: daemon.parts.wiring)
      return (daemon, clock)
    }
    try describe()
  }

  // MARK: Steps

  func step() async throws {
    switch Int.random(in: 0..<39, using: &random) {
    case 0, 1: try await connect()
    case 2: if let place = peers.indices.randomElement(using: &random) { peers.remove(at: place) }
    case 3:
      try configure()
      // A signal, or an owner's call; without either it waits for the next one.
      if Bool.random(using: &random) { send("Manager.Reload") } else { try await reload() }
    case 4: send("Agent.Register", #""name":"test""#, wantsMore: true)
    case 5...8: answer()
    case 9, 10: decide()
    case 11: send("Manager.SetSelection", #"\#(app),\#(selection),"operation":"\#(operation)""#)
    case 12: send("Manager.Reset", maybe(app))
    case 13, 14:
      send(
        "Authorization.Request", #""accessLevel":"\#(level)","waitForAgent":\#(Bool.random(using: &random))"#)
    case 15: send("Authorization.PresentLimitedPicker")
    case 16: send("Picker.Pick", #""requestAccess":\#(Bool.random(using: &random))"#)
    case 17: send("Authorization.Monitor", wantsMore: true)
    case 18: send("Library.Subscribe", wantsMore: true)
    case 19: await jump()
    case 20: send("Library.DeleteAssets", #""ids":["\#(asset)"]"#)
    case 21: send("Library.OpenAsset", #""id":"\#(asset)""#)
    case 22: if Int.random(in: 0..<6, using: &random) == 0 { send("Manager.ActAsOwner") }
    case 23: send("Manager.ListAccessLog", #""follow":true"#, wantsMore: true)
    case 24: send("Library.MonitorState", wantsMore: true)
    case 25: send("Library.SetFavorite", #""ids":["\#(asset)"],"favorite":\#(Bool.random(using: &random))"#)
    case 26: send("Library.SetHidden", #""ids":["\#(asset)"],"hidden":\#(Bool.random(using: &random))"#)
    case 27: send("Library.RenameAsset", #""id":"\#(asset)","filename":"\#(title)""#)
    case 28: send("Library.CreateAlbum", #""title":"\#(title)""#)
    case 29: send("Library.RevertAsset", #""id":"\#(asset)""#)
    case 30: send("Library.FetchAlbums", maybe(#""smart":true"#))
    case 31: send("Library.FetchMoments", #""unit":"day""#)
    case 32: send("Library.PreparePreviews", #""ids":["\#(asset)"],"pixels":256"#, wantsMore: true)
    case 33: send("Library.DeleteAlbum", #""album":"\(album)""#)
    case 34: send("Library.MoveAssets", #""ids":["\(asset)"],"album":"\(album)""#)
    case 35: send("Library.AddToAlbum", #""ids":["\(asset)"],"album":"\(album)""#)
    case 36: send("Library.MoveAlbum", #""album":"\(album)""#)
    case 37: send("Library.MoveInAlbum", #""album":"\(album)","ids":["\(asset)"]"#)
    default: send("Library.FetchAssets", maybe(#""includeHidden":true"#))
    }
    if Int.random(in: 0..<3, using: &random) > 0 { await EventLoopActor.run {} }
    for peer in peers { receive(peer) }
  }

  /// Nobody sends any more: every monitor was told what holds. Then everyone leaves, and nothing is left of them.
  func finish() async throws {
    while await EventLoopActor.run({ [daemon] in !daemon.parts.center.decisions.untold.isEmpty }) {
      try Task.checkCancellation()
    }
    peers.removeAll { $0.isAgent }
    try await check()
    peers = []
    // The suite's time limit is what ends a failure.
    while await EventLoopActor.run({ [daemon] in daemon.parts.hasGuests }) { try Task.checkCancellation() }
  }

  /// What monitors were told last is what somebody is told who asks now.
  private func check() async throws {
    peers.removeAll { $0.told.isEmpty }
    try await connect()
    let asking = try #require(peers.last)
    // What takes something away counts at once, and is told when it is on disk; and what was sent before this may be
    // served after it. So it is asked again, for as long as a busy disk may take.
    let deadline = EventLoop.shared.monotonicMicroseconds + 600_000_000
    while true {
      let now = try await statuses(asking)
      for _ in 0..<100 {
        await EventLoopActor.run {}
        for peer in peers { receive(peer) }
      }
      let others = peers.filter { $0 !== asking && $0.told != now }
      if others.isEmpty { return }
      guard EventLoop.shared.monotonicMicroseconds < deadline else {
        Issue.record("S29: monitors were told \(others.map(\.told)), and it is \(now)")
        return
      }
    }
  }

  /// What somebody is told who asks.
  private func statuses(_ asking: TrafficPeer) async throws -> [String: String] {
    var now: [String: String] = [:]
    for level in ["addOnly", "readWrite"] {
      asking.send("Authorization.GetStatus", #""accessLevel":"\#(level)""#)
      while asking.statuses.isEmpty {
        try Task.checkCancellation()
        await EventLoopActor.run {}
        for peer in peers { receive(peer) }
      }
      now[level] = asking.statuses.removeFirst()
    }
    return now
  }

  private func reload() async throws { _ = try await daemon.parts.reloading.reload() }

  /// The clock is set: on by up to two days, or back.
  private func jump() async {
    let seconds = Int64.random(in: -3600..<172_800, using: &random)
    await EventLoopActor.run { [clock, daemon] in
      clock.offset += seconds
      // The kernel ends the timer's wait when its clock is set; this one is only the daemon's.
      daemon.parts.center.expireDecisions()
    }
  }

  private var level: String { Bool.random(using: &random) ? "readWrite" : "addOnly" }
  private var app: String { #""appId":"org.example.Test","uid":\#(getuid())"# }
  private var asset: String { assets.sorted().randomElement(using: &random) ?? "0123456789abcdef" }
  private var album: String { albums.sorted().randomElement(using: &random) ?? "0123456789abcdef" }
  private var title: String { "name\(Int.random(in: 0..<5, using: &random))" }
  private var operation: String { ["add", "remove", "replace"].randomElement(using: &random) ?? "add" }

  private var selection: String {
    let chosen = assets.sorted().filter { _ in Bool.random(using: &random) }.map { #""\#($0)""# }
    return #""assets":[\#(chosen.joined(separator: ","))],"albums":[]"#
  }

  private func maybe(_ text: String) -> String { Bool.random(using: &random) ? text : "" }

  private func decide() {
    let status = ["limited", "limited", "authorized", "denied"].randomElement(using: &random) ?? "denied"
    let level = status == "limited" ? "readWrite" : level
    send("Manager.SetAuthorization", #"\#(app),"accessLevel":"\#(level)","status":"\#(status)""#)
  }

  private func answer() {
    guard let agent = peers.filter({ !$0.prompts.isEmpty }).randomElement(using: &random) else { return }
    let prompt = agent.prompts.removeFirst()
    let decision = ["allow", "limited", "deny", "notNow"].randomElement(using: &random) ?? "notNow"
    var answer = #""decision":"\#(decision)""#
    if decision == "limited" || Int.random(in: 0..<4, using: &random) == 0 { answer += ",\(selection)" }
    let duration = ["always", "untilExit", "until"].randomElement(using: &random) ?? "always"
    switch Int.random(in: 0..<3, using: &random) {
    case 0: answer += #","duration":"\#(duration)""#
    case 1: answer += #","duration":"until","expires":"2100-01-01T00:00:00Z""#
    default: break
    }
    send("Agent.Respond", #""prompt":"\#(prompt)","answer":{\#(answer)}"#)
    // It may not have fitted: then the prompt is open still.
    if Bool.random(using: &random) { agent.prompts.append(prompt) }
  }

  /// From whichever peer; it may wait for an answer already, and then this waits too.
  private func send(_ method: String, _ parameters: String = "", wantsMore: Bool = false) {
    peers.randomElement(using: &random)?.send(method, parameters, wantsMore: wantsMore)
  }
}

/// The system's clock, set otherwise.
@EventLoopActor
private final class JumpingClock {
  /// Seconds.
  var offset: Int64 = 0
  var now: Timestamp { Timestamp.now.adding(seconds: offset) }
}

extension Composition {
  /// Whether anything is kept of peers that were here, or of what they asked.
  fileprivate var hasGuests: Bool {
    server.connectionCount > 0 || center.agentCount > 0 || center.decisions.promptCount > 0
      || subscriptions.count > 0 || !center.calls.isEmpty || !center.answers.isEmpty
      || !center.decisions.untold.isEmpty
  }
}
