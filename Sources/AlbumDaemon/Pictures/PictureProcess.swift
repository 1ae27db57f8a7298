internal import EventLoop
internal import Glibc
internal import Linux
internal import PictureAPI
internal import Varlink
internal import VarlinkTransport

/// One process that reads pictures, as the loop sees it: calls go out, replies come back, and whatever else happens is
/// its end. It is not trusted: what it says is bounded in size and time.
@EventLoopActor
final class PictureProcess {
  /// A reply, and what came with it.
  struct Answer {
    let reply: Reply
    let descriptors: DescriptorBatch
  }

  typealias Completion = @EventLoopActor (Answer) -> Void

  private let socket: OwnedDescriptor
  private let process: pid_t?
  private var source: IOSource?
  private var reader = MessageReader(limit: PictureProcess.longestReply, descriptors: .received)
  private var writer = MessageWriter()
  private var session = ClientSession<Completion>()
  private var isOver = false
  private let died: @EventLoopActor (_ isOurLack: Bool) -> Void
  private lazy var deadline = Timer { [unowned self] in fail() }
  /// So long each reply may take; more than it gives itself.
  var patience: Duration

  /// A description is a few hundred bytes.
  private static let longestReply = 1 << 16

  /// - Parameter died: told, once, when it is of no further use: it has ended, hangs, breaks the protocol, or has sent a
  ///   descriptor for which this process has no number left, which is the latter's lack. Then no reply comes any more.
  init(
    _ socket: consuming OwnedDescriptor, process: pid_t?, patience: Duration,
    died: @escaping @EventLoopActor (_ isOurLack: Bool) -> Void
  ) {
    self.died = died
    self.socket = socket
    self.process = process
    self.patience = patience
    do throws(SystemError) {
      source = try IOSource(self.socket.number, .readable) { [unowned self] _ in read() }
    } catch { EventLoopActor.afterReturn { [self] in fail() } }
  }

  /// Calls it. Nothing is told before this returns.
  func call(_ call: Call, descriptors: DescriptorBatch? = nil, _ completion: @escaping Completion) {
    session.sent(call, completion)
    do throws(SystemError) {
      try writer.send(call.encoded(), descriptors: descriptors, to: socket.number)
      // Calls are small, and two at a time: who does not even take that is not at work.
      guard writer.isEmpty else { throw SystemError("sendmsg", code: EAGAIN) }
    } catch {
      // Others leave too many descriptors unread (unix(7)): that says nothing of the picture.
      let isOurLack = error.code == ETOOMANYREFS
      return EventLoopActor.afterReturn { [self] in fail(isOurLack: isOurLack) }
    }
    deadline.arm(after: patience, accuracy: .seconds(1))
  }

  private func read() {
    while source != nil {
      do {
        if let action = try next() {
          switch action {
          case .finish(let completion, let answer): finish(completion, answer)
          case .failed: fail()
          }
          continue
        }
        switch try reader.fill(from: socket.number) {
        case .read: break
        case .wouldBlock, .descriptors: return
        case .endOfStream: return fail()
        }
      } catch MessageReader.Failure.descriptorsLost {
        return fail(isOurLack: Self.hasNoNumbersLeft)
      } catch { return fail() }
    }
  }

  /// Whether no more files can be opened: descriptors are also lost where somebody sends more than there may be.
  private static var hasNoNumbersLeft: Bool {
    let number = open("/dev/null", O_RDONLY | O_CLOEXEC)
    guard number < 0 else {
      Glibc.close(number)
      return false
    }
    return errno == EMFILE || errno == ENFILE
  }

  private enum Step {
    case finish(Completion, Answer)
    case failed
  }

  private func next() throws -> Step? {
    try reader.next { message, arrival in
      switch session.received(message) {
      case .finish(let completion, let reply):
        .finish(completion, Answer(reply: reply, descriptors: arrival.descriptors ?? DescriptorBatch()))
      // No call asked for several replies.
      case .deliver, .close: .failed
      }
    }
  }

  private func finish(_ completion: Completion, _ answer: Answer) {
    if session.isIdle { deadline.disarm() } else { deadline.arm(after: patience, accuracy: .seconds(1)) }
    completion(answer)
  }

  private func fail(isOurLack: Bool = false) {
    guard !isOver else { return }
    closeSource()
    died(isOurLack)
  }

  private func closeSource() {
    isOver = true
    source?.cancel()
    source = nil
    deadline.disarm()
  }

  /// Ends it, without answers to what was asked.
  ///
  /// - Parameter gone: told when it is no more, and never before this returns.
  func end(_ gone: @escaping @EventLoopActor () -> Void) {
    closeSource()
    shutdown(socket.number, CInt(SHUT_RDWR))
    guard let process else { return EventLoopActor.afterReturn(gone) }
    // A file system that does not answer keeps it from ending: it is waited for where nobody else waits.
    ThreadReserve.shared.run {
      kill(process, SIGKILL)
      while waitpid(process, nil, 0) < 0, errno == EINTR {}
      Task { @EventLoopActor in gone() }
    }
  }

  isolated deinit { source?.cancel() }
}
