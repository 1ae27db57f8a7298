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
