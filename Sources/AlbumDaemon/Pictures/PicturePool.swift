internal import EventLoop
internal import Glibc
internal import Linux
internal import Logging
internal import PictureAPI
internal import Varlink
internal import VarlinkTransport

/// The processes that read pictures, and what they are asked: as many as there is work for, none where there is none.
///
/// What is to be done with a file is given as a method of `io.albumd.Pictures`, whose `fileDescriptor` is 0. The answer
/// is as hostile as the file may be: whoever asks checks what it says.
@EventLoopActor
final class PicturePool {
  /// What became of a job.
  typealias Outcome<Method: VarlinkMethod> = Result<PictureAnswer<Method.Reply>, PictureFailure>

  private struct Job {
    let call: Call
    /// The file, open until the job is over: it may be sent twice, and nothing has to be opened for that, which could fail.
    let file: DescriptorBatch
    /// What tells the answer; nil where it is nonsense.
    let reading: @EventLoopActor (PictureProcess.Answer) -> (@EventLoopActor () -> Void)?
    let failing: @EventLoopActor (PictureFailure) -> Void
  }

  let program: PictureProgram
  private let log: Logger
  private var plan: PicturePlan
  private var jobs: [PicturePlan.JobID: Job] = [:]
  private var processes: [PicturePlan.ProcessID: PictureProcess] = [:]
  private var nextJob = 0
  private lazy var timer = Timer { [unowned self] in perform(plan.tick(at: Clock.monotonic)) }
  private let patience: Patience
  private var isClosed = false

  /// Why none could be started the last time; nil where one could, or none was needed yet.
  private(set) var problem: String?
  /// Whether the sandbox has Landlock; nil where none was started yet.
  private(set) var hasLandlock: Bool?

  /// How long an answer may take: a little more than the process allows itself.
  struct Patience {
    var usual = Duration.seconds(75)
    var givingWay = Duration.seconds(150)
  }

  init(
    _ program: PictureProgram, log: Logger, limits: PicturePlan.Limits = .ofThisMachine,
    patience: Patience = Patience()
  ) {
    self.program = program
    self.log = log
    self.patience = patience
    plan = PicturePlan(limits)
  }

  // MARK: Jobs

