import CLinux
import Glibc
import Linux
import Varlink
import VarlinkTransport

/// What arrives over a socket: values, calls and replies, and the frames that they come in.
let messageFuzzers = [
  Fuzzer("json", longest: 65536) { bytes in
    guard let value = try? JSON(parsing: bytes) else { return }
    let written = Array(value.description.utf8)
    expect((try? JSON(parsing: written)) == value, "what is written is read as the same")
    expect(written.allSatisfy { $0 >= 0x20 }, "what is written has no control characters")
    expect(value.depth <= JSON.maximumDepth, "nothing is nested deeper than allowed")
    let count = value.count
    expect((try? JSON(parsing: bytes, maximumCount: count)) == value, "as many values as allowed are read")
    expect((try? JSON(parsing: bytes, maximumCount: count - 1)) == nil, "one more is refused")
    expect((try? JSON(parsing: Array(bytes) + [0x20, 0x31])) == nil, "nothing follows a value")
  },

  Fuzzer("message", longest: 16384) { bytes in
    var session = ServerSession()
    if let call = try? Call(parsing: bytes) {
      let written = call.encoded()
      expect(written.last == 0 && !written.dropLast().contains(0), "a message ends with its only NUL")
      let again = written.dropLast().withUnsafeBufferPointer { try? Call(parsing: $0) }
      expect(again == call, "what is written is read as the same call")
      expect(!(call.wantsMore && call.isOneway), "no call wants no reply and many")
      expect(session.received(bytes) == .serve(call), "a call is served")
      expect(!session.isIdle, "and no other meanwhile")
      expect(
        session.reply(continues: true) == (call.isOneway ? .drop : call.wantsMore ? .send : .sendAndFinish),
        "a reply that continues goes to who wants more")
    } else if case .serve = session.received(bytes) {
      expect(false, "what is no call is not served")
    } else {
      expect(session.reply(continues: false) == .drop, "a closed session sends nothing")
    }
    for reading in callReadings { reading(bytes) }
    if let reply = try? Reply(parsing: bytes) {
      expect(!(reply.continues && reply.error != nil), "no error continues")
    }
  },

  Fuzzer("frames", longest: 8192) { bytes in
    let before = lowestFreeDescriptor()
    exchangeFrames(bytes)
    expect(lowestFreeDescriptor() == before, "no descriptor stays open")
  },
]

extension JSON {
  fileprivate var count: Int {
    switch self {
    case .null, .bool, .integer, .float, .string: 1
    case .array(let values): values.reduce(1) { $0 + $1.count }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
    }
  }

  fileprivate var depth: Int {
    switch self {
    case .null, .bool, .integer, .float, .string: 0
    case .array(let values): 1 + (values.map(\.depth).max() ?? 0)
    case .object(let object): 1 + (object.members.map(\.value.depth).max() ?? 0)
    }
  }
}

private func lowestFreeDescriptor() -> CInt {
  let number = dup(0)
  close(number)
  return number
}

/// Files that are told from one another by their size.
private let marks: [CInt] = (1...4).map { size in
  let file = linux_memory_file()
  _ = ftruncate(file, size)
  return file
}

/// A message with the marks of its descriptors; of those that are left to somebody else, only how many.
private struct Frame: Equatable {
  var bytes: [UInt8] = []
  var marks: [Int] = []
  var count = 0
}

