import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumClient

@Suite struct ConnectionTests {
  @Test("nobody there: what, where and what to do")
  func notRunning() throws {
    let scratch = try TemporaryDirectory()
    let error = #expect(throws: AlbumError.self) { try AlbumConnection(socket: scratch.path + "/s") }
    #expect(error?.code == .notRunning)
    #expect(error?.message == "albumd is not running: there is no socket at \(scratch.path)/s.")
    #expect(error?.advice.isEmpty == false)
  }

  @Test("a path that is too long is told of the call that could not take it")
  func longPath() {
    let path = "/" + String(repeating: "s", count: 200)
    let error = #expect(throws: SystemError.self) { _ = try UnixSocket.connect(to: path).number }
    #expect(error?.call == "connect" && error?.code == ENAMETOOLONG)
  }

  @Test("a page that moved under the cursor does not make a result seem whole that its limit cuts off")
  func movedPage() throws {
    let scratch = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: scratch.path + "/s")
    let connection = try AlbumConnection(socket: scratch.path + "/s")
    let peer = try #require(try accepted(from: listener))
    for (ids, cursor) in [(["a", "b"], "1"), (["b"], "2"), (["c"], "3")] {
      let assets = ids.map { id in
        #"{"id":"\#(id)","filename":"\#(id)","albums":[],"mediaType":"image","byteCount":1,"#
          + #""created":"2026-01-01T00:00:00Z","modified":"2026-01-01T00:00:00Z","resources":["photo"],"#
          + #""offline":false}"#
      }
      let reply =
        #"{"parameters":{"assets":[\#(assets.joined(separator: ","))],"total":9,"token":"t","#
        + #""cursor":"\#(cursor)"}}"# + "\0"
      #expect(write(peer.number, reply, reply.utf8.count) == reply.utf8.count)
    }
    let result = try AssetFetch(FetchOptions(fetchLimit: 3)).fetch(on: connection)
    #expect(Set(result.map(\.id)) == ["a", "b", "c"] && result.isFull)
  }

  @Test("a socket that its daemon left behind is told from none")
  func stale() throws {
    let scratch = try TemporaryDirectory()
    do { _ = try UnixSocket.listen(at: scratch.path + "/s") }
    let error = #expect(throws: AlbumError.self) { try AlbumConnection(socket: scratch.path + "/s") }
    #expect(error?.code == .notRunning)
    #expect(error?.message.contains("left its socket") == true)
  }

  @Test("what no interface foresees is told in the daemon's words, not in those of the wire")
  func systemFailure() {
    let error = AlbumError(
      remote: .init(
        name: "io.systemd.System",
        parameters: ["origin": "linux", "errno": 13, "message": "Trip: Permission denied"]),
      place: "AddAssets")
    #expect(error.code == .unknown && error.message == "albumd failed: Trip: Permission denied.")
  }

  @Test("a daemon that hangs up is a lost connection")
  func hangUp() throws {
    let scratch = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: scratch.path + "/s")
    let connection = try AlbumConnection(socket: scratch.path + "/s")
    do { _ = try UnixSocket.accept(from: listener.number) }
    let error = #expect(throws: AlbumError.self) { try connection.whoAmI() }
    #expect(error?.code == .connectionLost)
  }

  @Test("what answers in another language is not albumd")
  func foreign() throws {
    let scratch = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: scratch.path + "/s")
    let connection = try AlbumConnection(socket: scratch.path + "/s")
    let peer = try #require(try accepted(from: listener))
    #expect(write(peer.number, "HTTP/1.1 400\0", 13) == 13)
    let error = #expect(throws: AlbumError.self) { try connection.info() }
    #expect(error?.code == .protocolViolation)
  }

  @Test("a reply that lacks a field names it")
  func wrongShape() throws {
    let scratch = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: scratch.path + "/s")
    let connection = try AlbumConnection(socket: scratch.path + "/s")
    let peer = try #require(try accepted(from: listener))
    let reply = #"{"parameters":{"status":"maybe"}}"# + "\0"
    #expect(write(peer.number, reply, reply.utf8.count) == reply.utf8.count)
    let error = #expect(throws: AlbumError.self) { try connection.status(of: .addOnly) }
    #expect(error?.code == .protocolViolation)
    #expect(error?.message.contains("status") == true)
  }

  @Test("a socket's arrival is noticed, also in a directory that is not there yet")
  func arrival() throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.path + "/sub/s"
    let arrival = try SocketArrival(path: path)
    #expect(!isReadable(arrival.descriptor))
    #expect(mkdir(scratch.path + "/sub", 0o755) == 0)
    #expect(isReadable(arrival.descriptor))
    arrival.acknowledge()
    #expect(!isReadable(arrival.descriptor))
    let listener = try UnixSocket.listen(at: path)
    #expect(isReadable(arrival.descriptor))
    _ = try AlbumConnection(socket: path)
    _ = listener.number
  }

  @Test("this process has no descriptor left: that is told from a daemon that is not there")
  func exhausted() {
    #expect(AlbumError(connecting: SystemError("socket", code: EMFILE), to: "/s").code == .outOfResources)
    #expect(AlbumError(connecting: SystemError("connect", code: ENOENT), to: "/s").code == .notRunning)
    #expect(AlbumError(opening: SystemError("open", code: ENFILE)).code == .outOfResources)
    #expect(AlbumError(opening: SystemError("open", code: ENOENT)).code == .invalidFileDescriptor)
    #expect(AlbumError(noFileWith: "OpenAsset").code == .protocolViolation)
    let lost = AlbumError(ConnectionError.descriptorsLost, place: "OpenAsset")
    #expect(lost.code == .outOfResources)
  }

  @Test("S31: what a lost connection told of before is there")
  func lostWhileSaving() throws {
    let scratch = try TemporaryDirectory()
    let listener = try UnixSocket.listen(at: scratch.path + "/s")
    let connection = try AlbumConnection(socket: scratch.path + "/s")
    let peer = try #require(try accepted(from: listener))
    let reply =
      #"{"parameters":{"ids":["1"],"failures":[{"item":1,"error":"io.albumd.Library.NotMedia","message":"no"}],"#
      + #""completed":2},"continues":true}"# + "\0"
    #expect(write(peer.number, reply, reply.utf8.count) == reply.utf8.count)
    #expect(shutdown(peer.number, CInt(SHUT_WR)) == 0)
    let results = connection.save((0..<4).map { MediaItem(.bytes([]), named: "\($0).jpg") })
    #expect(try results[0].get() == "1")
    let codes = results.map { result -> AlbumError.Code? in
      if case .failure(let error) = result { error.code } else { nil }
    }
    #expect(codes == [nil, .notMedia, .connectionLost, .connectionLost])
  }

  @Test(
    "S13: a time to wait that no clock has is told all the same", arguments: [Int.max, 7200, 119, Int.min])
  func longWait(seconds: Int) {
    let error = AlbumError(
      remote: .init(
        name: AuthorizationInterface.Throttled.name,
        parameters: ["retryAfterSeconds": .integer(Int64(seconds))]),
      place: "Request")
    #expect(error.code == .throttled && error.advice.count == 1)
  }

  @Test("a daemon that comes after its app is found, and stays the one that is asked")
  func later() throws {
    let scratch = try TemporaryDirectory()
    let (own, system) = (scratch.path + "/own", scratch.path + "/system")
    let socket = DaemonSocket(nil) { access(own, F_OK) == 0 ? own : system }
    #expect(throws: AlbumError.self) { try socket.connect() }
    #expect(socket.path == system && !socket.isKnown)
    let listener = try UnixSocket.listen(at: own)
    #expect(try socket.connect().socketPath == own)
    #expect(unlink(own) == 0)
    #expect(socket.path == own && socket.isKnown)
    _ = listener.number
  }

  private func accepted(from listener: borrowing OwnedDescriptor) throws -> PeerEnd? {
    guard let peer = try UnixSocket.accept(from: listener.number) else { return nil }
    return PeerEnd(peer.take())
  }

  private func isReadable(_ descriptor: CInt) -> Bool {
    var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 1
  }
}

/// The daemon's end of a connection.
private final class PeerEnd {
  let number: CInt
  init(_ number: CInt) { self.number = number }
  deinit { close(number) }
}
