public import EventLoop
internal import Linux
internal import Varlink
public import VarlinkTransport

/// One peer: bytes in, calls to their interface, replies out.
///
/// The protocol is ``Varlink/ServerSession``'s; this is the switch over what it says, and the decision
/// what to wait for. While a call is served nothing is read, so a peer is held back by its own replies.
@EventLoopActor
public final class ServerConnection {
  /// Who it is.
  public let peer: PeerCredentials
  /// What the service knows of the peer, for as long as it is connected.
  public var attachment: AnyObject?
  /// Whether it was made before this server knew of it: what was sent until then does not tell its sender.
  public internal(set) var isHandedOver = false

  /// Closed with the connection, however long somebody keeps a call of it.
  private var socket: OwnedDescriptor?
  private let number: CInt
  private weak var server: VarlinkServer?
  private let limits: VarlinkServer.Limits
  private var source: IOSource?
  private var reader: MessageReader
  private var writer = MessageWriter()
  private var session = ServerSession()
  private var call: ServerCall?
  private var isReading = false
  /// Whether reading goes on in the next turn of the loop.
  private var continuesLater = false
  /// Closes what the peer sent. While that takes its time, nothing more is read from it.
  private let closer: DescriptorCloser
  private var waitsForCloser = false
  /// Whether reading has stopped for it, perhaps with a call in the buffer.
  private var stopsForCloser = false
  /// Whether replies wait for the end of this turn of the loop.
  private var sendsLater = false
  private var hasReadEverything = false

  /// So many calls are served before other sources have their turn.
  private static let batch = 16

  init(socket: consuming OwnedDescriptor, peer: PeerCredentials, server: VarlinkServer) throws(SystemError) {
    number = socket.number
    self.socket = consume socket
    self.peer = peer
    self.server = server
    limits = server.limits
    closer = DescriptorCloser(keeping: UserSlot(peer.uid, of: server))
    try UnixSocket.tellSenders(of: number)
    reader = MessageReader(limit: server.limits.messageBytes, closer: closer, tellsSenders: true)
    source = try IOSource(number, .readable) { [unowned self] events in handle(events) }
  }

  /// Whether the connection has ended.
  public var isClosed: Bool { source == nil }

  var isDrained: Bool { writer.isEmpty }

  func failureText(_ error: any Error, _ call: ServerCall) -> String {
    server?.failureText(error, call) ?? ""
  }

  // MARK: Events

  private func handle(_ events: IOSource.Events) {
    if events.contains(.writable) { flush() }
    if !isClosed, session.isIdle { readCalls() }
    // A peer that closed both directions waits for nothing any more.
    if !isClosed, !events.isDisjoint(with: [.hangup, .error]),
      !session.isIdle || hasReadEverything || closer.isBusy
    {
      close()
    }
    updateInterest()
  }

  private func updateInterest() {
    guard !isClosed else { return }
    var interest: IOSource.Events = []
    // Asked once: it is closed on another thread, and what is not read for it must be read when that is over.
    let isClosing = stopsForCloser || closer.isBusy
    stopsForCloser = false
    if session.isIdle, !hasReadEverything, !isClosing, !hasUnreadReplies { interest.insert(.readable) }
    if !writer.isEmpty, !sendsLater { interest.insert(.writable) }
    source?.wait(for: interest)
    if hasReadEverything, session.isIdle, writer.isEmpty { return close() }
    if isClosing { waitForCloser() }
  }

  /// Reads on when everything is closed that the peer sent before.
  private func waitForCloser() {
    guard !waitsForCloser else { return }
    waitsForCloser = true
    closer.whenIdle { [weak self] in
      Task { @EventLoopActor in
        guard let self else { return }
        self.waitsForCloser = false
        guard !self.isClosed else { return }
        self.readCalls()
        self.updateInterest()
      }
    }
  }

  // MARK: Calls

  private func readCalls() {
    guard !isReading, !continuesLater else { return }
    isReading = true
    defer { isReading = false }
    var served = 0
    var hasReceived = false
    while !isClosed, session.isIdle, !hasUnreadReplies {
      if closer.isBusy { return stopsForCloser = true }
      if served == Self.batch { return continueLater() }
      // Once in a turn of the loop: whoever asks again at once has its turn after the others.
      switch nextStep(receives: !hasReceived) {
      case .served: served += 1
      case .received: hasReceived = true
      case .wait: return
      }
    }
  }

  private enum Step {
    case served
    case received
    case wait
  }

  private var hasUnreadReplies: Bool { writer.pendingBytes > limits.unreadReplyBytes }

