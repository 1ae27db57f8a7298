internal import CLinux
internal import EventLoop
internal import Linux

/// Closes the connections of one user that have descriptors in them, one after the other in one process: who leaves a hundred
/// of them keeps one processor busy, for as long as that takes. One that takes long is left to its process, which counts as a
/// job of the user's until it has ended, and the next has another.
@EventLoopActor
final class UserCloser {
  /// A connection, what counts until it is closed, and who is told then.
  struct Unclosed {
    let connection: CInt
    let owner: AnyObject?
    let done: @EventLoopActor () -> Void
  }

  private var waiting = FirstInFirstOut<Unclosed>()
  private var current: Unclosed?
  /// Whether its last descriptor is this process's, since the child could not be given it yet: closing that here could hang.
  private var isHere = false
  private var job: PorterJob?
  private var isExpectingJob = false
  private unowned let porter: Porter
  private let user: UInt32
  private lazy var overdue = Timer { [unowned self] in leave() }

  init(_ porter: Porter, of user: UInt32) {
    self.porter = porter
    self.user = user
  }

  /// Closes one more, after the others.
  func add(_ unclosed: Unclosed) {
    waiting.append(unclosed)
    goOn()
  }

  private func goOn() {
    guard current == nil, !isExpectingJob else { return }
    guard !waiting.isEmpty else {
      job?.end()
      job = nil
      return porter.isIdle(user)
    }
    guard let job else { return expectJob() }
    guard let next = waiting.popFirst() else { return }
    current = next
    isHere = true
    job.ask(Int(PORTER_CLOSE), count: 0, with: next.connection) { [weak self] answer in
      self?.answered(by: job, isGone: answer.error != 0)
    }
    if job.hasSentAll { return handedOver() }
    job.whenSent = { [weak self] in self?.handedOver() }
  }

  /// The child has the connection that is being closed: from here on its own is the last.
  private func handedOver() {
    guard let current else { return }
    isHere = false
    _ = OwnedDescriptor(owning: current.connection)
    overdue.arm(after: porter.limits.closing)
  }

  private func expectJob() {
    isExpectingJob = true
    porter.job(of: user) { [weak self] job in
      guard let self else { return job?.end() ?? () }
      isExpectingJob = false
      self.job = job
      if job == nil { closeHere() }
      goOn()
    }
  }

  private func answered(by job: PorterJob, isGone: Bool) {
    guard job === self.job, let closed = current else { return }
    if isGone { return isHere ? tryAgain() : leave() }
    overdue.disarm()
    current = nil
    porter.closed(closed.done)
    goOn()
  }

  /// The child has gone, or did not get the connection in time: another is to close it.
  private func tryAgain() {
    guard let left = current else { return }
    (job, current, isHere) = (nil, nil, false)
    waiting.append(left)
    goOn()
  }

  /// The one that is being closed takes long, or its process has gone.
  private func leave() {
    overdue.disarm()
    guard let job, let left = current else { return }
    self.job = nil
    current = nil
    porter.leave(job, keeping: left.owner, left.done)
    goOn()
  }

  /// Without a porter there is nobody else to close them.
  private func closeHere() {
    while let next = waiting.popFirst() {
      _ = OwnedDescriptor(owning: next.connection)
      let done = next.done
      EventLoopActor.afterReturn { [porter] in porter.closed(done) }
    }
  }
}
