import EventLoop
import Glibc
import Linux
import LoopTesting
import Testing
import VarlinkServer

@testable import AlbumDaemon

/// One connection, and what came over it.
final class TrafficPeer {
  private let socket: OwnedDescriptor
  private var received: [UInt8] = []
  /// Whether it was shown anything.
  private(set) var isAgent = false
  /// What it was shown and has not answered, where it is an agent.
  var prompts: [String] = []
  /// Where it is a monitor: the status that it was told last, by level.
  private(set) var told: [String: String] = [:]
  /// What it was told that has asked for a status.
  var statuses: [String] = []

  init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

  func send(_ method: String, _ parameters: String, wantsMore: Bool = false) {
    let more = wantsMore ? #","more":true"# : ""
    let message =
      Array(#"{"method":"io.albumd.\#(method)","parameters":{\#(parameters)}\#(more)}"#.utf8) + [0]
    // One that the daemon has closed: it said why, and that was read.
    _ = Glibc.send(socket.number, message, message.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
  }

  /// The messages that came.
  func receive() -> [String] {
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = recv(socket.number, &chunk, chunk.count, CInt(MSG_DONTWAIT))
      guard count > 0 else { break }
      received += chunk[..<count]
    }
    var messages: [String] = []
    while let end = received.firstIndex(of: 0) {
      messages.append(String(decoding: received[..<end], as: UTF8.self))
      received.removeSubrange(...end)
    }
    for message in messages { take(message) }
    return messages
  }

  private func take(_ message: String) {
    if let shown = message.firstMatch(of: #/"prompt":\{"id":"([0-9a-f]{32})"/#) {
      isAgent = true
      prompts.append(String(shown.1))
    }
    guard let status = message.firstMatch(of: #/"status":"([a-zA-Z]+)"/#), !message.contains(#""error""#)
    else {
      return
    }
    if let level = message.firstMatch(of: #/"accessLevel":"([a-zA-Z]+)"/#),
      message.contains(#""continues":true"#)
    {
      told[String(level.1)] = String(status.1)
    } else {
      statuses.append(String(status.1))
    }
  }
}

extension TrafficWorld {
  private static let mostPeers = 12

  func connect() async throws {
    guard peers.count < Self.mostPeers else { return }
    var pair: [CInt] = [-1, -1]
    try #require(
      socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &pair) == 0)
    let number = pair[1]
    await EventLoopActor.run { [daemon] in
      daemon.parts.server.serve(connection: OwnedDescriptor(owning: number))
    }
    peers.append(TrafficPeer(OwnedDescriptor(owning: pair[0])))
  }

  func receive(_ peer: TrafficPeer) {
    for message in peer.receive() {
      replies += 1
      if message.contains(#""assetCount":"#) {
        for found in message.matches(of: #/"id":"([0-9a-f]{16,})"/#) { albums.insert(String(found.1)) }
      }
      guard message.contains(#""assets":["#) else { continue }
      for found in message.matches(of: #/"id":"([0-9a-f]{16,})"/#) { assets.insert(String(found.1)) }
    }
  }
}