/// The first byte says who receives descriptors, the second how long a message may be. Then come pieces: a byte with
/// how many descriptors and whether all is read after it, one with its length, and its bytes.
private func exchangeFrames(_ bytes: UnsafeBufferPointer<UInt8>) {
  var pieces = Pieces(bytes)
  let mode: MessageReader.Descriptors = pieces.byte() & 1 == 0 ? .received : .left
  let limit = 16 + Int(pieces.byte()) * 4
  guard let (near, far) = socketPair() else { return }
  defer {
    close(near)
    close(far)
  }
  if mode == .left { try? UnixSocket.tellSenders(far) }

  var peer = FramePeer(limit: limit, mode: mode)
  var open = Frame()
  var sent: [Frame] = []
  while !pieces.isEmpty, !peer.hasFailed {
    let kind = pieces.byte()
    let piece = pieces.bytes(Int(pieces.byte()))
    guard !piece.isEmpty else { continue }
    let count = Int(kind & 7)
    let descriptors = (0..<count).map { marks[(Int(kind >> 3) + $0) % marks.count] }
    guard linux_send_descriptors(near, piece, piece.count, descriptors, count) == piece.count else { break }
    // Descriptors belong to the message of the first byte that they were sent with.
    open.count += count
    if mode == .received { open.marks += descriptors.map { (marks.firstIndex(of: $0) ?? 0) + 1 } }
    for byte in piece {
      if byte == 0 {
        sent.append(open)
        open = Frame()
      } else {
        open.bytes.append(byte)
      }
    }
    if kind & 0x80 != 0 || sent.count > 64 { peer.read(from: far) }
  }
  peer.read(from: far)

  expect(Array(sent.prefix(peer.found.count)) == peer.found, "messages arrive as they were sent")
  let next = sent.count > peer.found.count ? sent[peer.found.count] : open
  if peer.hasFailed {
    expect(
      next.bytes.count + 1 > limit || next.bytes.count >= limit || next.count > Int(LINUX_MAX_DESCRIPTORS),
      "only what is too long fails")
  } else {
    expect(peer.found.count == sent.count, "every message arrives")
    expect(next.bytes.count < limit, "what is too long fails")
  }
}

private func socketPair() -> (CInt, CInt)? {
  var numbers: [CInt] = [-1, -1]
  let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
  return socketpair(AF_UNIX, type, 0, &numbers) == 0 ? (numbers[0], numbers[1]) : nil
}

/// Reads messages, and receives the descriptors that are left as the porter does.
private struct FramePeer: ~Copyable {
  private var reader: MessageReader
  private(set) var found: [Frame] = []
  private(set) var hasFailed = false
  private var received = 0

  init(limit: Int, mode: MessageReader.Descriptors) {
    reader = MessageReader(limit: limit, descriptors: mode)
  }

  mutating func read(from socket: CInt) {
    do throws(MessageReader.Failure) { while try readOne(from: socket) {} } catch { hasFailed = true }
  }

  private mutating func readOne(from socket: CInt) throws(MessageReader.Failure) -> Bool {
    let frame = try reader.next { bytes, arrival -> Frame in
      let batch = arrival.descriptors ?? DescriptorBatch()
      let marks = (0..<batch.count).map { index -> Int in
        var status = stat()
        return fstat(batch.number(index) ?? -1, &status) == 0 ? Int(status.st_size) : -1
      }
      return Frame(bytes: Array(bytes), marks: marks, count: max(arrival.descriptorCount, batch.count))
    }
    if let frame {
      received = 0
      found.append(frame)
      return true
    }
    switch try reader.fill(from: socket) {
    case .read: return true
    case .descriptors(let byteCount):
      receive(byteCount, from: socket)
      return true
    case .wouldBlock, .endOfStream: return false
    }
  }

  private mutating func receive(_ byteCount: Int, from socket: CInt) {
    var bytes = [UInt8](repeating: 0, count: byteCount)
    var numbers = [CInt](repeating: -1, count: Int(LINUX_MAX_DESCRIPTORS))
    var taken = 0
    while taken < byteCount {
      var count = 0
      var isTruncated: CInt = 0
      let length = bytes.withUnsafeMutableBytes {
        linux_receive_descriptors(
          socket, $0.baseAddress.map { $0 + taken }, byteCount - taken, &numbers, &count, &isTruncated)
      }
      expect(length > 0, "what was announced is there")
      for number in numbers[..<count] { close(number) }
      received += count
      taken += length
    }
    expect(!bytes.dropLast().contains(0), "no more than one message is announced")
    reader.received(descriptors: received)
  }
}
