internal import CLinux
internal import EventLoop
internal import Glibc
internal import Linux
internal import Varlink
internal import VarlinkTransport

extension ServerConnection {
  /// Longer messages are read elsewhere: what one costs is its sender's affair.
  private nonisolated static let longMessage = 16 << 10

  /// A whole message, as far as it was read.
  enum Message: ~Copyable {
    case read(ServerSession.CallAction)
    /// Straight from its text: what serves it has its parameters.
    case prepared(ServerSession.CallAction, MethodImplementation.Prepared)
    case long([UInt8])

    @EventLoopActor
    init(_ message: UnsafeBufferPointer<UInt8>, _ session: inout ServerSession, _ server: VarlinkServer) {
      if message.count > longMessage {
        self = .long(Array(message))
      } else if let (call, prepared) = server.methods.call(message) {
        self = .prepared(session.received(.success(call)), prepared)
      } else {
        self = .read(session.received(message))
      }
    }
  }

  /// A whole message has arrived.
  func begin(_ message: consuming Message, _ arrival: MessageReader.Arrival) {
    var files: PeerFiles?
    if let job {
      rest.disarm()
      files = PeerFiles(job, count: arrival.descriptorCount)
      self.job = nil
    }
    switch consume message {
    case .read(let action): perform(action, nil, files, arrival.sender)
    case .prepared(let action, let prepared): perform(action, .parameters(prepared), files, arrival.sender)
    case .long(let bytes): readElsewhere(bytes, files, arrival.sender)
    }
  }

  private func readElsewhere(_ bytes: [UInt8], _ files: PeerFiles?, _ sender: MessageSender) {
    let most = server.mostHeldBytes
    guard user.heldBytes + bytes.count <= most else {
      return refuse("the user's messages have over \(most) bytes")
    }
    pause = .reading
    let (user, count) = (user, bytes.count)
    user.hold(count)
    let (methods, kept) = (server.methods, server.rewording?.parameters ?? [])
    user.thread.async { [weak self] in
      let begun = Clock.monotonic
      let reading = LongMessage(bytes, methods, keeping: kept)
      let end = Clock.monotonic
      Task { @EventLoopActor in
        user.share.spend(end - begun, until: end)
        guard let self, !self.isClosed else { return user.hold(-count) }
        self.pause = .none
        // Several may have been read since the loop looked. None is served here: that waits for its turn.
        let action = self.stream.session.received(reading.call)
        self.perform(action, reading.method, files, sender, holding: count, atNextTurn: true)
      }
    }
  }

  /// - Parameters:
  ///   - prepared: what serves it, where its parameters were read.
  ///   - byteCount: what the user was told that the message holds. What it asks for is kept for as long as it is served,
  ///     which for a subscription is long; that it names ten thousand assets costs no less after it was read.
  private func perform(
    _ action: ServerSession.CallAction, _ prepared: MethodImplementation.Read?,
    _ files: PeerFiles?, _ sender: MessageSender, holding byteCount: Int = 0, atNextTurn waits: Bool = false
  ) {
    switch action {
    case .serve(let call):
      let call = ServerCall(call, prepared, files: files ?? .none, sender: sender, connection: self)
      if byteCount > 0 { call.onEnd { [user] in user.hold(-byteCount) } }
      self.call = call
      server.statistics.calls += 1
      if waits { atNextTurn { [weak self] in self?.judge(call) } } else { judge(call) }
    case .close(let violation):
      user.hold(-byteCount)
      refuse(violation.description)
    }
  }

  private func judge(_ call: ServerCall) {
    switch server.admission.judge(call) {
    case .serve: serve(call)
    case .refuse(let error): call.fail(error)
    // Nothing else is read from the connection until then.
    case .wait: call.awaitVerdict()
    }
  }

  /// The verdict that a call has waited for.
  func judged(_ call: ServerCall, _ error: (any Error)?) {
    if let error { call.fail(error) } else { atNextTurn { [weak self] in self?.serve(call) } }
  }

  private func serve(_ call: ServerCall) {
    do {
      if let prepared = call.takePrepared() {
        try prepared.serve(call)
      } else {
        try server.method(call.call.method).serve(call)
      }
    } catch { call.fail(error) }
  }

  // MARK: Descriptors

  /// Has the porter receive what comes next, because descriptors come with it.
  func receiveElsewhere(_ byteCount: Int, from number: CInt) {
    pause = .descriptors
    if let job { return receive(byteCount, from: number, job) }
    server.porter.job(of: user.id) { [weak self] job in
      guard let self, !self.isClosed else { return job?.end() ?? () }
      guard let job else { return self.runShort("nobody is there to receive its descriptors") }
      self.job = job
      self.receive(byteCount, from: number, job)
    }
  }

  private func receive(_ byteCount: Int, from number: CInt, _ job: PorterJob) {
    let begun = EventLoop.shared.monotonicMicroseconds
    job.ask(Int(PORTER_RECEIVE), count: byteCount, with: number) { [weak self, user] answer in
      let now = EventLoop.shared.monotonicMicroseconds
      user.share.spend(now - begun, until: now)
      guard let self, !self.isClosed else { return }
      switch answer.error {
      case 0:
        self.pause = .none
        self.stream.reader.received(descriptors: Int(clamping: answer.count))
        self.rest.armUnlessArmed(after: self.server.limits.patience)
        self.readOn()
      case E2BIG: self.refuse("too many descriptors with one message")
      case EMFILE, ENFILE:
        self.runShort("the kernel had no room for all descriptors that it sent: see LimitNOFILE=")
      default: self.close()
      }
    }
  }

  // MARK: Answers

  func answer(_ message: [UInt8], continues: Bool, descriptors: DescriptorBatch?) {
    switch stream.session.reply(continues: continues) {
    case .send:
      let pendingBytes = stream.writer.pendingBytes
      if pendingBytes > server.limits.unreadStreamBytes {
        return refuse("it leaves over \(server.limits.unreadStreamBytes) bytes of a stream unread")
      }
      if pendingBytes > 0, user.heldBytes > server.mostHeldBytes {
        return refuse("its user leaves over \(server.mostHeldBytes) bytes unread")
      }
      send(message, descriptors)
    case .sendAndFinish:
      if EventLoop.shared.isTurnShared { sendLater(message, descriptors) } else { send(message, descriptors) }
      finishCall()
    case .dropAndFinish: finishCall()
    case .drop: break
    }
  }

  private func finishCall() {
    let finished = call
    call = nil
    finished?.end()
    goOn()
  }
}
