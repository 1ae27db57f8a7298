/// The server's side of one connection, without its bytes: replies in the order of the calls, and no
/// call read while one is being served.
///
/// Source: https://varlink.org/Method-Call.
public struct ServerSession: ~Copyable {
  /// What the connection does after a call arrived.
  public enum CallAction: Hashable, Sendable {
    /// Serve it; read nothing further until it is done.
    case serve(Call)
    /// Close the connection without a reply and count it.
    case close(ProtocolViolation)
  }

  /// What the connection does with a reply.
  public enum ReplyAction: Hashable, Sendable {
    /// Send it; the call goes on.
    case send
    /// Send it; the call is done and the next may be read.
    case sendAndFinish
    /// Drop it, since the caller takes none; the call is done.
    case dropAndFinish
    /// Drop it: there is no call, because the peer has gone or it was answered already.
    case drop
  }

  private enum State {
    case idle
    case serving(wantsMore: Bool, isOneway: Bool)
    case closed
  }

  private var state = State.idle

  /// A connection without a call.
  public init() {}

  /// Whether the next call may be read.
  public var isIdle: Bool {
    if case .idle = state { true } else { false }
  }

  /// A whole message arrived.
  public mutating func received(_ message: UnsafeBufferPointer<UInt8>) -> CallAction {
    guard isIdle else { return received(.failure(.unexpectedCall)) }
    do throws(ProtocolViolation) { return received(.success(try Call(parsing: message))) } catch {
      return received(.failure(error))
    }
  }

  /// A whole message arrived, and was read already.
  public mutating func received(_ call: Result<Call, ProtocolViolation>) -> CallAction {
    switch call {
    case .success(let call) where isIdle:
      state = .serving(wantsMore: call.wantsMore, isOneway: call.isOneway)
      return .serve(call)
    case .success:
      state = .closed
      return .close(.unexpectedCall)
    case .failure(let violation):
      state = .closed
      return .close(violation)
    }
  }

  /// The service answers. A reply that `continues` to a caller who did not ask for more ends the call:
  /// such a caller reads one reply.
  public mutating func reply(continues: Bool) -> ReplyAction {
    switch state {
    case .idle, .closed: return .drop
    case .serving(_, isOneway: true):
      if continues { return .drop }
      state = .idle
      return .dropAndFinish
    case .serving(let wantsMore, isOneway: false):
      if continues && wantsMore { return .send }
      state = .idle
      return .sendAndFinish
    }
  }

  /// The peer has gone.
  public mutating func close() {
    state = .closed
  }
}

extension ProtocolViolation {
  fileprivate static let unexpectedCall = ProtocolViolation("a call was read while another was served")
}
