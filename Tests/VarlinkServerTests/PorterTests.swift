import EventLoop
import Glibc
import Linux
import LoopTesting
import TestSupport
import Testing
import VarlinkTransport

@testable import VarlinkServer

@Suite("What peers send along is received, read and closed where it hangs nobody", .timeLimit(.minutes(30)))
struct PorterTests {
  init() {
    LoopThread.start()
  }

  private static let take = Peer.call("Take", #"{"fileDescriptor":0}"#)

  private func send(_ message: [UInt8], _ descriptors: [CInt], to peer: Peer) throws {
    var writer = MessageWriter()
    try writer.send(message, descriptors: DescriptorBatch(owning: descriptors), to: peer.number)
  }

  private func file(_ content: String, in directory: String = "/tmp") throws -> CInt {
    var path = Array("\(directory)/albumd-porter-XXXXXX\0".utf8CString)
    let descriptor = mkstemp(&path)
    unlink(path)
    try #require(write(descriptor, content, content.utf8.count) == content.utf8.count)
    return descriptor
  }

  @Test("a file is read by value; the daemon holds no descriptor of it")
  func look() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    try send(Self.take, [try file("content")], to: peer)
    #expect(await peer.messages(1) == [#"{"parameters":{}}"#])
    #expect(await service.taken.map { try? $0.get() } == [Array("content".utf8)])
    await service.until { service.server.porter.jobCount == 0 }
  }

  @Test(
    "what is no regular file, or not open for reading, is not read; nor what tells some more than others",
    arguments: [
      ("/dev/zero", O_RDONLY), ("/tmp", O_RDONLY), ("/proc/self/exe", LINUX_PATH),
      ("/proc/self/stat", O_RDONLY),
    ])
  func unreadable(path: String, flags: CInt) async throws {
    let service = await TestService()
    let peer = try await service.connect()
    try send(Self.take, [open(path, flags)], to: peer)
    #expect(await peer.messages(1) == [#"{"parameters":{}}"#])
    let failure = await service.taken.first.flatMap { result -> PeerFiles.Failure.Code? in
      if case .failure(let failure) = result { failure.code } else { nil }
    }
    #expect(failure == (flags == LINUX_PATH ? .unreadable : .notRegular))
  }

