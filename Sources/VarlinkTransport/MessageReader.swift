internal import CLinux
internal import Glibc
public import Linux

/// Cuts a stream of bytes into messages at each NUL, and attributes descriptors to the message that they were sent
/// with: also when calls are pipelined and one system call could return several.
///
/// The kernel lets descriptors travel with the byte they were sent on, and recvmsg(2) may return bytes
/// of earlier messages along with them. So it *looks* first: bytes without descriptors are taken
/// together; before bytes with descriptors it takes exactly one message at a time.
///
/// A service does not receive descriptors itself: whoever holds one can be made to wait for as long as its maker
/// likes. It is told where they are, and has another process receive them (``Descriptors/left``).
public struct MessageReader: ~Copyable {
  /// What becomes of descriptors.
  public enum Descriptors: Hashable, Sendable {
    /// They are received: who sends them is trusted.
    case received
    /// They are left to whom ``Progress/descriptors(byteCount:)`` is told; and of every message it is said who sent it.
    /// For a socket that tells senders: ``UnixSocket/tellSenders(_:)``.
    case left
  }

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
    /// The next so many bytes have descriptors with them, and are to be received by somebody else. After that,
    /// ``received(descriptors:)``; nothing is filled before.
    case descriptors(byteCount: Int)
    /// Nothing to read at present.
    case wouldBlock
    /// The peer writes no more.
    case endOfStream
  }

  /// What a message came with.
  public struct Arrival {
    /// Its descriptors, where they are ``Descriptors/received``, and it has some.
    public let descriptors: DescriptorBatch?
    /// How many it has, where they are ``Descriptors/left``.
    public let descriptorCount: Int
    /// Who sent it, where that is told.
    public let sender: MessageSender
  }

  private let limit: Int
  private let mode: Descriptors
  private var buffer: [UInt8] = []
  /// How many bytes of the buffer belong to messages handed out already.
  private var consumed = 0
  /// No NUL stands between `consumed` and here.
  private var scanned = 0
  private var hasLostDescriptors = false
  /// The descriptors of the message that begins at `consumed`, if it is the one being received.
  private var descriptors: [CInt] = []
  /// How many it has where they are left.
  private var descriptorCount = 0
  /// Looked at, and to be received by somebody else.
  private var announced: [UInt8] = []
  /// Who wrote the end of what is held, and of the message that ends there, if others wrote some of it.
  private var sender = MessageSender.untold
  private var isMixed = false
  /// Whether what came last did not fit ``smallChunk``: more of the kind comes.
  private var comesInBulk = false

  private static let chunk = 65536
  /// So much is on the stack at most (`withUnsafeTemporaryAllocation`).
  private static let smallChunk = 1024

  /// - Parameters:
  ///   - limit: the most bytes a message may have, its NUL included.
  ///   - descriptors: who receives them.
  public init(limit: Int, descriptors: Descriptors) {
    self.limit = limit
    mode = descriptors
  }

  deinit {
    for number in descriptors { _ = OwnedDescriptor(owning: number) }
  }

  /// Whether bytes of an unfinished or unread message are held.
  public var holdsBytes: Bool { buffer.count > consumed }

  /// How many bytes of memory are held.
  public var heldBytes: Int { buffer.capacity }

  /// Hands out the next whole message, without its NUL, for as long as `body` runs.
  ///
  /// - Returns: `nil` if none is there yet.
  @inlinable
  public mutating func next<Result: ~Copyable>(
    _ body: (UnsafeBufferPointer<UInt8>, Arrival) -> Result
  ) throws(Failure) -> Result? {
    var result: Result?
    try take { result = body($0, $1) }
    return result
  }

  /// The same, which need not be generic: a type that is known at run time only costs more than reading a message.
  @usableFromInline
  mutating func take(_ body: (UnsafeBufferPointer<UInt8>, Arrival) -> Void) throws(Failure) {
    guard let end = endOfMessage() else {
      scanned = buffer.count
      if buffer.count - consumed >= limit { throw .messageTooLong(limit: limit) }
      return
    }
    guard end - consumed < limit else { throw .messageTooLong(limit: limit) }
    let arrival = Arrival(
      descriptors: descriptors.isEmpty ? nil : DescriptorBatch(owning: descriptors),
      descriptorCount: descriptorCount,
      sender: isMixed ? .several : sender)
    descriptors = []
    descriptorCount = 0
    isMixed = false
    buffer.withUnsafeBufferPointer {
      body(UnsafeBufferPointer(rebasing: $0[consumed..<end]), arrival)
    }
    consumed = end + 1
    scanned = consumed
    if consumed == buffer.count { reset() }
  }

  private func endOfMessage() -> Int? {
    buffer.withUnsafeBytes { bytes in
      guard let base = bytes.baseAddress, scanned < bytes.count,
        let found = memchr(base + scanned, 0, bytes.count - scanned)
      else { return nil }
      return UnsafeRawPointer(found) - base
    }
  }

  /// Receives what the socket has, at most one chunk.
  ///
  /// To be called when ``next(_:)`` has no more: descriptors are attributed to the message at the end of
  /// what is held.
  public mutating func fill(from socket: CInt) throws(Failure) -> Progress {
    guard announced.isEmpty else { return .descriptors(byteCount: announced.count) }
    compact()
    let result = receive(from: socket)
    if hasLostDescriptors { throw .descriptorsLost }
    if descriptors.count > Int(LINUX_MAX_DESCRIPTORS) { throw .tooManyDescriptors }
    switch result {
    case .success where !announced.isEmpty: return .descriptors(byteCount: announced.count)
    case .success(let count): return count > 0 ? .read : .endOfStream
    case .failure(let error) where error.code == EAGAIN || error.code == EINTR: return .wouldBlock
    case .failure(let error): throw .system(error)
    }
  }

  /// What was announced as ``Progress/descriptors(byteCount:)`` was received by somebody else.
  ///
  /// - Parameter count: how many descriptors the message at the end of what is held has by now.
  public mutating func received(descriptors count: Int) {
    buffer.append(contentsOf: announced)
    announced = []
    descriptorCount = count
  }

  /// An idle connection holds no buffer. Nearly every call fits what is on the stack; for more, memory is asked.
  private mutating func receive(from socket: CInt) -> Result<Int, SystemError> {
    if !comesInBulk,
      let result = withUnsafeTemporaryAllocation(
        byteCount: Self.smallChunk, alignment: 1, { receive(from: socket, into: $0, ifAll: true) })
    {
      return result
    }
    let result = withUnsafeTemporaryAllocation(byteCount: Self.chunk, alignment: 1) {
      receive(from: socket, into: $0, ifAll: false)
    }
    if case .success(let count) = result { comesInBulk = count >= Self.smallChunk }
    return result ?? .failure(SystemError("recvmsg", code: EAGAIN))
  }

  /// - Parameter isWhole: whether nothing is taken where there may be more than fits.
  /// - Returns: nil where nothing was taken for that.
  private mutating func receive(
    from socket: CInt, into scratch: UnsafeMutableRawBufferPointer, ifAll isWhole: Bool
  ) -> Result<Int, SystemError>? {
    var carriesDescriptors = false
    var writer = MessageSender.untold
    var wanted = peek(socket, scratch, &carriesDescriptors, &writer)
    guard wanted > 0 else { return wanted == 0 ? .success(0) : .failure(SystemError("recvmsg(MSG_PEEK)")) }
    if isWhole, wanted == scratch.count { return nil }
    if carriesDescriptors {
      if let end = scratch[..<wanted].firstIndex(of: 0) { wanted = end + 1 }
      let message = UnsafeMutableRawBufferPointer(rebasing: scratch[..<wanted])
      switch mode {
      case .received:
        let taken = receiveWithDescriptors(from: socket, into: message)
        guard taken >= 0 else { return .failure(SystemError("recvmsg")) }
        append(message[..<taken], from: writer)
        return .success(taken)
      case .left:
        // They may have come with the message after this one.
        guard peek(socket, message, &carriesDescriptors, &writer) == wanted else {
          return .failure(SystemError("recvmsg(MSG_PEEK)", code: EPROTO))
        }
        if carriesDescriptors {
          announced = Array(message)
          note(writer)
          return .success(wanted)
        }
      }
    }
    // What was looked at is what is taken: nobody else reads here.
    let taken = recv(socket, scratch.baseAddress, wanted, CInt(MSG_DONTWAIT))
    guard taken >= 0 else { return .failure(SystemError("recvmsg")) }
    append(scratch[..<taken], from: writer)
    return .success(taken)
  }

  private func peek(
    _ socket: CInt, _ scratch: UnsafeMutableRawBufferPointer, _ carriesDescriptors: inout Bool,
    _ writer: inout MessageSender
  ) -> Int {
    var carries: CInt = 0
    var credentials = linux_sender()
    let count =
      switch mode {
      case .received: linux_peek(socket, scratch.baseAddress, scratch.count, &carries)
      case .left: linux_peek_sender(socket, scratch.baseAddress, scratch.count, &carries, &credentials)
      }
    carriesDescriptors = carries != 0
    if mode == .left, count > 0 {
      writer =
        credentials.pid > 0
        ? .process(
          SenderCredentials(pid: credentials.pid, uid: credentials.uid, gid: credentials.gid))
        : .untold
    }
    return count
  }

  private mutating func append(_ bytes: Slice<UnsafeMutableRawBufferPointer>, from writer: MessageSender) {
    note(writer)
    buffer.append(contentsOf: bytes)
  }

  /// Bytes of one message may be of several writers, which are never taken together.
  private mutating func note(_ writer: MessageSender) {
    if holdsBytes, writer != sender { isMixed = true }
    sender = writer
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
