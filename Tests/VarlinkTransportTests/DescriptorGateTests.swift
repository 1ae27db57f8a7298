import Glibc
import Linux
import Testing
import TestSupport

@testable import VarlinkTransport

@Suite("Descriptors that a peer has not read hold others back")
struct DescriptorGateTests {
  @Test("there is room for so many, and for any number alone")
  func room() {
    var unread = UnreadDescriptors(most: 3)
    #expect(unread.hasRoom(for: 253))
    #expect(!unread.isFull(with: 2) && unread.isFull(with: 3))
    unread.sent(bytes: 100, descriptors: 2)
    #expect(unread.hasRoom(for: 1) && !unread.hasRoom(for: 2))
    #expect(!unread.isFull(with: 0) && unread.isFull(with: 1))
    unread.sent(bytes: 100, descriptors: 1)
    #expect(unread.count == 3 && !unread.hasRoom(for: 1))
    unread.peerHolds(0)
    #expect(unread.count == 0 && unread.hasRoom(for: 253))
  }

  @Test("they are read when less is unread than came after them")
  func bytesSince() {
    var unread = UnreadDescriptors(most: 1)
    unread.sent(bytes: 5000, descriptors: 1)
    unread.peerHolds(768)
    #expect(unread.count == 1)
    unread.sent(bytes: 1000, descriptors: 0)
    unread.sent(bytes: 1000, descriptors: 0)
    unread.peerHolds(2001)
    #expect(unread.count == 1)
    unread.peerHolds(2000)
    #expect(unread.count == 0)
    unread.sent(bytes: 10, descriptors: 1)
    unread.peerHolds(2000)
    #expect(unread.count == 1, "what came after those before it says nothing")
  }

  @Test("a message waits until those before it are read, and what comes after it as well; nothing is lost")
  func waiting() throws {
    let pair = try Pair()
    var writer = MessageWriter(mostUnread: 2)
    for text in ["1", "2", "3"] { try send(text, &writer, to: pair.near.number) }
    try writer.send(Array("rest".utf8), to: pair.near.number)
    #expect(State(writer) == State(waitsForRoom: true, holdsDescriptors: true, pendingBytes: 5))
    #expect(read(pair.far.number) == "1")
    try writer.flush(to: pair.near.number)
    #expect(State(writer) == State(waitsForRoom: true, holdsDescriptors: true, pendingBytes: 5))
    #expect(read(pair.far.number) == "2")
    try writer.flush(to: pair.near.number)
    #expect(State(writer) == State())
    #expect(read(pair.far.number) == "3" && read(pair.far.number) == "rest")
  }

  @Test("what the kernel has no room for waits where that is counted, and is an error elsewhere")
  func tooMany() throws {
    let pair = try Pair()
    var writer = MessageWriter(mostUnread: 2)
    let give = writer.gate.give
    writer.gate.give = { _, _, _, _, _ in
      errno = ETOOMANYREFS
      return -1
    }
    try send("1", &writer, to: pair.near.number)
    try writer.flush(to: pair.near.number)
    #expect(State(writer) == State(waitsForRoom: true, holdsDescriptors: true, pendingBytes: 1))
    var other = MessageWriter()
    other.gate.give = writer.gate.give
    do {
      try send("1", &other, to: pair.near.number)
      Issue.record("it was sent")
    } catch let error as SystemError { #expect(error.code == ETOOMANYREFS) }
    writer.gate.give = give
    try writer.flush(to: pair.near.number)
    #expect(State(writer) == State())
    #expect(read(pair.far.number) == "1")
  }

  private struct State: Equatable {
    var waitsForRoom = false
    var holdsDescriptors = false
    var pendingBytes = 0

    init(waitsForRoom: Bool = false, holdsDescriptors: Bool = false, pendingBytes: Int = 0) {
      self.waitsForRoom = waitsForRoom
      self.holdsDescriptors = holdsDescriptors
      self.pendingBytes = pendingBytes
    }

    init(_ writer: borrowing MessageWriter) {
      self.init(
        waitsForRoom: writer.waitsForRoom, holdsDescriptors: writer.holdsDescriptors,
        pendingBytes: writer.pendingBytes)
    }
  }

  private func send(_ text: String, _ writer: inout MessageWriter, to socket: CInt) throws {
    let batch = DescriptorBatch()
    _ = batch.append(try OwnedDescriptor(dup(socket), call: "dup"))
    try writer.send(Array(text.utf8), descriptors: batch, to: socket)
  }

  /// One message; what came with it is closed.
  private func read(_ socket: CInt) -> String {
    var buffer = [UInt8](repeating: 0, count: 100)
    let count = recv(socket, &buffer, buffer.count, CInt(MSG_DONTWAIT))
    return String(decoding: buffer.prefix(max(0, count)), as: UTF8.self)
  }
}
