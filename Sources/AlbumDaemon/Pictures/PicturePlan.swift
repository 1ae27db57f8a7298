/// Which job is given to which process, without IO: time is passed in, as microseconds that only grow.
///
/// A process does one job at a time. It either serves who waits or, once told so, gives way to everybody else; it cannot
/// be told the contrary. So it is ended where somebody waits and all that there may be give way. Who gives way has the
/// next job as well, so that it does not stand still until its answer was read.
///
/// Nobody waits for another client's jobs as long as there may be one more process: a client of which nothing is being done
/// has one at once, whatever the others are at (docs/decisions/0150-a-process-beside-others.md).
///
/// It is long because which process has which job depends on all that wait and all that run: a part by itself could not say
/// whom it keeps waiting.
struct PicturePlan {
  typealias JobID = Int
  typealias ProcessID = Int

  /// What is to be done, in this order.
  enum Action: Hashable {
    /// Start a process, and say what became of it.
    case start(ProcessID)
    /// Tell a process that it gives way from here on.
    case giveWay(ProcessID)
    /// Give a job to a process, and say when it is done.
    case give(JobID, ProcessID)
    /// End a process, and say when it has gone.
    case end(ProcessID)
    /// Nothing comes of a job.
    case fail(JobID, PictureFailure)
  }

  struct Limits {
    /// How many jobs that somebody waits for are done at a time, but for a first one of each other client.
    var processes = 1
    /// How many processes more there may be for those, so that nobody waits for what another client's jobs take.
    var others = 0
    /// How many processes there are at most, besides those that have been ended and are not gone.
    var most: Int { processes + others }
    /// How many jobs wait at most, of each urgency.
    var waiting = 512
    /// How many of them are one user's at most.
    var waitingOfUser = 128
    /// So long a process without work is kept.
    var rest: UInt64 = 60_000_000
    /// So long one that served somebody is kept from what nobody waits for: there may be more.
    var calm: UInt64 = 2_000_000
    /// So long one goes on for its circle while another circle waits, for a client while another waits of which nothing is
    /// being done, and there may be no more; and with what nobody wants any more.
    var turn: UInt64 = 250_000
    /// So long nothing is started after that has failed; twice as long each time, and so long at most.
    var pause: UInt64 = 1_000_000
    var longestPause: UInt64 = 60_000_000
  }

  struct Process {
    enum State: Hashable {
      case starting
      case free(since: UInt64)
      case busy(JobID)
      /// It has been ended, and may hang where no signal reaches it.
      case ending
    }

    var state = State.starting
    /// What it has after the job that it does, which nobody waits for either.
    var next: JobID?
    var givesWay = false
    /// It has served nothing yet.
    var isFresh = true
    /// Whose jobs it does; anybody's before its first.
    var circle: PictureDemand.Circle?
    /// Who asked for the job that it was given last, whether or not anybody still wants the answer.
    var client: PictureDemand.Client?
    /// When it was given its first job.
    var firstJob: UInt64 = 0
    /// When it began what it does.
    var begun: UInt64 = 0
  }

  struct Job {
    let demand: PictureDemand
    /// Where it waits: of each client one in each round.
    var round: Int
    /// Whether it was ended once for another client's, after which it is let end (``PicturePlan/kept``).
    var wasEnded = false
    /// Whether its process died, so that it is tried once more, in a fresh one.
    var hasBroken = false
  }

  let limits: Limits
  var processes: [ProcessID: Process] = [:]
  var jobs: [JobID: Job] = [:]
  /// By urgency, in order.
  var waiting: [[JobID]] = PictureUrgency.allCases.map { _ in [] }
  /// The round of the job that was given last, by urgency.
  var rounds: [Int] = PictureUrgency.allCases.map { _ in 0 }
  /// In which round each client was given one last, by urgency; forgotten when nothing waits.
  var servedIn: [[PictureDemand.Client: Int]] = PictureUrgency.allCases.map { _ in [:] }
  var nextProcess = 0
  private var failures = 0
  var pausedUntil: UInt64 = 0
  /// When it was looked last what could be done.
  var looked: UInt64 = 0

  init(_ limits: Limits) { self.limits = limits }

  /// Whether no process could be started the last time.
  var isFailing: Bool { failures > 0 }

