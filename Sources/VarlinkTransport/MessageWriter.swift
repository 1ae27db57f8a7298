internal import CLinux
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

  /// Nothing to send.
  public init() {}

  /// Whether everything was sent.
  public var isEmpty: Bool { pendingBytes == 0 }

  /// Sends a message, or queues it behind those that wait.
  ///
  /// - Throws: ``Linux/SystemError``: EPIPE or ECONNRESET when the peer has gone.
  public mutating func send(
    _ message: [UInt8], descriptors: DescriptorBatch? = nil, to socket: CInt
  ) throws(SystemError) {
    var outgoing = Outgoing(bytes: message, sent: 0, descriptors: descriptors)
    if isEmpty, try Self.push(&outgoing, to: socket) { return }
    pendingBytes += message.count - outgoing.sent
    waiting.append(outgoing)
  }

  /// Queues a message for the next ``flush(to:)``.
  public mutating func queue(_ message: [UInt8], descriptors: DescriptorBatch? = nil) {
    pendingBytes += message.count
    waiting.append(Outgoing(bytes: message, sent: 0, descriptors: descriptors))
  }

  /// Sends what the peer takes now.
  public mutating func flush(to socket: CInt) throws(SystemError) {
    while head < waiting.count {
      let before = waiting[head].sent
      let isDone = try Self.push(&waiting[head], to: socket)
      pendingBytes -= waiting[head].sent - before
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
  private static func push(_ outgoing: inout Outgoing, to socket: CInt) throws(SystemError) -> Bool {
    while outgoing.sent < outgoing.bytes.count {
      let numbers = outgoing.descriptors?.numbersToSend ?? []
      let sent = outgoing.bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[outgoing.sent...])
        return numbers.isEmpty
          ? Glibc.send(socket, rest.baseAddress, rest.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
          : linux_send_descriptors(socket, rest.baseAddress, rest.count, numbers, numbers.count)
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
