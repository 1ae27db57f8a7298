internal import CLinux
internal import EventLoop
internal import Glibc
internal import Linux

/// One child of the porter's, at work for one message of one connection.
///
/// It is asked one thing at a time. It ends when nobody wants it any more, and is there, for ``Porter`` to count,
/// until its process has ended.
@EventLoopActor
final class PorterJob: Hashable {
  private let socket: OwnedDescriptor
  private var source: IOSource?
  private var asked: [Request] = []
  /// What it is still to be given, in this order: for what comes first the kernel has no room (ETOOMANYREFS, unix(7)).
  private var unsent: [(request: porter_request, descriptor: CInt?)] = []
  private lazy var retry = Retry.forPeer { [unowned self] in flush() }
  /// Told once when it has been given all that it was asked, where that was not so when ``ask(_:index:count:with:goesOn:_:)``
  /// returned.
  var whenSent: (@EventLoopActor () -> Void)?
  private let give: Give
  private let ended: @EventLoopActor (PorterJob) -> Void
  private let patience: Duration
  private lazy var deadline = Timer { [unowned self] in giveUp() }
  private var keeps: AnyObject?
  /// Whether nothing further is asked of it.
  private var isOver = false

  typealias Reply = @EventLoopActor (Answer) -> Void
  /// sendmsg(2) with descriptors.
  typealias Give = (CInt, UnsafeRawPointer?, Int, UnsafePointer<CInt>?, Int) -> Int
  /// Told after each step how far it has come; says whether it goes on.
  typealias Progress = @EventLoopActor (Int64) -> Bool

  /// What it was asked, and has not answered yet.
  private struct Request {
    let reply: Reply
    let goesOn: Progress?
    /// Whether it was told to stop: once, as what comes later would be taken for the next.
    var isStopped = false
  }

  /// What became of a request.
  struct Answer: Sendable {
    var stage: UInt32
    /// errno, or 0.
    var error: CInt
    var count: UInt64
    var bytes: [UInt8] = []

    /// The child is no more.
    static let gone = Answer(stage: UInt32(PORTER_SOURCE), error: ECANCELED, count: 0)
    /// It does not get on.
    static let late = Answer(stage: UInt32(PORTER_SOURCE), error: ETIMEDOUT, count: 0)
  }

  /// - Returns: `nil` when the loop can watch no further descriptor.
  init?(
    _ socket: consuming OwnedDescriptor, patience: Duration, give: @escaping Give,
    ended: @escaping @EventLoopActor (PorterJob) -> Void
  ) {
    self.socket = socket
    self.patience = patience
    self.give = give
    self.ended = ended
    do throws(SystemError) {
      source = try IOSource(self.socket.number, .readable) { [unowned self] _ in read() }
    } catch { return nil }
  }

  /// Asks for something. The answer never comes before this returns.
  ///
  /// - Parameters:
  ///   - descriptor: goes with the request; whoever asks keeps it until ``hasSentAll``, or until this is answered.
  ///   - goesOn: asked after each step of what has several.
  func ask(
    _ kind: Int, index: Int = 0, count: Int, with descriptor: CInt? = nil, goesOn: Progress? = nil,
    _ reply: @escaping Reply
  ) {
    guard !isOver else {
      Task { @EventLoopActor in reply(.gone) }
      return
    }
    asked.append(Request(reply: reply, goesOn: goesOn))
    send(kind, index, count, descriptor)
    deadline.arm(after: patience)
  }

  /// Whether it has been given all that it was asked, so that its descriptors are its own.
  var hasSentAll: Bool { !isOver && unsent.isEmpty }

  /// It may take as long as it likes for what it was asked last and has been given, and ends then.
  ///
  /// - Parameter owner: kept until then.
  func leave(keeping owner: AnyObject?) {
    keeps = owner
    end()
  }

  /// Nobody wants it any more.
  func end() {
    guard !isOver else { return }
    isOver = true
    deadline.disarm()
    shutdown(socket.number, CInt(SHUT_WR))
    fail(.gone)
  }

  private func send(_ kind: Int, _ index: Int, _ count: Int, _ descriptor: CInt?) {
    let request = porter_request(
      kind: UInt32(kind), index: UInt32(clamping: index), count: UInt64(clamping: count))
    unsent.append((request, descriptor))
    flush()
  }

  private func flush() {
    while var next = unsent.first {
      let descriptors = next.descriptor.map { [$0] } ?? []
      let size = MemoryLayout.size(ofValue: next.request)
      let sent = give(socket.number, &next.request, size, descriptors, descriptors.count)
      if sent < 0 {
        // What all of this user's processes have sent and nobody has received counts together: that says nothing of the child.
        if errno == ETOOMANYREFS || errno == EAGAIN { retry.later() }
        // Otherwise the child has gone, which is noticed as every end is.
        return
      }
      unsent.removeFirst()
    }
    retry.end()
    let told = whenSent
    whenSent = nil
    told?()
  }

  private func read() {
    var answer = porter_reply()
    let size = MemoryLayout.size(ofValue: answer)
    let bytes = withUnsafeTemporaryAllocation(byteCount: size + Int(PORTER_MOST_BYTES), alignment: 8) {
      buffer in
      let count = recv(socket.number, buffer.baseAddress, buffer.count, CInt(MSG_DONTWAIT))
      guard count >= size else {
        return count < 0 && (errno == EAGAIN || errno == EINTR) ? [] : nil as [UInt8]?
      }
      answer = buffer.load(as: porter_reply.self)
      return Array(buffer[size..<count]) + [0]
    }
    guard let bytes else { return finish() }
    if bytes.isEmpty || asked.isEmpty { return }
    guard answer.stage != UInt32(PORTER_GOES_ON) else { return goOn(answer.count) }
    deadline.disarm()
    let reply = asked.removeFirst().reply
    reply(Answer(stage: answer.stage, error: answer.error, count: answer.count, bytes: bytes.dropLast()))
  }

  /// It has done another step of what it was asked.
  private func goOn(_ count: UInt64) {
    deadline.arm(after: patience)
    guard !asked[0].isStopped, let goesOn = asked[0].goesOn, !goesOn(Int64(clamping: count)) else { return }
    // It may be over by now.
    guard !isOver, !asked.isEmpty else { return }
    asked[0].isStopped = true
    send(Int(PORTER_STOP), 0, 0, nil)
  }

  /// It hangs where no signal ends it.
  private func giveUp() {
    isOver = true
    shutdown(socket.number, CInt(SHUT_WR))
    fail(.late)
  }

  /// Its process has ended.
  private func finish() {
    source?.cancel()
    source = nil
    isOver = true
    deadline.disarm()
    keeps = nil
    fail(.gone)
    ended(self)
  }

  private func fail(_ answer: Answer) {
    retry.end()
    unsent = []
    whenSent = nil
    let waiting = asked
    asked = []
    guard !waiting.isEmpty else { return }
    // Whoever ends it is not called back before that has returned.
    Task { @EventLoopActor in
      for entry in waiting { entry.reply(answer) }
    }
  }

  nonisolated static func == (one: PorterJob, other: PorterJob) -> Bool { one === other }
  nonisolated func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  isolated deinit {
    source?.cancel()
  }
}
