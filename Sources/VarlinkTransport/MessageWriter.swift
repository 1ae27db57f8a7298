internal import Glibc
public import Linux

/// Sends whole messages in order, as far as the peer takes them, and keeps the rest.
///
/// A message that carries descriptors is one sendmsg(2) of its own, never merged with other bytes, with
/// the descriptors on its first byte. The bytes of a message may be shared by many writers.
public struct MessageWriter: ~Copyable {
  private struct Outgoing {
    var bytes: [UInt8]
    var sent: Int
    /// Given to the kernel with the first byte, then closed.
    var descriptors: DescriptorBatch?
  }

  private var waiting: [Outgoing] = []
  private var head = 0

  /// Bytes that the peer has not taken yet.
  public private(set) var pendingBytes = 0
  /// Messages with descriptors that are not sent yet.
  private var batches = 0
  var gate: DescriptorGate

  /// Nothing to send.
  ///
  /// - Parameter mostUnread: so many descriptors that the peer has not read may be on their way; a message with more waits for
  ///   that (``waitsForRoom``), and so does one for which the kernel has no room (ETOOMANYREFS, unix(7)). nil: none waits,
  ///   and that is an error.
  public init(mostUnread: Int? = nil) {
    gate = DescriptorGate(mostUnread: mostUnread)
  }

  /// Whether descriptors are kept open that are not sent yet.
  public var holdsDescriptors: Bool { batches > 0 }

  /// Whether what is next waits until descriptors are read. Nothing tells of that: it is to be tried again (``flush(to:)``).
  public var waitsForRoom: Bool { !isEmpty && gate.isShut }

  /// The descriptors that were sent and are not known to have been read; nil where they are not counted.
  public var unread: UnreadDescriptors? { gate.unread }

  /// Whether everything was sent.
  public var isEmpty: Bool { pendingBytes == 0 }

  /// Sends a message, or queues it behind those that wait.
  ///
  /// - Throws: ``Linux/SystemError``: EPIPE or ECONNRESET when the peer has gone.
  public mutating func send(
    _ message: [UInt8], descriptors: DescriptorBatch? = nil, to socket: CInt
  ) throws(SystemError) {
    var outgoing = Outgoing(bytes: message, sent: 0, descriptors: descriptors)
    if isEmpty, try Self.push(&outgoing, to: socket, &gate) { return }
    append(outgoing)
  }

  /// Queues a message for the next ``flush(to:)``.
  public mutating func queue(_ message: [UInt8], descriptors: DescriptorBatch? = nil) {
    append(Outgoing(bytes: message, sent: 0, descriptors: descriptors))
  }

  /// Whether another message with a descriptor would wait for the peer to read, after those that are queued.
  public mutating func isFull(for socket: CInt) -> Bool { gate.isFull(with: batches, on: socket) }

  /// Whether the message that these belong to waits, and nothing of it was sent.
  public func holds(_ descriptors: DescriptorBatch) -> Bool { index(of: descriptors) != nil }

  /// Sends something else in place of the message that these belong to, which waits, and lets go of them.
  public mutating func replace(_ descriptors: DescriptorBatch, with message: [UInt8]) {
    guard let index = index(of: descriptors) else { return }
    pendingBytes += message.count - waiting[index].bytes.count
    batches -= 1
    waiting[index] = Outgoing(bytes: message, sent: 0)
  }

  private func index(of descriptors: DescriptorBatch) -> Int? {
    waiting[head...].firstIndex { $0.descriptors === descriptors }
  }

  private mutating func append(_ outgoing: Outgoing) {
    pendingBytes += outgoing.bytes.count - outgoing.sent
    if outgoing.descriptors != nil { batches += 1 }
    waiting.append(outgoing)
  }

  /// Sends what the peer takes now.
  public mutating func flush(to socket: CInt) throws(SystemError) {
    while head < waiting.count {
      let (before, hadDescriptors) = (waiting[head].sent, waiting[head].descriptors != nil)
      let isDone = try Self.push(&waiting[head], to: socket, &gate)
      pendingBytes -= waiting[head].sent - before
      if hadDescriptors, waiting[head].descriptors == nil { batches -= 1 }
      guard isDone else { return forgetSent() }
      // A peer that is never quite done would otherwise make this keep all that it ever read.
      waiting[head].bytes = []
      head += 1
    }
    waiting.removeAll(keepingCapacity: waiting.capacity <= 64)
    head = 0
  }

  /// Drops the messages that were sent once they are most of the queue.
  private mutating func forgetSent() {
    guard head > 32, head > waiting.count / 2 else { return }
    waiting.removeFirst(head)
    head = 0
  }

  /// - Returns: whether the whole message was taken.
  private static func push(
    _ outgoing: inout Outgoing, to socket: CInt, _ gate: inout DescriptorGate
  ) throws(SystemError) -> Bool {
    while outgoing.sent < outgoing.bytes.count {
      let numbers = outgoing.descriptors?.numbersToSend ?? []
      let sent = outgoing.bytes.withUnsafeBytes { bytes in
        gate.send(UnsafeRawBufferPointer(rebasing: bytes[outgoing.sent...]), numbers, to: socket)
      }
      if sent >= 0 {
        outgoing.sent += sent
        outgoing.descriptors = nil
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN: return false
      default: throw SystemError("sendmsg")
      }
    }
    return true
  }
}