  @Test("calls are answered in their order, whichever of them have descriptors")
  func order() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    for number in 0..<20 {
      let echo = Peer.call("Echo", #"{"text":"\#(number)"}"#)
      #expect(peer.write(echo) == echo.count)
      try send(Self.take, [try file("\(number)")], to: peer)
    }
    let expected = (0..<20).flatMap { [#"{"parameters":{"text":"\#($0)"}}"#, #"{"parameters":{}}"#] }
    #expect(await peer.messages(40) == expected)
    #expect(await service.taken.map { try? $0.get() } == (0..<20).map { Array("\($0)".utf8) })
  }

  @Test(
    "a byte out of band is a byte as any other, and what comes with it waits for nobody", .startingNoProcess)
  @EventLoopActor
  func outOfBand() async throws {
    let service = TestService()
    let (peer, other) = (try service.connect(), try service.connect())
    let lingering = try LingeringSocket()
    try lingering.send(with: [0x78], to: peer, flags: CInt(MSG_OOB))
    #expect(peer.write(Peer.call("Echo", #"{"text":"1"}"#)) > 0)
    #expect(await peer.rest() == [])
    #expect(await other.call("Echo", #"{"text":"2"}"#) == #"{"parameters":{"text":"2"}}"#)
    lingering.end()
  }

  @Test("what was sent along and never received is closed without delaying others", .startingNoProcess)
  @EventLoopActor
  func unreceived() async throws {
    let service = TestService { $0.connectionsPerUser = 1 }
    let first = try service.connect()
    // Refused before it is read: the descriptor waits in its socket.
    let (second, far) = try Peer.pair(of: service)
    let lingering = try LingeringSocket()
    try lingering.send(with: [0x7B], to: second)
    service.server.serve(connection: far.take())
    #expect(await second.rest() == [])
    #expect(await first.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    await service.until { service.server.unclosedCount == 0 }
    lingering.end()
  }

  @Test(
    "who leaves a hundred connections with descriptors has them closed in one process, and another user in another"
  )
  @EventLoopActor
  func closingMany() async throws {
    var limits = Porter.Limits()
    // However long it takes here.
    limits.closing = .seconds(3600)
    let porter = Porter(control: try Porter.fork(), limits: limits)
    let closed = ClosedUsers()
    for number in 0..<100 {
      porter.close(try connectionWithFile(), of: 7, keeping: nil) { closed.all.append(7) }
      if number == 50 { porter.close(try connectionWithFile(), of: 8, keeping: nil) { closed.all.append(8) } }
    }
    #expect(closed.all.isEmpty && porter.unclosedCount == 101)
    var most = 0
    while closed.all.count < 101 {
      await TestService.turn()
      most = max(most, porter.jobCount)
    }
    #expect(most <= 2)
    #expect(closed.all.count { $0 == 8 } == 1)
    while porter.jobCount > 0 { await TestService.turn() }
    #expect(porter.unclosedCount == 0)
    // Once more after all had ended.
    porter.close(try connectionWithFile(), of: 7, keeping: nil) { closed.all.append(9) }
    while closed.all.last != 9 { await TestService.turn() }
  }

  @Test(
    "what the kernel has no room for is given to a process when it has: till then a connection is not closed here, where that could hang"
  )
  @EventLoopActor
  func noRoom() async throws {
    let porter = Porter(control: try Porter.fork())
    let (newJob, give) = (porter.newJob, porter.give)
    var refusals = (jobs: 0, connections: 0)
    porter.newJob = { control in
      refusals.jobs += 1
      if refusals.jobs > 2 { return newJob(control) }
      errno = ETOOMANYREFS
      return -1
    }
    porter.give = { socket, bytes, count, numbers, numberCount in
      refusals.connections += 1
      if let numbers { #expect(fcntl(numbers[0], F_GETFD) >= 0) }
      if refusals.connections > 3 { return give(socket, bytes, count, numbers, numberCount) }
      errno = ETOOMANYREFS
      return -1
    }
    let closed = ClosedUsers()
    porter.close(try connectionWithFile(), of: 7, keeping: nil) { closed.all.append(7) }
    while closed.all.isEmpty { await TestService.turn() }
    #expect(refusals == (jobs: 3, connections: 4) && porter.unclosedCount == 0)
    while porter.jobCount > 0 { await TestService.turn() }
  }

  @Test("a connection that was not given to a process which has ended is given to another")
  @EventLoopActor
  func endedBeforeGiven() async throws {
    var limits = Porter.Limits()
    limits.patience = .milliseconds(1)
    let porter = Porter(control: try Porter.fork(), limits: limits)
    let give = porter.give
    var jobs = 0
    let newJob = porter.newJob
    porter.newJob = {
      jobs += 1
      return newJob($0)
    }
    porter.give = { socket, bytes, count, numbers, numberCount in
      // The first is never given anything.
      if jobs > 1 { return give(socket, bytes, count, numbers, numberCount) }
      errno = ETOOMANYREFS
      return -1
    }
    let closed = ClosedUsers()
    porter.close(try connectionWithFile(), of: 7, keeping: nil) { closed.all.append(7) }
    while closed.all.isEmpty { await TestService.turn() }
    #expect(jobs > 1 && porter.unclosedCount == 0)
    while porter.jobCount > 0 { await TestService.turn() }
  }

  /// A connection in which a file waits that nobody has received.
  private func connectionWithFile() throws -> OwnedDescriptor {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let far = OwnedDescriptor(owning: ends[1])
    var writer = MessageWriter()
    try writer.send([0], descriptors: DescriptorBatch(owning: [try file("")]), to: far.number)
    return OwnedDescriptor(owning: ends[0])
  }

  @Test("a user has so many jobs: who holds them keeps the own calls with descriptors waiting, and no others")
  func jobs() async throws {
    var limits = Porter.Limits()
    limits.jobsPerUser = 2
    let service = await TestService(porterLimits: limits)
    let holding = try await (service.connect(), service.connect())
    // The beginning of a call, and never the rest.
    for peer in [holding.0, holding.1] { try send([0x7B], [try file("")], to: peer) }
    await service.until { service.server.porter.jobCount == 2 }
    let peer = try await service.connect()
    try send(Self.take, [try file("content")], to: peer)
    let other = try await service.connect()
    #expect(await other.call("Echo", #"{"text":"1"}"#) == #"{"parameters":{"text":"1"}}"#)
    #expect(await service.taken.isEmpty)
    #expect(await service.server.porter.jobCount == 2)
    holding.0.close()
    #expect(await peer.messages(1) == [#"{"parameters":{}}"#])
  }

  @Test("the rest of a call with descriptors comes in time, or its connection ends")
  func halfCall() async throws {
    let service = await TestService { $0.patience = .milliseconds(20) }
    let peer = try await service.connect()
    try send([0x7B], [try file("")], to: peer)
    #expect(await peer.rest() == [])
    #expect(await service.refusals == ["the rest of a message with descriptors does not come"])
    await service.until { service.server.porter.jobCount == 0 }
  }

  @Test("more descriptors than a message can have are refused")
  func tooMany() async throws {
    let service = await TestService()
    let peer = try await service.connect()
    try send([0x7B], try (0..<200).map { _ in try file("") }, to: peer)
    try send([0x7B], try (0..<200).map { _ in try file("") }, to: peer)
    #expect(await peer.rest() == [])
    #expect(await service.refusals == ["too many descriptors with one message"])
  }

  @Test("S30: a copy is whole, and no larger than the limit")
  @EventLoopActor
  func copy() async throws {
    let porter = Porter(control: try Porter.fork())
    let content = String(repeating: "0123456789", count: 1 << 20)
    let files = try await porter.files([try file(content)])
    let target = try file("")
    #expect(try await files.copy(0, to: target, limit: 10 << 20) == 10 << 20)
    var bytes = [UInt8](repeating: 0, count: 11 << 20)
    #expect(pread(target, &bytes, bytes.count, 0) == 10 << 20)
    #expect(bytes[..<(10 << 20)].elementsEqual(content.utf8))
    await #expect(throws: PeerFiles.Failure.self) { try await files.copy(0, to: target, limit: 10 << 20 - 1) }
    await #expect(throws: PeerFiles.Failure.self) { try await files.copy(1, to: target, limit: 1) }
    files.end()
    close(target)
  }

  @Test("a copy that is not wanted any more ends after a step, and the next is whole")
  @EventLoopActor
  func stopped() async throws {
    let porter = Porter(control: try Porter.fork())
    // Two file systems, so that it is not cloned at once.
    let long = try file("", in: "/dev/shm")
    // It would take for ever.
    try #require(ftruncate(long, 1 << 40) == 0)
    let files = try await porter.files([long, try file("content")])
    let target = try file("")
    var told: [Int64] = []
    let failure = await #expect(throws: PeerFiles.Failure.self) {
      try await files.copy(0, to: target, limit: 1 << 40) { count in
        told.append(count)
        return told.count < 2
      }
    }
    #expect(failure?.code == .stopped)
    #expect(told.count >= 2 && told[0] >= PeerFiles.stepBytes && told[0] < told[1])
    // It was told once: nothing is left that would stop the next.
    let next = try file("")
    _ = try? await files.copy(1, to: next, limit: 100) { _ in false }
    #expect(try await files.copy(1, to: next, limit: 100) == 7)
    files.end()
    close(target)
    close(next)
  }

  @Test(
    "who copies a file that does not answer at its end writes nothing when it does after all: nobody wants it any more",
    .enabled(if: HangingFileSystem.isPossible, "mounting a file system in user space is not permitted"))
  @EventLoopActor
  func wokenUp() async throws {
    let directory = try TemporaryDirectory()
    let slow = try HangingFileSystem(at: directory.path, ["long.jpg"])
    slow.keepReads(from: UInt64(HangingFileSystem.longLength - (256 << 10)))
    let porter = Porter(control: try Porter.fork())
    let source = open("\(directory.path)/long.jpg", O_RDONLY | O_CLOEXEC)
    let files = try await porter.files([source])
    let target = try file("")
    let failed = Failed()
    let copying = Task.onLoop {
      do throws(PeerFiles.Failure) { _ = try await files.copy(0, to: target, limit: 1 << 30) } catch {
        failed.code = error.code
      }
    }
    await Task.detached(executorPreference: ThreadPerJob()) { slow.awaitKeptRead() }.value
    var facts = stat()
    #expect(fstat(target, &facts) == 0 && facts.st_size > 0)
    files.end()
    await copying.value
    #expect(failed.code == .unreadable)
    try #require(ftruncate(target, 0) == 0)
    slow.answer()
    while porter.jobCount > 0 { await TestService.turn() }
    #expect(fstat(target, &facts) == 0 && facts.st_size == 0)
    close(target)
  }
}

/// Why a copy failed.
@EventLoopActor
private final class Failed {
  var code: PeerFiles.Failure.Code?
}

/// Whose connections were closed, in their order.
@EventLoopActor
private final class ClosedUsers {
  var all: [UInt32] = []
}

/// O_PATH of open(2), which needs _GNU_SOURCE.
private let LINUX_PATH: CInt = 0o10000000

extension Porter {
  /// Has files received as those of a call are. They belong to the porter then.
  @EventLoopActor
  func files(_ descriptors: [CInt]) async throws -> PeerFiles {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
    let near = OwnedDescriptor(owning: ends[0])
    let far = OwnedDescriptor(owning: ends[1])
    var writer = MessageWriter()
    try writer.send([0], descriptors: DescriptorBatch(owning: descriptors), to: near.number)
    let given: PorterJob? = await withCheckedContinuation { done in job(of: 0) { done.resume(returning: $0) }
    }
    let received = try #require(given)
    let answer: PorterJob.Answer = await withCheckedContinuation { done in
      received.ask(Int(1), count: 1, with: far.number) { done.resume(returning: $0) }
    }
    try #require(answer.error == 0)
    return PeerFiles(received, count: Int(answer.count))
  }
}
