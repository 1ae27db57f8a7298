internal import EventLoop
internal import Glibc
internal import LibraryModel
internal import Linux
internal import Storage

/// Searches of the index that take longer than the loop may: each on a thread and a connection of its own
/// (docs/decisions/0108-long-queries.md).
///
/// One of a user at a time, and some of all: the others wait, and users take turns. Those that have begun go on in slices
/// (``SearchSlices``). When the write-ahead log is over its bound,
/// none begins before those under way have ended and it was cut; for that nobody waits longer than some seconds.
@EventLoopActor
final class LongQueries {
  /// What was found, in the index as it was at a place or later.
  struct Found<Value: Sendable>: Sendable {
    let value: Value
    let place: Place
  }

  /// One that waits for its turn.
  @EventLoopActor
  private final class Waiting {
    let user: UInt32
    /// Told whether it is its turn; nil once it was told.
    var continuation: CheckedContinuation<Bool, Never>?

    init(user: UInt32) { self.user = user }
  }

  /// So much one may take: a search of a million assets takes a fifteenth of it at most.
  nonisolated static let mostOperations = 1_000_000_000

  private let store: any LibraryReading
  private let settle: @EventLoopActor () throws -> Void
  /// How many of SQLite's virtual machine one may take.
  var operations: Int
  /// Runs a search on a thread of its own; where there is none, on one that is kept for that.
  var start: @EventLoopActor (@escaping @Sendable () -> Void) -> Void
  /// When each that is under way is to stop.
  private var running: [UInt32: SearchLimit] = [:]
  private var slices = SearchSlices()
  /// Has the threads of those that rest go on.
  private var resting: [UInt32: Rest] = [:]
  private var waiting: [UInt32: [Waiting]] = [:]
  /// Users who wait and have none under way; whose turn is next comes first.
  private var turns: [UInt32] = []
  /// Ends those that keep others waiting since the write-ahead log is over its bound.
  private(set) lazy var ending = Timer { [unowned self] in running.values.forEach { $0.end() } }
  /// So long they may.
  var patience = Duration.seconds(5)
  /// Whether the write-ahead log is being cut.
  private var isCutting = false

  /// - Parameters:
  ///   - store: the index.
  ///   - settle: commits what was written and put off, so that it is found.
  ///   - operations: of SQLite's virtual machine, that one may take.
  init(
    _ store: any LibraryReading, operations: Int = LongQueries.mostOperations,
    settle: @escaping @EventLoopActor () throws -> Void
  ) {
    self.store = store
    self.operations = operations
    self.settle = settle
    let kept = KeptThread()
    start = { search in
      if !runDetached(search) { kept.async(search) }
    }
  }

  /// How many are under way, and how many wait.
  struct Counts: Equatable {
    let running, waiting: Int
  }

  /// The same, now.
  var counts: Counts {
    Counts(running: running.count, waiting: waiting.values.reduce(0) { $0 + $1.count })
  }

  /// Searches the index when it is this user's turn.
  ///
  /// - Parameter prepare: called then, says what to do on the other thread.
  /// - Throws: what both do; `CancellationError` once the task is cancelled, also in the middle of a search;
  ///   ``SearchLimit/Reached`` where it takes too much.
  func run<Value: Sendable>(
    for user: UInt32, _ prepare: () throws -> @Sendable (LibraryReader) throws -> Value
  ) async throws -> Found<Value> {
    try await turn(of: user)
    defer { end(user) }
    try Task.checkCancellation()
    // Where that fails, what is committed is older than what was told, and so is the place that goes with it.
    try? settle()
    let (place, apart) = (store.committedPlace, store.apart)
    let body = try prepare()
    let limit = running[user] ?? limit(of: user)
    let result: Result<Value, any Error> = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        start {
          continuation.resume(returning: Result { try apart.read(limit, body) })
        }
      }
    } onCancel: {
      limit.cancel()
    }
    try Task.checkCancellation()
    return Found(value: try result.get(), place: place)
  }

  // MARK: Turns

  /// Waits for one, which is to be ended.
  private func turn(of user: UInt32) async throws(CancellationError) {
    let mine = Waiting(user: user)
    let isMine = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        mine.continuation = continuation
        if running[user] == nil, waiting[user] == nil { turns.append(user) }
        waiting[user, default: []].append(mine)
        if Task.isCancelled { leave(mine) } else { takeTurns() }
      }
    } onCancel: {
      Task { @EventLoopActor in self.leave(mine) }
    }
    guard isMine else { throw CancellationError() }
  }

  /// Nobody waits for it any more; unless it has its turn already.
  private func leave(_ one: Waiting) {
    guard let continuation = one.continuation else { return }
    one.continuation = nil
    let rest = (waiting[one.user] ?? []).filter { $0 !== one }
    waiting[one.user] = rest.isEmpty ? nil : rest
    if rest.isEmpty { turns.removeAll { $0 == one.user } }
    if turns.isEmpty { ending.disarm() }
    continuation.resume(returning: false)
  }

  private func limit(of user: UInt32) -> SearchLimit {
    SearchLimit(operations: operations, slice: SearchSlices.operations) { [weak self] in
      let rest = Rest()
      Task { @EventLoopActor in if let self { self.rest(user, rest) } else { rest.end() } }
      rest.wait()
    }
  }

  /// It has had a slice.
  private func rest(_ user: UInt32, _ rest: Rest) {
    resting[user] = rest
    slices.rest(user)
    goOn()
    // It had a place that another may have.
    takeTurns()
  }

  private func goOn() {
    while let user = slices.next() { resting.removeValue(forKey: user)?.end() }
  }

  private func end(_ user: UInt32) {
    running[user] = nil
    slices.end(user)
    goOn()
    // Behind the others.
    if waiting[user] != nil { turns.append(user) }
    takeTurns()
  }

  private func takeTurns() {
    guard !isCutting, !turns.isEmpty else { return }
    guard store.isLogFull else { return begin() }
    // The last of them comes here again.
    guard running.isEmpty else { return ending.armUnlessArmed(after: patience) }
    isCutting = true
    // Else what is put off keeps it from that for a while.
    try? settle()
    store.cutLog { [weak self] in Task { @EventLoopActor in self?.wasCut() } }
  }

  /// Or it could not be: then it is not for a search's sake, and some have their turn before it is tried again.
  private func wasCut() {
    isCutting = false
    begin()
  }

  private func begin() {
    ending.disarm()
    while slices.hasRoom, !turns.isEmpty {
      let user = turns.removeFirst()
      guard var queue = waiting[user] else { continue }
      let first = queue.removeFirst()
      waiting[user] = queue.isEmpty ? nil : queue
      running[user] = limit(of: user)
      slices.begin(user)
      let continuation = first.continuation
      first.continuation = nil
      continuation?.resume(returning: true)
    }
  }
}

/// Where the thread of a search that has had its slice waits until it goes on.
private final class Rest: Sendable {
  /// Unsafe only in that it is a pointer: sem_post(3) and sem_wait(3) may be called from any thread.
  private nonisolated(unsafe) let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(signal, 0, 0) }

  deinit {
    sem_destroy(signal)
    signal.deallocate()
  }

  func wait() { while sem_wait(signal) != 0 {} }
  func end() { sem_post(signal) }
}