  /// Asks something about an open file, which is looked at later.
  ///
  /// - Parameter file: its descriptor, borrowed for this call: it is copied.
  /// - Parameter demand: who wants it, how urgently, and with whom its process may be shared.
  /// - Parameter completion: never called before this returns; not at all after ``cancel(_:)``.
  /// - Returns: by what the job is cancelled.
  @discardableResult
  func ask<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, about file: CInt,
    _ demand: PictureDemand, completion: @escaping @EventLoopActor (Outcome<Method>) -> Void
  ) -> PicturePlan.JobID {
    nextJob += 1
    let id = nextJob
    guard !isClosed else {
      EventLoopActor.afterReturn { completion(.failure(.unavailable)) }
      return id
    }
    let batch = DescriptorBatch()
    do {
      _ = batch.append(try OwnedDescriptor(fcntl(file, F_DUPFD_CLOEXEC, 0), call: "fcntl(F_DUPFD)"))
      let call = try Call(method, parameters)
      jobs[id] = Job(call: call, file: batch, reading: Self.reading(method, completion)) { failure in
        completion(.failure(failure))
      }
    } catch {
      EventLoopActor.afterReturn { completion(.failure(.busy)) }
      return id
    }
    perform(plan.add(id, demand, at: Clock.monotonic))
    return id
  }

  /// Whether anybody waits for an answer.
  var isAtWork: Bool { !jobs.isEmpty }

  /// How many processes there are at most.
  var processCount: Int { plan.limits.processes }

  /// Nobody wants the answer any more.
  func cancel(_ id: PicturePlan.JobID) {
    guard jobs.removeValue(forKey: id) != nil else { return }
    perform(plan.cancel(id, at: Clock.monotonic))
  }

  private static func reading<Method: VarlinkMethod>(
    _ method: Method.Type, _ completion: @escaping @EventLoopActor (Outcome<Method>) -> Void
  ) -> @EventLoopActor (PictureProcess.Answer) -> (@EventLoopActor () -> Void)? {
    { answer in
      guard let outcome: Outcome<Method> = Self.read(answer, as: method) else { return nil }
      return { completion(outcome) }
    }
  }

  /// - Returns: nil where it is nothing that may be answered.
  private static func read<Method: VarlinkMethod>(
    _ answer: PictureProcess.Answer, as method: Method.Type
  ) -> Outcome<Method>? {
    if let error = answer.reply.error {
      return error == PicturesInterface.Unreadable.name ? .failure(.unreadable) : nil
    }
    let parameters = JSON.object(answer.reply.parameters)
    guard let reply = try? JSONDecoding.decode(Method.Reply.self, from: parameters) else { return nil }
    return .success(PictureAnswer(reply: reply, descriptors: answer.descriptors))
  }

  // MARK: Processes

  private func perform(_ actions: [PicturePlan.Action]) {
    for action in actions {
      switch action {
      case .start(let process): start(process)
      case .giveWay(let process): giveWay(process)
      case .give(let job, let process): give(job, to: process)
      case .end(let process): end(process)
      case .fail(let job, let failure):
        guard let failing = jobs.removeValue(forKey: job)?.failing else { continue }
        EventLoopActor.afterReturn { failing(failure) }
      }
    }
    arm()
  }

  private func arm() {
    guard let deadline = plan.deadline else { return timer.disarm() }
    let now = Clock.monotonic
    let wait = deadline > now ? deadline - now : 0
    // Rests are long, and turns are short (docs/decisions/0153-turns-of-readers.md).
    timer.arm(after: .microseconds(wait), accuracy: .microseconds(min(250_000, wait / 10)))
  }

  /// execve(2) reads a disk, and a service manager may be slow.
  private func start(_ id: PicturePlan.ProcessID) {
    let program = program
    ThreadReserve.shared.run {
      do throws(SystemError) {
        let started = try program.start()
        let (process, socket) = (started.process, started.take())
        Task { @EventLoopActor [self] in begin(id, process, socket) }
      } catch {
        Task { @EventLoopActor [self] in failedToStart(id, "\(error)") }
      }
    }
  }

  private func begin(_ id: PicturePlan.ProcessID, _ number: pid_t?, _ socket: CInt) {
    let process = PictureProcess(
      OwnedDescriptor(owning: socket), process: number, patience: patience.usual
    ) { [unowned self] isOurLack in died(id, isOurLack: isOurLack) }
    // It was being started when all were ended.
    guard !isClosed else { return process.end {} }
    processes[id] = process
    guard let call = try? Call(PicturesInterface.Begin.self, .init()) else { return }
    process.call(call) { [unowned self] answer in begun(id, answer) }
  }

  private func begun(_ id: PicturePlan.ProcessID, _ answer: PictureProcess.Answer) {
    guard answer.reply.error == nil,
      let reply = try? JSONDecoding.decode(
        PicturesInterface.Begin.Reply.self, from: .object(answer.reply.parameters))
    else { return died(id, isOurLack: false) }
    problem = nil
    hasLandlock = reply.landlock
    ready.insert(id)
    perform(plan.started(id, at: Clock.monotonic))
  }

  /// Those that are in their sandbox: what ends before that has not been started.
  private var ready: Set<PicturePlan.ProcessID> = []

  private func died(_ id: PicturePlan.ProcessID, isOurLack: Bool) {
    if ready.contains(id) {
      return perform(plan.lost(id, isOurLack: isOurLack, at: Clock.monotonic))
    }
    processes.removeValue(forKey: id)?.end {}
    failedToStart(id, "it ended before it was in its sandbox")
  }

  private func failedToStart(_ id: PicturePlan.ProcessID, _ reason: String) {
    guard !isClosed else { return }
    if problem == nil { log.error("Pictures cannot be read: albumd-pictures does not start: \(reason)") }
    problem = reason
    perform(plan.failedToStart(id, at: Clock.monotonic))
  }

  private func giveWay(_ id: PicturePlan.ProcessID) {
    guard let process = processes[id], let call = try? Call(PicturesInterface.GiveWay.self, .init()) else {
      return
    }
    process.patience = patience.givingWay
    process.call(call) { _ in }
  }

  private func give(_ job: PicturePlan.JobID, to id: PicturePlan.ProcessID) {
    guard let process = processes[id], let job = jobs[job] else { return }
    process.call(job.call, descriptors: job.file) { [unowned self] answer in answered(id, answer) }
  }

  private func answered(_ id: PicturePlan.ProcessID, _ answer: PictureProcess.Answer) {
    let job = plan.job(of: id)
    var telling: (@EventLoopActor () -> Void)?
    if let job, let known = jobs[job] {
      // Who says what nobody may say was taken over: it is replaced.
      guard let sound = known.reading(answer) else { return died(id, isOurLack: false) }
      telling = sound
    }
    let (isWanted, actions) = plan.answered(id, at: Clock.monotonic)
    if isWanted, let job, jobs.removeValue(forKey: job) != nil { telling?() }
    perform(actions)
  }

  private func end(_ id: PicturePlan.ProcessID) {
    ready.remove(id)
    guard let process = processes.removeValue(forKey: id) else { return }
    process.end { [weak self] in
      guard let self else { return }
      perform(plan.gone(id, at: Clock.monotonic))
    }
  }

  /// Ends them all: the daemon ends. Who waits is told that nothing is read any more, and so is who asks from now on.
  func close() {
    isClosed = true
    timer.disarm()
    for process in processes.values { process.end {} }
    processes = [:]
    plan = PicturePlan(plan.limits)
    EventLoopActor.afterReturn { [self] in
      for id in jobs.keys.sorted() { jobs.removeValue(forKey: id)?.failing(.unavailable) }
    }
  }
}

/// What a process answered about a file: not to be trusted, however well it is formed.
struct PictureAnswer<Reply> {
  let reply: Reply
  let descriptors: DescriptorBatch
}
