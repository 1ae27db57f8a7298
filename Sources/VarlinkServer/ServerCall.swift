public import EventLoop
public import Linux
public import Varlink
public import VarlinkTransport

/// One call that is being served: what came with it, and the way to answer.
///
/// Answering after the peer has gone does nothing, so that no handler needs to ask.
@EventLoopActor
public final class ServerCall {
  /// The call as it arrived.
  public let call: Call
  /// The descriptors that came with it; those not taken are closed with the call.
  public let descriptors: DescriptorBatch
  /// Whose call it is.
  public let connection: ServerConnection
  /// Who sent it, which may be somebody else.
  public let sender: MessageSender

  /// Whether it was answered for good, or its peer has gone.
  public private(set) var isOver = false
  private var endHandlers: [@EventLoopActor () -> Void] = []
  private var drained: (@EventLoopActor () -> Void)?

  init(_ call: Call, descriptors: DescriptorBatch, connection: ServerConnection, sender: MessageSender) {
    self.sender = sender
    self.call = call
    self.descriptors = descriptors
    self.connection = connection
  }

  // MARK: Answers

  /// Sends one reply; the last one unless it `continues`.
  ///
  /// - Parameter descriptors: sent with it; fields of the reply hold their indexes.
  public func reply(
    _ reply: some Encodable, continues: Bool = false, descriptors: DescriptorBatch? = nil
  ) {
    // A caller who did not ask for more reads one reply, and must not be promised others.
    let continues = continues && call.wantsMore
    do {
      send(try Reply.encoded(reply, continues: continues), continues: continues, descriptors: descriptors)
    } catch { fail(error) }
  }

  /// Sends a reply that is encoded already, its NUL included: one text for many subscribers.
  public func send(_ message: [UInt8], continues: Bool, descriptors: DescriptorBatch? = nil) {
    guard !isOver else { return }
    connection.answer(message, continues: continues, descriptors: descriptors)
  }

  /// Ends the call with an error.
  public func fail(_ error: any Error) {
    guard !isOver else { return }
    do { connection.answer(try encode(error), continues: false, descriptors: nil) } catch {
      connection.close()
    }
  }

  private func encode(_ error: any Error) throws -> [UInt8] {
    guard let error = error as? any VarlinkError else {
      return try Reply.encoded(SystemFailure(error, message: connection.failureText(error, self)))
    }
    return try encode(typed: error)
  }

  private func encode(typed error: some VarlinkError) throws -> [UInt8] { try Reply.encoded(error) }

  // MARK: Life

  /// Calls `handler` once when the call is over: answered for good, or its peer has gone.
  public func onEnd(_ handler: @escaping @EventLoopActor () -> Void) {
    if isOver { handler() } else { endHandlers.append(handler) }
  }

  /// Whether the peer has taken everything that was sent. A stream should send more only then.
  public var isDrained: Bool { connection.isDrained }

  /// Calls `handler` once as soon as the peer has taken everything that was sent.
  public func whenDrained(_ handler: @escaping @EventLoopActor () -> Void) {
    if isDrained { handler() } else { drained = handler }
  }

  /// Waits until the peer has taken everything that was sent.
  ///
  /// - Throws: `CancellationError` when it has gone.
  public func waitUntilDrained() async throws {
    await withCheckedContinuation { continuation in
      if isOver || isDrained { return continuation.resume() }
      drained = { continuation.resume() }
    }
    if isOver { throw CancellationError() }
  }

  func outputDrained() {
    guard let handler = drained else { return }
    drained = nil
    handler()
  }

  func end() {
    isOver = true
    outputDrained()
    let handlers = endHandlers
    endHandlers = []
    for handler in handlers { handler() }
  }

  // MARK: Parameters

  func parameters<Method: VarlinkMethod>(of method: Method.Type) throws -> Method.Parameters {
    do { return try Method.read(call.parameters) } catch let error as DecodingError {
      throw InvalidParameter(parameter: error.fieldPath)
    }
  }

  /// Every descriptor is named by one field, and every field names one.
  func checkDescriptors(named indexes: [Int]) throws(InvalidParameter) {
    guard !indexes.isEmpty || descriptors.count > 0 else { return }
    let isExact = indexes.count == descriptors.count && Set(indexes) == Set(0..<descriptors.count)
    guard isExact else { throw InvalidParameter(parameter: "fileDescriptor") }
  }
}

extension DecodingError {
  /// The field that does not fit.
  var fieldPath: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.map(\.stringValue).joined(separator: ".")
    case .keyNotFound(let key, let context):
      (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
    @unknown default: ""
    }
  }
}
