import Glibc
import Linux
import Testing
import TestSupport
import Varlink
import VarlinkTransport

/// A socket at which only a test answers, to see who comes and goes, and to say what no daemon would.
final class ScriptedDaemon {
  var path: String { directory.path + "/s" }
  private let directory: TemporaryDirectory
  private let listener: OwnedDescriptor
  private var visitors: [Visitor] = []

  /// One connection.
  final class Visitor {
    fileprivate let socket: CInt
    private var isOpen = true

    fileprivate init(_ socket: CInt) { self.socket = socket }

    deinit { hangUp() }

    /// Waits for the next call that takes an answer: its text. The library names its language without one.
    func call() throws -> String {
      while true {
        let text = try message()
        if !text.contains(#""oneway":true"#) { return text }
      }
    }

    /// Waits for the next message: its text.
    func message() throws -> String {
      var text: [UInt8] = []
      var byte: UInt8 = 0
      while true {
        try #require(isReady([socket], within: 120_000))
        let count = recv(socket, &byte, 1, 0)
        try #require(count == 1)
        if byte == 0 { return String(decoding: text, as: UTF8.self) }
        text.append(byte)
      }
    }

    /// Sends a reply.
    func reply(_ parameters: String, continues: Bool = false, descriptors: DescriptorBatch? = nil) throws {
      var writer = MessageWriter()
      let text = #"{"parameters":\#(parameters)"# + (continues ? #","continues":true}"# : "}")
      try writer.send(Array(text.utf8) + [0], descriptors: descriptors, to: socket)
      let isSent = writer.isEmpty
      try #require(isSent)
    }

    /// Answers with an error.
    func fail(_ name: String, _ parameters: String = "{}") throws {
      var writer = MessageWriter()
      let text = #"{"error":"\#(name)","parameters":\#(parameters)}"#
      try writer.send(Array(text.utf8) + [0], descriptors: nil, to: socket)
      let isSent = writer.isEmpty
      try #require(isSent)
    }

    /// A delivery of a subscription, in which these are gone.
    func deliver(_ token: String, removed: [String] = []) throws {
      let ids = removed.map { "\"\($0)\"" }.joined(separator: ",")
      try reply(
        #"{"token":"\#(token)","hasIncrementalChanges":true,"inserted":[],"removed":[\#(ids)],"#
          + #""changed":[],"moved":[]}"#, continues: true)
    }

    func hangUp() {
      if isOpen { close(socket) }
      isOpen = false
    }

    /// Waits until it has hung up itself.
    func isGone() -> Bool {
      var buffer = [UInt8](repeating: 0, count: 4096)
      repeat {
        if !isReady([socket], within: 120_000) { return false }
      } while recv(socket, &buffer, buffer.count, 0) > 0
      return true
    }
  }

  init() throws {
    directory = try TemporaryDirectory()
    listener = try UnixSocket.listen(at: directory.path + "/s")
  }

  /// Waits for one more connection.
  @discardableResult
  func accept() throws -> Visitor {
    try #require(isReady([listener.number], within: 120_000))
    let visitor = Visitor(try #require(try acceptedNumber()))
    visitors.append(visitor)
    return visitor
  }

  private func acceptedNumber() throws -> CInt? {
    guard let peer = try UnixSocket.accept(from: listener.number) else { return nil }
    return peer.take()
  }

  /// Waits for that many more connections.
  @discardableResult
  func accept(_ count: Int) throws -> [Visitor] { try (0..<count).map { _ in try accept() } }

  /// Waits for the two subscriptions of a feed, and answers each with the place where it begins.
  @discardableResult
  func acceptFeed() throws -> (assets: Visitor, albums: Visitor) {
    let feed = (assets: try accept(), albums: try accept())
    for visitor in [feed.assets, feed.albums] {
      _ = try visitor.call()
      try visitor.deliver("t0")
    }
    return feed
  }

  /// Whether anybody comes within so many milliseconds: for what must not happen.
  func hasVisitor(within milliseconds: CInt) -> Bool { isReady([listener.number], within: milliseconds) }

  /// Waits until all of them have hung up.
  func allGone() -> Bool { !visitors.isEmpty && visitors.allSatisfy { $0.isGone() } }
}

private func isReady(_ descriptors: [CInt], within milliseconds: CInt) -> Bool {
  var requests = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  return poll(&requests, nfds_t(requests.count), milliseconds) > 0
}