  /// What a process is about.
  func job(of process: ProcessID) -> JobID? {
    if case .busy(let job)? = processes[process]?.state { job } else { nil }
  }

  // MARK: What happens

  /// A job is to be done. Of those that are as urgent, each client's first comes before anybody's second.
  mutating func add(_ job: JobID, _ demand: PictureDemand, at now: UInt64) -> [Action] {
    let urgency = demand.urgency.rawValue
    let own = waiting[urgency].filter { jobs[$0]?.demand.client == demand.client }
    guard waiting[urgency].count < limits.waiting else { return [.fail(job, .busy)] }
    if case .user = demand.client, own.count >= limits.waitingOfUser { return [.fail(job, .busy)] }
    // Nobody waits for an answer that takes as long as the pause does.
    if failures > 0, now < pausedUntil, live == 0 { return [.fail(job, .unavailable)] }
    if waiting[urgency].isEmpty { servedIn[urgency] = [:] }
    let last = own.last.flatMap { jobs[$0]?.round } ?? servedIn[urgency][demand.client]
    let round = max(rounds[urgency], last.map { $0 + 1 } ?? 0)
    jobs[job] = Job(demand: demand, round: round)
    enqueue(job)
    return assign(at: now)
  }

  /// Nobody wants a job any more. One that is being done goes on to the end of its turn, unless somebody needs its place.
  mutating func cancel(_ job: JobID, at now: UInt64) -> [Action] {
    guard let urgency = jobs.removeValue(forKey: job)?.demand.urgency else { return [] }
    waiting[urgency.rawValue].removeAll { $0 == job }
    return tick(at: now)
  }

  /// A process is ready for its first job.
  mutating func started(_ process: ProcessID, at now: UInt64) -> [Action] {
    failures = 0
    guard processes[process]?.state == .starting else { return [] }
    processes[process]?.state = .free(since: now)
    return assign(at: now)
  }

  /// A process could not be started, or ended before it was ready.
  mutating func failedToStart(_ process: ProcessID, at now: UInt64) -> [Action] {
    processes[process] = nil
    failures = min(failures + 1, 32)
    pausedUntil = now + min(limits.pause << UInt64(failures - 1), limits.longestPause)
    guard live == 0 else { return [] }
    let lost = waiting.joined()
    waiting = waiting.map { _ in [] }
    for job in lost { jobs[job] = nil }
    return lost.map { .fail($0, .unavailable) }
  }

  /// A process has answered about its job, whatever it said.
  ///
  /// - Returns: whether somebody still wants the answer.
  mutating func answered(_ process: ProcessID, at now: UInt64) -> (isWanted: Bool, [Action]) {
    guard case .busy(let job)? = processes[process]?.state else { return (false, []) }
    let next = processes[process]?.next
    processes[process]?.next = nil
    let isWanted = jobs.removeValue(forKey: job) != nil
    processes[process]?.state = next.map { .busy($0) } ?? .free(since: now)
    processes[process]?.isFresh = false
    processes[process]?.begun = now
    return (isWanted, assign(at: now))
  }

  /// A process has died, or is to die: it hangs, or has answered what it may not.
  ///
  /// - Parameter isOurLack: its answer could not be received, for this process may have no more files open: nothing is said
  ///   about the job's file.
  mutating func lost(_ process: ProcessID, isOurLack: Bool, at now: UInt64) -> [Action] {
    guard let former = processes[process], former.state != .ending else { return [] }
    processes[process]?.state = .ending
    var actions: [Action] = [.end(process)]
    putBack(former.next)
    if case .busy(let job) = former.state, let known = jobs[job] {
      if isOurLack {
        jobs[job] = nil
        actions.append(.fail(job, .busy))
      } else if known.hasBroken {
        jobs[job] = nil
        actions.append(.fail(job, .broke))
      } else {
        jobs[job]?.hasBroken = true
        waiting[known.demand.urgency.rawValue].insert(job, at: 0)
      }
    }
    return actions + assign(at: now)
  }

  /// A process that was ended is no more.
  mutating func gone(_ process: ProcessID, at now: UInt64) -> [Action] {
    processes[process] = nil
    return assign(at: now)
  }

  /// Time has passed: ``deadline`` for one.
  mutating func tick(at now: UInt64) -> [Action] {
    endUnwanted(at: now) + assign(at: now) + endRested(at: now)
  }
}