  private func nextStep(receives: Bool) -> Step {
    do throws(MessageReader.Failure) {
      let next = try reader.next { message, descriptors in (session.received(message), descriptors) }
      if let (action, descriptors) = next {
        perform(action, descriptors)
        return .served
      }
      if hasReadEverything || !receives { return .wait }
      switch try reader.fill(from: number) {
      case .read: return .received
      case .wouldBlock: return .wait
      case .endOfStream:
        hasReadEverything = true
        if reader.holdsBytes { refuse("the peer closed in the middle of a message") }
        return .wait
      }
    } catch {
      switch error {
      case .messageTooLong(let limit): refuse("a message of over \(limit) bytes")
      case .tooManyDescriptors: refuse("too many descriptors with one message")
      case .descriptorsLost:
        runShort("the kernel had no room for all descriptors that it sent: see LimitNOFILE=")
      case .system: close()
      }
      return .wait
    }
  }

  private func perform(_ action: ServerSession.CallAction, _ descriptors: DescriptorBatch) {
    switch action {
    case .serve(let call):
      admit(ServerCall(call, descriptors: descriptors, connection: self, sender: reader.sender))
    case .close(let violation): refuse(violation.description)
    }
  }

  /// Serves a call, or waits until its sender is known. Nothing else is read meanwhile.
  private func admit(_ call: ServerCall) {
    self.call = call
    guard let judge = server?.judge else { return serve(call) }
    let verdict = judge(call) { [weak self] error in
      if let error { call.fail(error) } else { self?.serve(call) }
    }
    switch verdict {
    case .serve: serve(call)
    case .refuse(let error): call.fail(error)
    case .wait: break
    }
  }

  private func serve(_ call: ServerCall) {
    guard !call.isOver else { return }
    guard let server else { return close() }
    server.statistics.calls += 1
    do { try server.method(call.call.method).serve(call) } catch { call.fail(error) }
  }

  /// The calls that are in the buffer already have no event to announce them. Until then nothing else
  /// reads: a peer that floods gets one batch in a turn of the loop.
  private func continueLater() {
    guard !continuesLater else { return }
    continuesLater = true
    Task { [weak self] in
      guard let self else { return }
      continuesLater = false
      guard !isClosed else { return }
      readCalls()
      updateInterest()
    }
  }

  // MARK: Replies

  func answer(_ message: [UInt8], continues: Bool, descriptors: DescriptorBatch?) {
    switch session.reply(continues: continues) {
    case .send:
      if writer.pendingBytes > limits.unreadStreamBytes {
        return refuse("it leaves over \(limits.unreadStreamBytes) bytes of a stream unread")
      }
      send(message, descriptors)
    case .sendAndFinish:
      if EventLoop.shared.isTurnShared { sendLater(message, descriptors) } else { send(message, descriptors) }
      finishCall()
    case .dropAndFinish: finishCall()
    case .drop: break
    }
  }

  private func send(_ message: [UInt8], _ descriptors: DescriptorBatch?) {
    do throws(SystemError) {
      try writer.send(message, descriptors: descriptors, to: number)
      if !writer.isEmpty { updateInterest() }
    } catch { close() }
  }

  /// Sends what answers one of several calls that were ready together: one after the other, so that who waits
  /// for many of them is not woken for each.
  private func sendLater(_ message: [UInt8], _ descriptors: DescriptorBatch?) {
    writer.queue(message, descriptors: descriptors)
    guard !sendsLater else { return }
    sendsLater = true
    EventLoop.shared.atEndOfTurn { [self] in
      sendsLater = false
      guard !isClosed else { return }
      flush()
      guard !isReading, !isClosed else { return }
      // What is in the buffer may have waited for this.
      if session.isIdle, reader.holdsBytes { continueLater() } else { updateInterest() }
    }
  }

  private func finishCall() {
    let finished = call
    call = nil
    finished?.end()
    guard !isReading, !isClosed else { return }
    // Answered after its handler returned: calls may be waiting in the buffer.
    if reader.holdsBytes { continueLater() } else { updateInterest() }
  }

  private func flush() {
    do throws(SystemError) { try writer.flush(to: number) } catch { return close() }
    if writer.isEmpty { call?.outputDrained() }
  }

  // MARK: End

  private func refuse(_ reason: String) {
    guard !isClosed else { return }
    server?.statistics.violations += 1
    server?.onRefusal?(peer.uid, reason)
    close()
  }

  /// Ends it for what this process lacks.
  private func runShort(_ reason: String) {
    server?.statistics.refused += 1
    server?.onRefusal?(peer.uid, reason)
    close()
  }

  /// Ends the connection. A call that is being served ends with it.
  public func close() {
    guard !isClosed else { return }
    if sendsLater { try? writer.flush(to: number) }
    source?.cancel()
    source = nil
    if let socket = socket.take() { UnixSocket.close(socket, by: closer) }
    session.close()
    let unfinished = call
    call = nil
    unfinished?.end()
    server?.ended(self)
  }

  isolated deinit {
    source?.cancel()
  }
}
