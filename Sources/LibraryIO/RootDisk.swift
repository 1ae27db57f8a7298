internal import EventLoop
internal import LibraryModel
internal import Linux

/// A root whose file system may not answer, as the loop sees it: jobs go to its ``RootThread``, answers come back, or
/// none do, and then it hangs (docs/decisions/0060-roots-that-hang.md).
@EventLoopActor
final class RootDisk {
  /// How long it may take to get any further, before the root is taken for one that hangs.
  static let patience = Duration.seconds(3)
  /// How many threads may be lost to a file system that never answers again.
  private static let mostThreads = 4

  private(set) var thread: RootThread
  private let volumes: Volumes
  private var threadCount = 1
  /// Whether it has not answered for so long that nothing is asked of it.
  private(set) var isHanging = false
  private var waiting: [Int: @EventLoopActor () -> Void] = [:]
  /// Those who wait for what is done elsewhere, for as long as this answers.
  private var elsewhere: [Int: @EventLoopActor () -> Void] = [:]
  private var lastJob = 0
  private let changed: @EventLoopActor () -> Void
  private var deadline: Timer?

  /// - Parameter changed: called when it begins to hang, and when it answers again.
  init(_ volumes: Volumes, changed: @escaping @EventLoopActor () -> Void) {
    self.volumes = volumes
    self.changed = changed
    thread = RootThread(volumes)
  }

  isolated deinit {
    deadline?.disarm()
    thread.stop()
    // Who waits is answered: something else is at its place now.
    let failed = waiting.merging(elsewhere) { one, _ in one }
    Task { @EventLoopActor in for number in failed.keys.sorted() { failed[number]?() } }
  }

  /// Has something done on the root's thread that the daemon does of its own accord.
  ///
  /// - Parameter done: called later with what came of it; with nil when the file system does not answer.
  func run<Value: Sendable>(
    _ turn: RootThread.Turn = .own, _ job: @escaping @Sendable (BeneathRoot) -> Value,
    then done: @escaping @EventLoopActor (Value?) -> Void
  ) {
    let number = lastJob + 1
    guard !isHanging,
      thread.submit(
        turn,
        { [weak self] disk in
          let value = job(disk)
          Task { @EventLoopActor in self?.answered(number, value, done) }
        })
    else {
      Task { @EventLoopActor in done(nil) }
      return
    }
    lastJob = number
    waiting[number] = { done(nil) }
    let timer = deadline ?? Timer { [unowned self] in look() }
    deadline = timer
    timer.armUnlessArmed(after: Self.patience)
  }

  /// The same, for somebody who asks for it, in turn with others: `nil` also when this user asks for too much already.
  ///
  /// - Parameter user: nil where it is the daemon, or a step of the edit that is under way.
  func run<Value: Sendable>(
    for user: UInt32?, _ job: @escaping @Sendable (BeneathRoot) -> Value
  ) async -> Value? {
    let turn = user.map(RootThread.Turn.asked) ?? (EditDeadline.present == nil ? .own : .edit)
    return await withCheckedContinuation { continuation in
      run(turn, job) { continuation.resume(returning: $0) }
    }
  }

  /// Waits for what is done with the file system elsewhere, however long it takes.
  ///
  /// - Returns: nil when the file system hangs: whatever is done goes on by itself.
  func whileAnswering<Value: Sendable>(_ body: @escaping @EventLoopActor () async -> Value) async -> Value? {
    await withCheckedContinuation { continuation in
      // Looked at within: waiting may begin with a turn of the loop.
      guard !isHanging else { return continuation.resume(returning: nil) }
      lastJob += 1
      let number = lastJob
      elsewhere[number] = { continuation.resume(returning: nil) }
      Task { @EventLoopActor [weak self] in
        let value = await body()
        // Else it was answered when this began to hang, or went.
        if self?.elsewhere.removeValue(forKey: number) != nil { continuation.resume(returning: value) }
      }
    }
  }

  private func answered<Value: Sendable>(
    _ number: Int, _ value: Value, _ done: @EventLoopActor (Value?) -> Void
  ) {
    guard waiting.removeValue(forKey: number) != nil else { return }
    if waiting.isEmpty { deadline?.disarm() }
    done(value)
  }

  private func look() {
    guard !waiting.isEmpty else { return }
    let now = Clock.monotonic
    let end = (thread.since ?? now) + Self.patience.microseconds
    guard end <= now else {
      deadline?.arm(after: .microseconds(end - now))
      return
    }
    giveUp()
  }

  /// From now on it counts as one that hangs, until it has answered.
  func giveUp() {
    guard !isHanging else { return }
    deadline?.disarm()
    isHanging = true
    let failed = waiting.merging(elsewhere) { one, _ in one }
    (waiting, elsewhere) = ([:], [:])
    // Told when the job is over that it is in.
    thread.dropWaiting()
    awaitAnswer()
    for number in failed.keys.sorted() { failed[number]?() }
    changed()
  }

  private func awaitAnswer() {
    let asked = thread
    // Also in the middle of a listing that hung: that goes on, and is for nobody.
    asked.submit(.edit) { [weak self] _ in Task { @EventLoopActor in self?.answersAgain(asked) } }
  }

  private func answersAgain(_ asked: RootThread) {
    guard isHanging, asked === thread else { return }
    isHanging = false
    asked.noteAnswer()
    threadCount = 1
    changed()
  }

  /// Something else may be there than what hangs: it is asked on another thread.
  func renew() {
    guard isHanging, threadCount < Self.mostThreads else { return }
    threadCount += 1
    thread.stop()
    thread = RootThread(volumes)
    isHanging = false
  }
}
