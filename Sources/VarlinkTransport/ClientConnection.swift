internal import Glibc
public import Linux
public import Varlink

/// A client's connection that waits for its replies: what a command needs, and a thread can use.
///
/// Not for two threads at once.
public final class ClientConnection {
  private let socket: OwnedDescriptor
  private var reader: MessageReader
  private var writer = MessageWriter()
  private var session = ClientSession<Void>()
  /// Came while a call was being sent.
  private var early: [(answer: Answer, byteCount: Int)] = []
  /// How many bytes those have together.
  private var earlyBytes = 0

  /// The most bytes a reply may have, and all those together that come while a call is being sent. A service of ours
  /// sends less; a foreign one may not fill memory.
  public static let replyLimit = 64 << 20
  /// What a small reply takes.
  private static let leastBytes = 1 << 10

  /// Connects to a service.
  public convenience init(path: String) throws(SystemError) {
    self.init(socket: try UnixSocket.connect(to: path))
  }

  /// Speaks over a socket that is connected already.
  public init(socket: consuming OwnedDescriptor) {
    self.socket = socket
    reader = MessageReader(limit: Self.replyLimit, descriptors: .received)
  }

  /// One reply and the descriptors that came with it.
  public struct Answer {
    /// The reply's fields, or the error's.
    public let reply: Varlink.Reply
    /// To be taken by the index that a field holds.
    public let descriptors: DescriptorBatch
  }

  /// Sends a call without waiting for its replies, so that several can be under way. A service that is held up by
  /// replies to earlier ones takes no more before they are read: they are kept here until they are received.
  public func send(_ call: Call, descriptors: DescriptorBatch? = nil) throws(ConnectionError) {
    session.sent(call, ())
    var events = Int16(POLLIN | POLLOUT)
    do throws(SystemError) {
      try writer.send(call.encoded(), descriptors: descriptors, to: socket.number)
    } catch { throw .closed(error.description) }
    while !writer.isEmpty {
      let ready: Int16
      do throws(SystemError) {
        ready = try wait(for: events)
        try writer.flush(to: socket.number)
      } catch { throw .closed(error.description) }
      guard ready & Int16(POLLIN) != 0 else { continue }
      while let answer = try nextAnswer() {
        early.append(answer)
        earlyBytes += answer.byteCount
        if earlyBytes > Self.replyLimit {
          throw .violation(
            ProtocolViolation("over \(Self.replyLimit) bytes of replies while it takes no call"))
        }
      }
      // The end is told to who receives, after all that came before it.
      if try fill() == .endOfStream { events = Int16(POLLOUT) }
    }
  }

  /// Waits for the next reply to the oldest call.
  ///
  /// - Throws: ``ConnectionError``.
  public func receive() throws(ConnectionError) -> Answer {
    if let answer = takeEarly() { return answer }
    return try untilThere { connection throws(ConnectionError) in try connection.nextAnswer()?.answer }
  }

  /// Waits for the next reply to the oldest call, which is one of this method.
  ///
  /// - Throws: ``Varlink/RemoteError`` when it is an error; ``ConnectionError``; `DecodingError`.
  public func receive<Method: VarlinkMethod>(_ method: Method.Type) throws -> TypedAnswer<Method> {
    if let answer = takeEarly() { return try TypedAnswer(answer) }
    let result = try untilThere { connection throws(ConnectionError) in try connection.nextAnswer(method) }
    return try result.get()
  }

  private func takeEarly() -> Answer? {
    if early.isEmpty { return nil }
    let first = early.removeFirst()
    earlyBytes -= first.byteCount
    return first.answer
  }

  /// Fills until there is one.
  private func untilThere<Value>(
    _ next: (ClientConnection) throws(ConnectionError) -> Value?
  ) throws(ConnectionError) -> Value {
    while true {
      if let answer = try next(self) { return answer }
      switch try fill() {
      case .read: break
      // Descriptors are received here.
      case .wouldBlock, .descriptors:
        do throws(SystemError) { _ = try wait(for: Int16(POLLIN)) } catch { throw .closed(error.description) }
      case .endOfStream: throw .closed("the service closed the connection")
      }
    }
  }

  private func fill() throws(ConnectionError) -> MessageReader.Progress {
    do throws(MessageReader.Failure) { return try reader.fill(from: socket.number) } catch {
      throw ConnectionError(error)
    }
  }

  private func nextAnswer() throws(ConnectionError) -> (answer: Answer, byteCount: Int)? {
    let next: (ClientSession<Void>.Action, DescriptorBatch, byteCount: Int)?
    do throws(MessageReader.Failure) {
      next = try reader.next { message, arrival in
        (
          session.received(message), arrival.descriptors ?? DescriptorBatch(),
          byteCount: max(message.count, Self.leastBytes)
        )
      }
    } catch { throw ConnectionError(error) }
    guard let (action, descriptors, byteCount) = next else { return nil }
    switch action {
    case .deliver(_, let reply), .finish(_, let reply):
      return (Answer(reply: reply, descriptors: descriptors), byteCount)
    case .close(let violation): throw .violation(violation)
    }
  }

  /// The next reply as the method's type, read straight from its text where that can be.
  private func nextAnswer<Method: VarlinkMethod>(
    _ method: Method.Type
  ) throws(ConnectionError) -> Result<TypedAnswer<Method>, any Error>? {
    do throws(MessageReader.Failure) {
      return try reader.next { message, arrival in
        let descriptors = arrival.descriptors ?? DescriptorBatch()
        return Result { () throws in
          if let (reply, continues) = Method.read(replyIn: message) {
            do throws(ProtocolViolation) { _ = try session.received(continues: continues) } catch {
              throw ConnectionError.violation(error)
            }
            return TypedAnswer(reply: reply, continues: continues, descriptors: descriptors)
          }
          switch session.received(message) {
          case .deliver(_, let reply), .finish(_, let reply):
            return try TypedAnswer(Answer(reply: reply, descriptors: descriptors))
          case .close(let violation): throw ConnectionError.violation(violation)
          }
        }
      }
    } catch { throw ConnectionError(error) }
  }

  /// The socket, for poll(2) beside other descriptors; it stays this object's.
  public var descriptor: CInt { socket.number }

  /// Whether a reply can be had without waiting for the kernel.
  public var holdsBytes: Bool { !early.isEmpty || reader.holdsBytes }

  /// - Returns: what it is ready for.
  private func wait(for events: Int16) throws(SystemError) -> Int16 {
    var request = pollfd(fd: socket.number, events: events, revents: 0)
    try retryingInterrupts("poll") { poll(&request, 1, -1) }
    return request.revents
  }
}

/// A connection that is of no further use.
public enum ConnectionError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It ended, or the system refused.
  case closed(String)
  /// The service does not speak Varlink as it should.
  case violation(ProtocolViolation)
  /// This process has no numbers left for the descriptors that came: the kernel dropped them.
  case descriptorsLost

  init(_ failure: MessageReader.Failure) {
    switch failure {
    case .messageTooLong(let limit): self = .violation(ProtocolViolation("a reply of over \(limit) bytes"))
    case .tooManyDescriptors: self = .violation(ProtocolViolation("too many descriptors with a reply"))
    case .descriptorsLost: self = .descriptorsLost
    case .system(let error): self = .closed(error.description)
    }
  }

  /// What happened in a sentence.
  public var description: String {
    switch self {
    case .closed(let reason): reason
    case .violation(let violation): "the service breaks the protocol: \(violation)"
    case .descriptorsLost: "there is no room for the descriptors that came with a reply"
    }
  }
}
