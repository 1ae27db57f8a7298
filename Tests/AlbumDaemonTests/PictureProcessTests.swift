import CLinux
import EventLoop
import Glibc
import Linux
import LoopTesting
import PictureAPI
import Testing
import Varlink
import VarlinkTransport

@testable import AlbumDaemon

@Suite("A process that reads pictures, as the loop sees it", .timeLimit(.minutes(30)))
struct PictureProcessTests {
  @Test("S51: that others leave too many descriptors unread is not said of a picture")
  func noRoom() async {
    // What a user may have on their way is counted together, and a process's limit is the whole process's.
    await #expect(processExitsWith: .success) {
      // Whoever may exceed limits may exceed this one. In a user namespace that says nothing, nor need there be such a user.
      if getuid() == 0 { setuid(65534) }
      LoopThread.start()
      try await PictureProcessTests.giveWithoutRoom()
    }
  }

  @EventLoopActor
  private static func giveWithoutRoom() async throws {
    var unread: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &unread) == 0)
    let many = [CInt](repeating: STDERR_FILENO, count: 200)
    try #require(linux_send_descriptors(unread[0], "x", 1, many, many.count) == 1)
    let limit = DescriptorLimit(100)
    try #require(await give() == [true])
    // They are as good as read.
    for number in unread { close(number) }
    try #require(await give() == [])
    limit.end()
  }

  /// Gives a process something to read.
  ///
  /// - Returns: what is told of its end; nothing where it has been given that.
  @EventLoopActor
  private static func give() async throws -> [Bool] {
    var ends: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    let far = OwnedDescriptor(owning: ends[1])
    var told: [Bool] = []
    let process = PictureProcess(OwnedDescriptor(owning: ends[0]), process: nil, patience: .seconds(3600)) {
      told.append($0)
    }
    let batch = DescriptorBatch()
    let index = batch.append(try OwnedDescriptor(dup(STDERR_FILENO), call: "dup"))
    let call = try Call(PicturesInterface.Describe.self, .init(fileDescriptor: index))
    process.call(call, descriptors: batch) { _ in Issue.record("nobody has answered") }
    try #require(told.isEmpty)
    // It is given at once or never.
    var byte: UInt8 = 0
    if recv(far.number, &byte, 1, 0) == 1 { return told }
    while told.isEmpty { await Task.yield() }
    return told
  }
}
