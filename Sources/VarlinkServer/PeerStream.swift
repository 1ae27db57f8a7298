internal import EventLoop
internal import Linux
internal import Varlink
internal import VarlinkTransport

/// What a connection has read, what it has to send, and how far its one call is.
///
/// One value, so that whatever is asked of it is one access to the connection, which is checked while the program runs: each
/// look at a part of it would be another one.
struct PeerStream: ~Copyable {
  var session = ServerSession()
  var reader: MessageReader
  var writer: MessageWriter

  init(_ limits: VarlinkServer.Limits) {
    reader = MessageReader(limit: limits.messageBytes, descriptors: .left)
    writer = MessageWriter(mostUnread: limits.unreadDescriptors)
  }

  /// What decides what to wait for.
  struct Situation {
    /// Whether the next call may be read.
    let isIdle: Bool
    /// Whether bytes of an unfinished or unread message are held.
    let holdsBytes: Bool
    /// Bytes of memory that these take.
    let bytesOfMessages: Int
    /// Bytes that the peer has not taken yet.
    let pendingBytes: Int
    /// Whether descriptors are kept open that are not sent yet.
    let holdsDescriptors: Bool
    /// Whether what is to be sent waits until descriptors are read, or the kernel has room for some.
    let waitsForRoom: Bool
  }

  var situation: Situation {
    let (holdsBytes, pendingBytes) = (reader.holdsBytes, writer.pendingBytes)
    return Situation(
      isIdle: session.isIdle, holdsBytes: holdsBytes, bytesOfMessages: holdsBytes ? reader.heldBytes : 0,
      pendingBytes: pendingBytes, holdsDescriptors: pendingBytes > 0 && writer.holdsDescriptors,
      waitsForRoom: pendingBytes > 0 && writer.waitsForRoom)
  }

  /// What comes next.
  enum Next: ~Copyable {
    case message(ServerConnection.Message, MessageReader.Arrival)
    /// So many bytes have descriptors with them, which somebody else is to receive.
    case descriptors(byteCount: Int)
    /// Nothing, for now.
    case nothing
    /// Nothing any more.
    case endOfStream
  }

  /// The next message: of what is held, or, where that has none, of what has come.
  ///
  /// - Parameter receives: whether something may be received for it; false when it was.
  @EventLoopActor
  mutating func next(
    from socket: CInt, receives: inout Bool, _ server: VarlinkServer
  ) throws(MessageReader.Failure) -> Next {
    if reader.holdsBytes, let next = try message(server) { return next }
    guard receives else { return .nothing }
    switch try reader.fill(from: socket) {
    case .read:
      receives = false
      return try message(server) ?? .nothing
    case .descriptors(let byteCount): return .descriptors(byteCount: byteCount)
    case .wouldBlock: return .nothing
    case .endOfStream: return .endOfStream
    }
  }

  @EventLoopActor
  private mutating func message(_ server: VarlinkServer) throws(MessageReader.Failure) -> Next? {
    try reader.next { message, arrival in
      .message(ServerConnection.Message(message, &session, server), arrival)
    }
  }

  /// Sends a message, or queues it behind those that wait.
  ///
  /// - Returns: whether everything was sent.
  mutating func send(
    _ message: [UInt8], _ descriptors: DescriptorBatch?, to socket: CInt
  ) throws(SystemError) -> Bool {
    try writer.send(message, descriptors: descriptors, to: socket)
    return writer.isEmpty
  }
}
