public import EventLoop
public import Linux
public import Varlink
public import VarlinkTransport

/// Whether a reply with descriptors may still be sent.
public struct StillDue {
  let topics: () -> Set<AnyHashable>
  let check: @EventLoopActor () throws -> Void

  /// A reply that may lose its right to be sent while it waits.
  ///
  /// - Parameters:
  ///   - topics: what that depends on: when one of them changes it is looked at
  ///     (``VarlinkServer/lookAgainAtReplies(about:)``). Found out where it waits only: hardly any does.
  ///   - check: throws the error that is sent in its place.
  public init(
    about topics: @escaping @autoclosure () -> Set<AnyHashable>,
    check: @escaping @EventLoopActor () throws -> Void
  ) {
    self.topics = topics
    self.check = check
  }
}

/// One call that is being served: what came with it, and the way to answer.
///
/// Answering after the peer has gone does nothing, so that no handler needs to ask.
@EventLoopActor
public final class ServerCall {
  /// The call as it arrived; without its parameters where these were read straight from its text, or elsewhere.
  public let call: Call
  /// The descriptors that came with it; nobody reads them after the call.
  public let files: PeerFiles
  /// Whose call it is.
  public let connection: ServerConnection
  /// Who sent it, which may be somebody else.
  public let sender: MessageSender

  /// Whose share of the service it takes: a user id, or the one to whom a range of subordinate ids belongs.
  public var accountableUser: UInt32 { connection.user.id }

  /// Whether it was answered for good, or its peer has gone.
  public private(set) var isOver = false
  private var endHandlers: [@EventLoopActor () -> Void] = []
  private var drained: [@EventLoopActor () -> Void] = []
  /// What serves it, where its parameters were read already.
  private var prepared: MethodImplementation.Read?
  private var awaitsVerdict = false

  init(
    _ call: Call, _ prepared: MethodImplementation.Read?, files: PeerFiles,
    sender: MessageSender, connection: ServerConnection
  ) {
    self.prepared = prepared
    self.sender = sender
    self.call = call
    self.files = files
    self.connection = connection
  }

  // MARK: Verdict

  /// Tells what was found out about who sent it (``Verdict/wait``): the error that answers it, or none. The first is what
  /// counts.
  public func judged(_ error: (any Error)?) {
    guard awaitsVerdict, !isOver else { return }
    awaitsVerdict = false
    connection.judged(self, error)
  }

  func awaitVerdict() { awaitsVerdict = true }

  /// What serves it, which nobody has afterwards: its parameters last no longer than they are wanted.
  func takePrepared() -> MethodImplementation.Read? {
    defer { prepared = nil }
    return prepared
  }

  // MARK: Answers

  /// Sends one reply; the last one unless it `continues`.
  ///
  /// - Parameters:
  ///   - descriptors: sent with it; fields of the reply hold their indexes.
  ///   - stillDue: asked again while it waits for the peer to read (``VarlinkServer/lookAgainAtReplies(about:)``).
  public func reply(
    _ reply: some Encodable, continues: Bool = false, descriptors: DescriptorBatch? = nil,
    while stillDue: StillDue? = nil
  ) {
    // A caller who did not ask for more reads one reply, and must not be promised others.
    let continues = continues && call.wantsMore
    do {
      send(try Reply.encoded(reply, continues: continues), continues: continues, descriptors: descriptors)
    } catch { return fail(error) }
    hold(descriptors, while: stillDue)
  }

  /// Sends the one reply of a method, which says how it is written.
  public func reply<Method: VarlinkMethod>(_ reply: Method.Reply, of method: Method.Type) {
    do {
      let message = try Reply.encoded { writer throws in try Method.write(reply, to: &writer) }
      send(message, continues: false)
    } catch { fail(error) }
  }

  /// Sends a reply whose parameters `write` writes: one whole object.
  public func reply(
    continues: Bool = false, descriptors: DescriptorBatch? = nil, while stillDue: StillDue? = nil,
    writing write: (inout JSONWriter) -> Void
  ) {
    let continues = continues && call.wantsMore
    send(Reply.encoded(continues: continues, write), continues: continues, descriptors: descriptors)
    hold(descriptors, while: stillDue)
  }

  private func hold(_ descriptors: DescriptorBatch?, while stillDue: StillDue?) {
    guard let descriptors, let stillDue else { return }
    connection.hold(descriptors, about: stillDue.topics()) { [self] in
      do {
        try stillDue.check()
        return nil
      } catch {
        if let message = try? encode(error) { return message }
        connection.close()
        return nil
      }
    }
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
      return try Reply.encoded(SystemFailure(error, message: connection.server.failureText(error, self)))
    }
    return try encode(typed: error)
  }

  private func encode(typed error: some VarlinkError) throws -> [UInt8] {
    if let told = reworded(error) { return Reply.encoded(told) }
    return try Reply.encoded(error)
  }

  /// What the caller would be told of an error (``ErrorRewording``), for a reply that holds one; nil for the error as it is.
  public func reworded(_ error: any VarlinkError) -> RemoteError? {
    connection.server.rewording?.reword(error, self)
  }

  // MARK: Life

  /// Calls `handler` once when the call is over: answered for good, or its peer has gone. Never before this returns.
  public func onEnd(_ handler: @escaping @EventLoopActor () -> Void) {
    guard isOver else { return endHandlers.append(handler) }
    Task { handler() }
  }

  /// Whether the peer has taken everything that was sent. A stream should send more only then.
  public var isDrained: Bool { connection.isDrained }

  /// Calls `handler` once as soon as the peer has taken everything that was sent. Never before this returns.
  public func whenDrained(_ handler: @escaping @EventLoopActor () -> Void) {
    guard isDrained else { return drained.append(handler) }
    Task { handler() }
  }

  /// Waits until the peer has taken everything that was sent.
  ///
  /// - Throws: `CancellationError` when it has gone.
  public func waitUntilDrained() async throws {
    await withCheckedContinuation { continuation in
      if isOver || isDrained { return continuation.resume() }
      drained.append { continuation.resume() }
    }
    if isOver { throw CancellationError() }
  }

  func outputDrained() {
    let handlers = drained
    drained = []
    for handler in handlers { handler() }
  }

  func end() {
    isOver = true
    prepared = nil
    outputDrained()
    files.end()
    connection.user.slices.ended(self)
    let handlers = endHandlers
    endHandlers = []
    for handler in handlers { handler() }
  }

  // MARK: Parameters

  /// Every descriptor is named by one field, and every field names one.
  func checkDescriptors(named indexes: [Int]) throws(InvalidParameter) {
    guard !indexes.isEmpty || files.count > 0 else { return }
    let isExact = indexes.count == files.count && Set(indexes) == Set(0..<files.count)
    guard isExact else { throw InvalidParameter(parameter: "fileDescriptor") }
  }
}
