import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("A machine that has no more (R2)", .blocking)
struct ResourceFaultTests {
  @Test("without descriptors nobody new is served, those who are go on, and it is over when there are some")
  func descriptors() throws {
    let host = try Host {
      try $0.add("a.jpg")
      try $0.describe(.map)
    }
    try host.set(.map, .authorized, location: true)
    let app = try host.app(.map).connect()
    #expect(try app.asset("a.jpg").filename == "a.jpg")
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    // Those that it has stay; no other has so low a number, whichever of them it gives up meanwhile.
    try host.daemon.limitDescriptors(3)
    let late = try host.connect()
    try late.send("org.varlink.service.GetInfo")
    for _ in 0..<20 { try owner.roundTrip() }
    let error = try failure { _ = try owner.open(id) }
    #expect(error.description.contains("many open files"), "\(error)")
    let told = try failure { _ = try app.open(id) }
    #expect(told.description.contains("many open files"), "\(told)")
    #expect(!told.description.contains(host.library.photos), "where a root is, is for owners")
    #expect(late.isQuiet)
    try host.daemon.limitDescriptors(1024)
    #expect(try owner.content(of: id) == Photo.jpeg())
    #expect(try late.receive().reply.error == nil)
  }

  @Test(
    "without threads nobody new is known, those who are go on, and it is over when there are some",
    .enabled(if: isRoot, needsRoot))
  func threads() throws {
    let library = try TemporaryLibrary()
    // A user without other processes: RLIMIT_NPROC counts a user's, and root's not at all (getrlimit(2)).
    let host = try Host(library, daemonUser: "games") {
      try $0.add("a.jpg")
      try $0.describe(.map)
    }
    // Who is not let know the place waits for a copy, which takes a thread.
    try host.set(.map, .authorized, location: true)
    let app = try host.app(.map)
    let known = try app.connect()
    let id = try known.asset("a.jpg").id
    try host.daemon.limit("nproc", 1)
    #expect(try known.assets().map(\.id) == [id])
    let refused = try failure { _ = try app.connect().status() }
    #expect(refused.name == AuthorizationInterface.UnidentifiedPeer.name)
    #expect(refused.description.contains("thread"), "\(refused)")
    #expect(try known.content(of: id) == Photo.jpeg())
    try host.daemon.limit("nproc", 4096)
    #expect(try app.connect().status() == .authorized)
    try host.set(.map, .denied)
    #expect(try known.status() == .denied)
  }

  @Test(
    "a user who makes it hold as much as it can is refused before memory runs out, and others are served on",
    .enabled(if: isRoot && MemoryGroup.isPossible, "no control group can be made that limits memory"))
  func memoryLimit() throws {
    let host = try Host { try $0.add("a.jpg") }
    let group = try MemoryGroup(limit: 128 << 20)
    try group.add(host.daemon.pid)
    let nobody = try #require(getpwnam("nobody")).pointee.pw_uid
    let other = try host.app(uid: nobody).connect()
    let status = #"{"method":"io.albumd.Authorization.GetStatus","parameters":{"accessLevel":"readWrite"}}"#
    let values =
      #"{"method":"org.varlink.service.GetInfo","parameters":{"x":[1\#(String(repeating: ",1", count: 90_000))]}}"#
    // The beginning of a call and never its end; replies that nobody reads; long calls, one after the other.
    let floods = [
      [UInt8](repeating: 0x20, count: 1 << 19),
      Array(repeating: Array(status.utf8) + [0], count: 1000).flatMap { $0 },
      Array(values.utf8) + [0],
    ]
    var flooding: [Flooding] = []
    let deadline = Deadline(seconds: 600)
    var round = 0
    // Until somebody was refused, and on for a while.
    while round < 60 || !host.daemon.log.contains("bytes") {
      round += 1
      try #require(!deadline.hasPassed, "nobody was refused: \(host.daemon.log)")
      for number in 0..<120 {
        if flooding.count <= number {
          flooding.append(try Flooding(host.library.socket, floods[number % floods.count]))
        } else if !flooding[number].goOn() {
          flooding[number] = try Flooding(host.library.socket, floods[number % floods.count])
        }
      }
      let answer = Result { try other.status() }
      try #require((try? answer.get()) == .notDetermined, "round \(round): \(answer)\n\(host.daemon.log)")
    }
    #expect(host.daemon.residentKilobytes < 128 << 10)
    #expect(try group.killed == 0)
    flooding = []
    // What they held is free when the daemon has heard that they left.
    while (try? host.connect().roundTrip()) == nil { try #require(!deadline.hasPassed, "\(host.daemon.log)") }
  }

  /// A connection on which as much is sent as it takes, and nothing read.
  private final class Flooding {
    private let socket: OwnedDescriptor
    private let bytes: [UInt8]
    private var sent = 0

    init(_ path: String, _ bytes: [UInt8]) throws {
      socket = try UnixSocket.connect(to: path)
      try socket.makeNonBlocking()
      self.bytes = bytes
    }

    /// - Returns: false when it was closed.
    func goOn() -> Bool {
      while true {
        let count = bytes[sent...].withUnsafeBytes {
          send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
        if count < 0 { return errno == EAGAIN }
        sent = (sent + count) % bytes.count
      }
    }
  }

  @Test("a file that may not grow is an error of who needs it to, and ends nobody else's service")
  func fileSize() throws {
    let host = try Host { try $0.add("a.jpg") }
    let owner = try host.owner()
    let id = try owner.asset("a.jpg").id
    try host.daemon.limit("fsize", 1)
    // Whether it is done is not said here: what it writes may have room in what is there.
    _ = Result { try owner.call(LibraryInterface.CreateAlbum.self, .init(title: "A")) }
    #expect(try owner.content(of: id) == Photo.jpeg())
    #expect(try host.app().connect().status() == .notDetermined)
    try host.daemon.limit("fsize", 1 << 40)
    #expect(host.daemon.isRunning)
  }

  @Test("without memory it may end; what was acknowledged is there at its next start")
  func memory() throws {
    let host = try Host { library in
      for number in 0..<20 { try library.add("\(number).jpg") }
    }
    try host.set(.wallpapers, .authorized)
    let owner = try host.owner()
    let ids = try owner.assets().map(\.id)
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: Array(ids.prefix(5))))
    try host.daemon.limit("as", host.daemon.addressSpace + 4 << 20)
    // Whatever makes it need memory: a message of a mebibyte from each of many, until it has none, or has served all.
    let text =
      "{\"method\":\"org.varlink.service.GetInfo\",\"parameters\":{\"x\":[\(String(repeating: "1,", count: 90_000))1]}}"
    for _ in 0..<40 {
      guard let connection = try? host.connect() else { break }
      try? connection.sendBytes(Array(text.utf8) + [0])
      _ = try? connection.receive()
    }
    if host.daemon.isRunning { try host.daemon.kill() } else { try host.daemon.ended() }
    try host.daemon.start()
    #expect(try host.app().connect().status() == .authorized)
    #expect(try Set(host.owner().assets().map(\.id)) == Set(ids.dropFirst(5)))
    let deleted = try host.connect().call(ManagerInterface.ListDeleted.self, .init()).assets
    #expect(Set(deleted.map(\.id)) == Set(ids.prefix(5)))
  }
}
