internal import CLinux
internal import Glibc
public import Linux

/// Cuts a stream of bytes into messages at each NUL, and gives every message the descriptors that were
/// sent with it: also when calls are pipelined and one system call could return several.
///
/// The kernel lets descriptors travel with the byte they were sent on, and recvmsg(2) may return bytes
/// of earlier messages along with them. So it *looks* first: bytes without descriptors are taken
/// together; before bytes with descriptors it takes exactly one message at a time.
public struct MessageReader: ~Copyable {
  /// Why no further message can be read.
  public enum Failure: Error, Hashable, Sendable {
    /// More bytes than allowed without a NUL.
    case messageTooLong(limit: Int)
    /// More descriptors than one message can carry.
    case tooManyDescriptors
    /// The kernel dropped some of a message's descriptors, for which this process has no numbers left (MSG_CTRUNC,
    /// recvmsg(2)): nobody can tell which.
    case descriptorsLost
    /// A system call failed; ECONNRESET when the peer left bytes unread.
    case system(SystemError)
  }

  /// What ``fill(from:)`` found.
  public enum Progress: Hashable, Sendable {
    /// Something was read; there may be a message now.
    case read
    /// Nothing to read at present.
    case wouldBlock
    /// The peer writes no more.
    case endOfStream
  }

  private let limit: Int
  private var buffer: [UInt8] = []
  /// How many bytes of the buffer belong to messages handed out already.
  private var consumed = 0
  /// No NUL stands between `consumed` and here.
  private var scanned = 0
  private var hasLostDescriptors = false
  /// The descriptors of the message that begins at `consumed`, if it is the one being received.
  private var descriptors: [CInt] = []

  /// Who sent the message that was handed out last.
  public private(set) var sender = MessageSender.untold
  /// Who sent what is held of the next message, and who what was received last.
  private var senderOfNext = MessageSender.untold
  private var lastSender = MessageSender.untold
  private let tellsSenders: Bool

  /// Closes what nobody takes; `nil` for whoever drops it.
  private let closer: DescriptorCloser?

  private static let chunk = 65536

  /// - Parameters:
  ///   - limit: the most bytes a message may have, its NUL included.
  ///   - closer: closes the descriptors that nobody takes.
  ///   - tellsSenders: whether it reads from a socket with ``UnixSocket/tellSenders(of:)``.
  public init(limit: Int, closer: DescriptorCloser? = nil, tellsSenders: Bool = false) {
    self.limit = limit
    self.closer = closer
    self.tellsSenders = tellsSenders
  }

  deinit {
    if let closer { return closer.close(descriptors) }
    for number in descriptors { _ = OwnedDescriptor(owning: number) }
  }

  /// Whether bytes of an unfinished or unread message are held.
  public var holdsBytes: Bool { buffer.count > consumed }

  /// Hands out the next whole message, without its NUL, for as long as `body` runs.
  ///
  /// - Returns: `nil` if none is there yet.
  public mutating func next<Result>(
    _ body: (UnsafeBufferPointer<UInt8>, DescriptorBatch) -> Result
  ) throws(Failure) -> Result? {
    guard let end = buffer[scanned...].firstIndex(of: 0) else {
      scanned = buffer.count
      if buffer.count - consumed >= limit { throw .messageTooLong(limit: limit) }
      return nil
    }
    guard end - consumed < limit else { throw .messageTooLong(limit: limit) }
    let batch = DescriptorBatch(owning: descriptors, closer: closer)
    descriptors = []
    sender = senderOfNext
    // The kernel joins nothing that two have sent: what comes after it was received with its end.
    senderOfNext = lastSender
    let result = buffer.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[consumed..<end]), batch)
    }
    consumed = end + 1
    scanned = consumed
    if consumed == buffer.count { reset() }
    return result
  }

  /// Receives what the socket has, at most one chunk.
  ///
  /// To be called when ``next(_:)`` has no more: descriptors are attributed to the message at the end of
  /// what is held.
  public mutating func fill(from socket: CInt) throws(Failure) -> Progress {
    compact()
    // The scratch is on the stack: an idle connection holds no buffer.
    let result = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) { scratch in
      receive(from: socket, into: scratch)
    }
    if hasLostDescriptors { throw .descriptorsLost }
    if descriptors.count > Int(LINUX_MAX_DESCRIPTORS) { throw .tooManyDescriptors }
    switch result {
    case .success(let count): return count > 0 ? .read : .endOfStream
    case .failure(let error) where error.code == EAGAIN || error.code == EINTR: return .wouldBlock
    case .failure(let error): throw .system(error)
    }
  }

  private mutating func receive(
    from socket: CInt, into scratch: UnsafeMutableRawBufferPointer
  ) -> Result<Int, SystemError> {
    var carriesDescriptors: CInt = 0
    var wanted = peek(socket, scratch, &carriesDescriptors)
    guard wanted > 0 else { return wanted == 0 ? .success(0) : .failure(SystemError("recvmsg(MSG_PEEK)")) }
    let taken: Int
    if carriesDescriptors == 0 {
      // What was looked at is what is taken: nobody else reads here.
      taken = recv(socket, scratch.baseAddress, wanted, CInt(MSG_DONTWAIT))
    } else {
      if let end = scratch[..<wanted].firstIndex(of: 0) { wanted = end + 1 }
      taken = receiveWithDescriptors(
        from: socket, into: UnsafeMutableRawBufferPointer(rebasing: scratch[..<wanted]))
    }
    guard taken >= 0 else { return .failure(SystemError("recvmsg")) }
    buffer.append(contentsOf: scratch[..<taken])
    return .success(taken)
  }

  /// Looks at what is there, and at who sent it.
  private mutating func peek(
    _ socket: CInt, _ scratch: UnsafeMutableRawBufferPointer, _ carriesDescriptors: inout CInt
  ) -> Int {
    guard tellsSenders else {
      return linux_peek(socket, scratch.baseAddress, scratch.count, &carriesDescriptors, nil)
    }
    var raw = linux_sender()
    let count = linux_peek(socket, scratch.baseAddress, scratch.count, &carriesDescriptors, &raw)
    if count > 0 {
      lastSender =
        raw.pid > 0 ? .process(SenderCredentials(pid: raw.pid, uid: raw.uid, gid: raw.gid)) : .untold
      senderOfNext = holdsBytes ? senderOfNext.joined(by: lastSender) : lastSender
    }
    return count
  }

  private mutating func receiveWithDescriptors(
    from socket: CInt, into bytes: UnsafeMutableRawBufferPointer
  ) -> Int {
    withUnsafeTemporaryAllocation(of: CInt.self, capacity: Int(LINUX_MAX_DESCRIPTORS)) { numbers in
      var count = 0
      var isTruncated: CInt = 0
      let taken = linux_receive_descriptors(
        socket, bytes.baseAddress, bytes.count, numbers.baseAddress, &count, &isTruncated)
      if isTruncated != 0 { hasLostDescriptors = true }
      descriptors.append(contentsOf: numbers[..<count])
      return taken
    }
  }

  private mutating func compact() {
    guard consumed > 0 else { return }
    buffer.removeFirst(consumed)
    scanned -= consumed
    consumed = 0
  }

  /// Forgets what was handed out, and the room that an unusually long message took.
  private mutating func reset() {
    buffer.removeAll(keepingCapacity: buffer.capacity <= 2 * Self.chunk)
    consumed = 0
    scanned = 0
  }
}
