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
  enum Message {
    case read(ServerSession.CallAction)
    case long([UInt8])

    init(_ message: UnsafeBufferPointer<UInt8>, _ session: inout ServerSession) {
      self = message.count > longMessage ? .long(Array(message)) : .read(session.received(message))
    }
  }

  /// A whole message has arrived.
  func begin(_ message: Message, _ arrival: MessageReader.Arrival) {
    rest.disarm()
    let files = job.map { PeerFiles($0, count: arrival.descriptorCount) }
    job = nil
    switch message {
    case .read(let action): perform(action, nil, files, arrival.sender)
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
        self.perform(self.session.received(reading.call), reading, files, sender, holding: count)
      }
    }
  }

  /// - Parameter byteCount: what the user was told that the message holds. What it asks for is kept for as long as it is
  ///   served, which for a subscription is long; that it names ten thousand assets costs no less after it was read.
  private func perform(
    _ action: ServerSession.CallAction, _ reading: LongMessage?, _ files: PeerFiles?, _ sender: MessageSender,
    holding byteCount: Int = 0
  ) {
    switch action {
    case .serve(let call):
      let call = ServerCall(call, files: files ?? .none, sender: sender, connection: self)
      if byteCount > 0 { call.onEnd { [user] in user.hold(-byteCount) } }
      self.call = call
      server.statistics.calls += 1
      if reading == nil { judge(call, nil) } else { atNextTurn { [weak self] in self?.judge(call, reading) } }
    case .close(let violation):
      user.hold(-byteCount)
      refuse(violation.description)
    }
  }

  private func judge(_ call: ServerCall, _ reading: LongMessage?) {
    let verdict = server.admission.judge(call) { [weak self] error in
      guard let self, !call.isOver else { return }
      if let error { call.fail(error) } else { self.atNextTurn { [weak self] in self?.serve(call, reading) } }
    }
    switch verdict {
    case .serve: serve(call, reading)
    case .refuse(let error): call.fail(error)
    // Nothing else is read from the connection until then.
    case .wait: break
    }
  }

  private func serve(_ call: ServerCall, _ reading: LongMessage?) {
    do {
      if let reading {
        try reading.method.get()(call)
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
        self.reader.received(descriptors: Int(clamping: answer.count))
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
    switch session.reply(continues: continues) {
    case .send:
      if writer.pendingBytes > server.limits.unreadStreamBytes {
        return refuse("it leaves over \(server.limits.unreadStreamBytes) bytes of a stream unread")
      }
      if writer.pendingBytes > 0, user.heldBytes > server.mostHeldBytes {
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
