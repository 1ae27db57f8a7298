internal import EventLoop
internal import Linux
internal import Synchronization

/// Threads for files that peers gave. Reading one waits for the disk, or for a file system of the peer's own that
/// never answers.
///
/// What an app brings is read one after another, so that two copies do not share a disk. One that does not get on
/// is left to itself, and the next begins, the sooner the more of them there are. How many can be stuck is the
/// quota of connections: each serves one call, and counts until the last of it is over.
@EventLoopActor
final class UserThreads {
  /// Whose files they are.
  struct Key: Hashable, Sendable {
    let uid: UInt32
    let appID: String
  }

  @EventLoopActor
  private final class Job {
    let progress = WorkProgress()
    /// On a thread, to its end.
    let work: @Sendable (WorkProgress) -> Void
    /// Whether it was left to itself.
    var isLeft = false

    init(_ work: @escaping @Sendable (WorkProgress) -> Void) {
      self.work = work
    }
  }

  private final class Lane {
    var current: Job?
    var waiting: [Job] = []
    /// How far the current one was when it was last looked at.
    var steps = 0
    var timer: Timer?
    /// How many are left to themselves. The more, the shorter the next waits.
    var left = 0
  }

  private var lanes: [Key: Lane] = [:]
  /// How many apps have something to be read.
  var laneCount: Int { lanes.count }
  private let patience: Duration

  /// - Parameter patience: how long the next waits for one that does not get on.
  init(patience: Duration = .seconds(1)) {
    self.patience = patience
  }

  /// Runs `body` on a thread when it is its turn. When the task is cancelled, because its peer has gone, it is told
  /// so, and begins at once if it has not.
  func run<Value: Sendable>(
    for key: Key, _ body: @escaping @Sendable (WorkProgress) -> Value
  ) async -> Value {
    let reference = Reference()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let job = Job { progress in continuation.resume(returning: body(progress)) }
        reference.job = job
        add(job, key)
      }
    } onCancel: {
      Task { @EventLoopActor in
        if let job = reference.job { self.cancel(job, key) }
      }
    }
  }

  /// The job of a task that may be cancelled before it has one.
  @EventLoopActor
  private final class Reference {
    var job: Job?
  }

  private func add(_ job: Job, _ key: Key) {
    let lane = lanes[key] ?? Lane()
    lanes[key] = lane
    if lane.current == nil { start(job, lane, key) } else { lane.waiting.append(job) }
  }

  private func start(_ job: Job, _ lane: Lane, _ key: Key) {
    lane.current = job
    lane.steps = 0
    let timer =
      lane.timer
      ?? Timer { [weak self] in self?.look(at: key) }
    lane.timer = timer
    timer.arm(after: patience(left: lane.left))
    begin(job, key)
  }

  /// How long the next waits when so many are left to themselves.
  func patience(left: Int) -> Duration { patience / (1 << min(left, 7)) }

  private func begin(_ job: Job, _ key: Key) {
    let work = job.work
    let progress = job.progress
    ThreadReserve.shared.run {
      work(progress)
      Task { @EventLoopActor [weak self] in self?.ended(job, key) }
    }
  }

  private func ended(_ job: Job, _ key: Key) {
    guard let lane = lanes[key] else { return }
    if lane.current === job { return next(lane, key) }
    if job.isLeft { lane.left -= 1 }
    removeIfUnused(lane, key)
  }

  private func next(_ lane: Lane, _ key: Key) {
    lane.current = nil
    lane.timer?.disarm()
    if !lane.waiting.isEmpty { start(lane.waiting.removeFirst(), lane, key) }
    removeIfUnused(lane, key)
  }

  private func removeIfUnused(_ lane: Lane, _ key: Key) {
    if lane.current == nil, lane.left == 0 { lanes[key] = nil }
  }

  /// The next has waited as long as it does for one that does not get on.
  func look(at key: Key) {
    guard let lane = lanes[key], let job = lane.current else { return }
    let steps = job.progress.steps
    if steps == lane.steps { return leave(job, lane, key) }
    lane.steps = steps
    lane.timer?.arm(after: patience(left: lane.left))
  }

  private func leave(_ job: Job, _ lane: Lane, _ key: Key) {
    job.isLeft = true
    lane.left += 1
    next(lane, key)
  }

  private func cancel(_ job: Job, _ key: Key) {
    job.progress.cancel()
    guard let lane = lanes[key], let index = lane.waiting.firstIndex(where: { $0 === job }) else { return }
    begin(lane.waiting.remove(at: index), key)
  }
}

/// What a thread at work and the loop let each other know.
final class WorkProgress: Sendable {
  private let count = Atomic(0)
  private let isCancelled = Atomic(false)

  /// How far it is.
  var steps: Int { count.load(ordering: .relaxed) }

  /// Nobody waits for it any more.
  func cancel() { isCancelled.store(true, ordering: .relaxed) }

  /// It gets on.
  ///
  /// - Returns: whether it shall.
  func step() -> Bool {
    count.add(1, ordering: .relaxed)
    return !isCancelled.load(ordering: .relaxed)
  }
}
