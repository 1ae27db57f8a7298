import Glibc
import Linux
import Testing
import TestSupport
import VarlinkTransport

/// Two connected sockets.
struct Pair: ~Copyable {
  let near: OwnedDescriptor
  let far: OwnedDescriptor

  init() throws {
    var numbers: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &numbers) == 0)
    near = OwnedDescriptor(owning: numbers[0])
    far = OwnedDescriptor(owning: numbers[1])
  }
}

/// A descriptor that can be told from others: a nameless file of that size.
func marked(_ size: Int) throws -> OwnedDescriptor {
  var path = Array("/tmp/albumd-mark-XXXXXX\0".utf8CString)
  let descriptor = try OwnedDescriptor(mkstemp(&path), call: "mkstemp")
  unlink(path)
  let result = ftruncate(descriptor.number, size)
  try #require(result == 0)
  return descriptor
}

func mark(of descriptor: borrowing OwnedDescriptor) -> Int {
  var status = stat()
  return fstat(descriptor.number, &status) == 0 ? Int(status.st_size) : -1
}

@Suite("Messages and their descriptors", .serialized)
struct MessageReaderTests {
  /// What arrives: each message's text and the marks of its descriptors.
  private func readAll(_ reader: inout MessageReader, from socket: CInt) throws -> [(String, [Int])] {
    var found: [(String, [Int])] = []
    while true {
      let next = try reader.next { bytes, arrival in
        let batch = arrival.descriptors ?? DescriptorBatch()
        let marks = (0..<batch.count).map { index -> Int in
          guard let taken = batch.take(index) else { return -1 }
          return mark(of: taken)
        }
        return (String(decoding: bytes, as: UTF8.self), marks)
      }
      if let next {
        found.append(next)
      } else if try reader.fill(from: socket) != .read {
        return found
      }
    }
  }

  @Test("a descriptor belongs to its message, also when calls are pipelined")
  func attribution() throws {
    let pair = try Pair()
    var writer = MessageWriter()
    let batches: [[Int]] = [[], [11], [], [], [22, 33], [], [44]]
    for (index, marks) in batches.enumerated() {
      let batch = DescriptorBatch()
      for mark in marks { _ = batch.append(try marked(mark)) }
      try writer.send(
        Array("m\(index)\0".utf8), descriptors: marks.isEmpty ? nil : batch, to: pair.near.number)
    }
    var reader = MessageReader(limit: 1000, descriptors: .received)
    let found = try readAll(&reader, from: pair.far.number)
    #expect(found.map(\.0) == (0..<batches.count).map { "m\($0)" })
    #expect(found.map(\.1) == batches)
  }

  @Test("of several messages in one send, the first byte's message has the descriptors")
  func mergedSend() throws {
    let pair = try Pair()
    let batch = DescriptorBatch()
    _ = batch.append(try marked(5))
    var writer = MessageWriter()
    try writer.send(Array("a\0b\0c".utf8), descriptors: batch, to: pair.near.number)
    try writer.send(Array("d\0".utf8), to: pair.near.number)
    var reader = MessageReader(limit: 1000, descriptors: .received)
    let found = try readAll(&reader, from: pair.far.number)
    #expect(found.map(\.0) == ["a", "b", "cd"])
    #expect(found.map(\.1) == [[5], [], []])
  }

  @Test("bytes may come in any pieces")
  func pieces() throws {
    let messages = (0..<200).map { String(repeating: "x", count: $0 * 7) }
    let bytes: [UInt8] = messages.reduce(into: []) { $0 += Array($1.utf8) + [0] }
    for size in [1, 3, 64, 1000, 1023, 1024, 1025, 5000] {
      let pair = try Pair()
      var reader = MessageReader(limit: 10_000, descriptors: .received)
      var found: [String] = []
      for start in stride(from: 0, to: bytes.count, by: size) {
        let piece = Array(bytes[start..<min(start + size, bytes.count)])
        try #require(send(pair.near.number, piece, piece.count, 0) == piece.count)
        found += try readAll(&reader, from: pair.far.number).map(\.0)
      }
      #expect(found == messages)
    }
  }

  @Test(
    "a message of any length has its descriptors, and so have short ones after a long one",
    arguments: [1022, 1023, 1024, 30_000])
  func lengths(_ length: Int) throws {
    let pair = try Pair()
    var reader = MessageReader(limit: 100_000, descriptors: .received)
    for (length, size) in [(length, 1), (5, 2), (5, 3)] {
      let batch = DescriptorBatch()
      _ = batch.append(try marked(size))
      var writer = MessageWriter()
      try writer.send([UInt8](repeating: 0x61, count: length) + [0], descriptors: batch, to: pair.near.number)
      let found = try readAll(&reader, from: pair.far.number)
      #expect(found.map(\.0.utf8.count) == [length])
      #expect(found.map(\.1) == [[size]])
    }
  }

