internal import CLinux
public import EventLoop
internal import Glibc
public import Linux

/// Takes what peers send with their messages: descriptors of files and sockets of their own making, which can make
/// whoever receives, reads or closes them wait for ever, and let no signal end that (CLinux/porter.c).
///
/// It is a process of its own, forked when the daemon starts, with a child for each job. A user has so many jobs at a
/// time, and one that hangs counts for as long as its process is there: what else that user sends waits.
@EventLoopActor
public final class Porter {
  /// What a user may have.
  public struct Limits: Sendable {
    /// Jobs of one user at a time.
    public var jobsPerUser = 16
    /// How long a job may take for one step. After that it is left to itself.
    public var patience = Duration.seconds(40)
    /// How long closing a connection may take before the user's next one is closed beside it.
    public var closing = Duration.milliseconds(100)

    /// The defaults.
    public init() {}
  }

  private let control: OwnedDescriptor
  let limits: Limits
  private var jobs: [UInt32: Set<PorterJob>] = [:]
  /// Who gets a job.
  private var waiting: [UInt32: [@EventLoopActor (PorterJob?) -> Void]] = [:]
  /// What closes connections, by user.
  private var closers: [UInt32: UserCloser] = [:]
  /// Who is told when those that take long to close a connection have ended.
  private var closing: [PorterJob: @EventLoopActor () -> Void] = [:]
  /// Asks the process for one, unless a test says otherwise.
  var newJob: (CInt) -> CInt = linux_porter_job
  /// Gives a job what it is asked, unless a test says otherwise.
  var give: PorterJob.Give = linux_send_descriptors
  /// Asks again where the porter was behind.
  private lazy var retry = Timer { [unowned self] in beginAll() }

  /// Connections that are still to be closed.
  public private(set) var unclosedCount = 0

  /// Forks the process.
  ///
  /// - Precondition: the calling process has no other threads yet, or is a test.
  /// - Throws: ``Linux/SystemError``: no process or no descriptor is to be had.
  public nonisolated static func fork() throws(SystemError) -> OwnedDescriptor {
    try OwnedDescriptor(linux_start_porter(), call: "fork", subject: "porter")
  }

  /// - Parameter control: what ``fork()`` gave.
  public init(control: consuming OwnedDescriptor, limits: Limits = Limits()) {
    self.control = control
    self.limits = limits
  }

  /// How many jobs of all users there are.
  public var jobCount: Int { jobs.values.reduce(0) { $0 + $1.count } }

  // MARK: Jobs

  /// Gives a job as soon as the user may have one more: never before this returns.
  ///
  /// - Parameter given: gets nothing when the porter is gone.
  func job(of uid: UInt32, _ given: @escaping @EventLoopActor (PorterJob?) -> Void) {
    waiting[uid, default: []].append(given)
    Task { @EventLoopActor in begin(uid) }
  }

  /// Closes a connection whose peer has sent what nobody received.
  ///
  /// - Parameters:
  ///   - owner: kept until then.
  ///   - done: told then, and never before this returns.
  func close(
    _ connection: consuming OwnedDescriptor, of uid: UInt32, keeping owner: AnyObject?,
    done: @escaping @EventLoopActor () -> Void
  ) {
    unclosedCount += 1
    let closer = closers[uid] ?? UserCloser(self, of: uid)
    closers[uid] = closer
    closer.add(.init(connection: connection.take(), owner: owner, done: done))
  }

  /// Nothing of a user's is to be closed any more.
  func isIdle(_ uid: UInt32) { closers[uid] = nil }

  /// A job takes long to close a connection, which is closed when that has ended.
  func leave(_ job: PorterJob, keeping owner: AnyObject?, _ done: @escaping @EventLoopActor () -> Void) {
    // Its process may have ended.
    guard jobs.values.contains(where: { $0.contains(job) }) else { return closed(done) }
    closing[job] = done
    job.leave(keeping: owner)
  }

  private func beginAll() {
    for uid in waiting.keys { begin(uid) }
  }

  private func begin(_ uid: UInt32) {
    while let next = waiting[uid]?.first, jobs[uid]?.count ?? 0 < limits.jobsPerUser {
      let socket = newJob(control.number)
      if socket < 0, errno == EAGAIN { return retry.armUnlessArmed(after: .milliseconds(5)) }
      // The last is of what all processes of this user have sent and nobody has received (unix(7)).
      if socket < 0, [EMFILE, ENFILE, ENOMEM, ENOBUFS, ETOOMANYREFS].contains(errno) {
        return retry.armUnlessArmed(after: .milliseconds(100))
      }
      waiting[uid]?.removeFirst()
      if waiting[uid]?.isEmpty == true { waiting[uid] = nil }
      begin(next, socket < 0 ? nil : OwnedDescriptor(owning: socket).take(), uid)
    }
  }

  private func begin(_ given: @EventLoopActor (PorterJob?) -> Void, _ socket: CInt?, _ uid: UInt32) {
    let job = socket.flatMap { number in
      PorterJob(OwnedDescriptor(owning: number), patience: limits.patience, give: give) {
        [unowned self] in ended($0, uid)
      }
    }
    if let job { jobs[uid, default: []].insert(job) }
    given(job)
  }

  private func ended(_ job: PorterJob, _ uid: UInt32) {
    jobs[uid]?.remove(job)
    if jobs[uid]?.isEmpty == true { jobs[uid] = nil }
    if let done = closing.removeValue(forKey: job) { closed(done) }
    begin(uid)
  }

  /// A connection is closed.
  func closed(_ done: @EventLoopActor () -> Void) {
    unclosedCount -= 1
    done()
  }
}
