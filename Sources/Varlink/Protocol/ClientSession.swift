/// The client's side of one connection, without its bytes: which reply belongs to which call.
///
/// Generic over what the caller uses to know its calls by.
public struct ClientSession<Handle>: ~Copyable {
  /// What a reply means.
  public enum Action {
    /// One of several replies to a call.
    case deliver(Handle, Reply)
    /// The last reply to a call.
    case finish(Handle, Reply)
    /// The service broke the protocol; nothing further can be believed.
    case close(ProtocolViolation)
  }

  private struct Expected {
    let handle: Handle
    let wantsMore: Bool
  }

  private var expected: [Expected] = []

  /// A connection without calls.
  public init() {}

  /// Whether replies are awaited.
  public var isIdle: Bool { expected.isEmpty }

  /// A call was sent. One that takes no reply is forgotten at once.
  public mutating func sent(_ call: Call, _ handle: Handle) {
    if !call.isOneway { expected.append(Expected(handle: handle, wantsMore: call.wantsMore)) }
  }

  /// A whole message arrived.
  public mutating func received(_ message: UnsafeBufferPointer<UInt8>) -> Action {
    do throws(ProtocolViolation) {
      let reply = try Reply(parsing: message)
      let handle = try received(continues: reply.continues)
      return reply.continues ? .deliver(handle, reply) : .finish(handle, reply)
    } catch {
      return .close(error)
    }
  }

  /// A reply arrived that was read elsewhere.
  ///
  /// - Parameter continues: whether more follow.
  /// - Returns: what knows the call.
  public mutating func received(continues: Bool) throws(ProtocolViolation) -> Handle {
    guard let first = expected.first else { throw ProtocolViolation("a reply to no call") }
    if continues {
      guard first.wantsMore else { throw ProtocolViolation("more replies than the call asked for") }
    } else {
      expected.removeFirst()
    }
    return first.handle
  }
}