  @Test("a message without an end is refused at the limit")
  func limit() throws {
    let pair = try Pair()
    let bytes = [UInt8](repeating: 0x20, count: 600)
    var reader = MessageReader(limit: 1000, descriptors: .received)
    try #require(send(pair.near.number, bytes, bytes.count, 0) == bytes.count)
    #expect(try readAll(&reader, from: pair.far.number).isEmpty)
    try #require(send(pair.near.number, bytes, bytes.count, 0) == bytes.count)
    #expect(throws: MessageReader.Failure.messageTooLong(limit: 1000)) {
      try readAll(&reader, from: pair.far.number)
    }
  }

  @Test("descriptors that nobody takes are closed")
  func noLeak() throws {
    let before = openDescriptors()
    do {
      let pair = try Pair()
      var reader = MessageReader(limit: 1000, descriptors: .received)
      var writer = MessageWriter()
      for _ in 0..<50 {
        let batch = DescriptorBatch()
        for _ in 0..<3 { _ = batch.append(try marked(1)) }
        try writer.send(Array("m\0".utf8), descriptors: batch, to: pair.near.number)
        _ = try reader.fill(from: pair.far.number)
        _ = try reader.next { _, arrival in arrival.descriptors?.take(1) != nil }
      }
      // One more that is received and never read.
      let batch = DescriptorBatch()
      _ = batch.append(try marked(1))
      try writer.send(Array("half".utf8), descriptors: batch, to: pair.near.number)
      _ = try reader.fill(from: pair.far.number)
    }
    #expect(openDescriptors() == before)
  }

  /// Counts what this test can leak: the marked files.
  private func openDescriptors() -> Int {
    entries(of: "/proc/self/fd").count { name in
      var target = [CChar](repeating: 0, count: 256)
      let length = readlink("/proc/self/fd/\(name)", &target, 255)
      return String(decoding: target[..<max(0, length)].map(UInt8.init(bitPattern:)), as: UTF8.self)
        .contains("albumd-mark")
    }
  }

  @Test("a message of whose descriptors the kernel dropped some is not taken for whole")
  func truncated() throws {
    let pair = try Pair()
    // SO_PASSPIDFD (Linux 6.5): one more descriptor than there is room for.
    var isOn: CInt = 1
    let size = socklen_t(MemoryLayout<CInt>.size)
    guard setsockopt(pair.far.number, SOL_SOCKET, 76, &isOn, size) == 0 else { return }
    try UnixSocket.tellSenders(pair.far.number)
    let batch = DescriptorBatch()
    for _ in 0..<253 { _ = batch.append(try marked(1)) }
    var writer = MessageWriter()
    try writer.send(Array("m\0".utf8), descriptors: batch, to: pair.near.number)
    var reader = MessageReader(limit: 1000, descriptors: .received)
    #expect(throws: MessageReader.Failure.descriptorsLost) { try readAll(&reader, from: pair.far.number) }
  }

  @Test("a writer keeps what a slow reader does not take, in order, descriptors included")
  func slowReader() throws {
    let pair = try Pair()
    var writer = MessageWriter()
    let body = [UInt8](repeating: 0x61, count: 50_000) + [0]
    for index in 0..<40 {
      let batch = DescriptorBatch()
      _ = batch.append(try marked(index))
      try writer.send(body, descriptors: batch, to: pair.near.number)
    }
    #expect(writer.pendingBytes > 0)
    var reader = MessageReader(limit: 100_000, descriptors: .received)
    var marks: [[Int]] = []
    while marks.count < 40 {
      marks += try readAll(&reader, from: pair.far.number).map(\.1)
      try writer.flush(to: pair.near.number)
    }
    #expect(marks == (0..<40).map { [$0] })
    #expect(writer.isEmpty && writer.pendingBytes == 0)
  }

  @Test("a reader that is never quite done costs what it has not read, not all that it ever read")
  func neverDone() throws {
    let pair = try Pair()
    var writer = MessageWriter()
    var scratch = [UInt8](repeating: 0, count: 1 << 20)
    let before = try residentBytes()
    // 512 MB go through; at every moment less than 1 MB waits, but never nothing.
    for index in 0..<8192 {
      let message = [UInt8](repeating: UInt8(index & 0x7F), count: 65536)
      try writer.send(message, to: pair.near.number)
      while writer.pendingBytes > 400_000 {
        _ = recv(pair.far.number, &scratch, 65536, 0)
        try writer.flush(to: pair.near.number)
      }
    }
    #expect(writer.pendingBytes > 0)
    // The other tests of this process have their share of it: far less than all that was sent.
    #expect(try residentBytes() - before < 256 << 20)
  }

  private func residentBytes() throws -> Int {
    let file = try OwnedDescriptor(open("/proc/self/statm", O_RDONLY | O_CLOEXEC), call: "open")
    var text = [UInt8](repeating: 0, count: 128)
    let count = read(file.number, &text, text.count)
    let fields = String(decoding: text[..<max(count, 0)], as: UTF8.self).split(separator: " ")
    return try #require(fields.dropFirst().first.flatMap { Int($0) }) * Int(getpagesize())
  }
}
