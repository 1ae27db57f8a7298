extension PicturePlan {
  /// How many processes there are that were not ended.
  var live: Int { processes.values.count { $0.state != .ending } }

  /// When ``tick(at:)`` is to be called next; nil while nothing depends on time.
  var deadline: UInt64? {
    var times: [UInt64] = []
    let isIdleWaiting = !waiting[PictureUrgency.idle.rawValue].isEmpty
    for process in processes.values {
      guard case .free(let since) = process.state else { continue }
      times.append(since + limits.rest)
      if isIdleWaiting, !process.givesWay { times.append(since + limits.calm) }
    }
    if isFailing, live < limits.processes, waiting.contains(where: { !$0.isEmpty }) {
      times.append(pausedUntil)
    }
    let asked = waiting[PictureUrgency.shown.rawValue] + waiting[PictureUrgency.soon.rawValue]
    if processes.count < Self.most(limits), let held = asked.compactMap(heldUntil).min() {
      times.append(isFailing ? max(held, pausedUntil) : held)
    }
    return times.min()
  }

  /// Gives what waits to whom there is, and starts whom it takes.
  mutating func assign(at now: UInt64) -> [Action] {
    var actions: [Action] = []
    // The urgencies of those for whom there is no process.
    var unserved: [PictureUrgency] = []
    var isHeld = false
    var hasFree = anyFree != nil
    for urgency in [PictureUrgency.shown, .soon] {
      for job in waiting[urgency.rawValue] {
        if hasFree, !isHolders(job), let process = free(for: job, givingWay: false),
          !mustLeave(process, unserved, urgency, at: now)
        {
          give(job, to: process, at: now, &actions)
          hasFree = anyFree != nil
        } else {
          unserved.append(urgency)
          isHeld = isHeld || heldUntil(job).map { $0 <= now } ?? false
        }
      }
    }
    // One more is for nobody by now.
    if live > limits.processes, let process = anyFree { end(process, &actions) }
    for _ in 0..<max(0, unserved.count - startingCount) {
      guard mayStart(at: now), makeRoom(&actions) else { break }
      start(&actions)
    }
    if isHeld, live == limits.processes, mayStart(at: now) { start(&actions) }
    if unserved.isEmpty { assignIdle(at: now, &actions) }
    return actions
  }

  /// Whether the one more process is not for this job: its client has another that takes long.
  private func isHolders(_ job: JobID) -> Bool {
    guard live > limits.processes, let client = jobs[job]?.demand.client else { return false }
    return processes.values.contains {
      if case .busy(let other) = $0.state { jobs[other]?.demand.client == client } else { false }
    }
  }

  /// From when on a job that waits is kept waiting too long: where every process is at another client's, which takes as
  /// long as it takes. nil where there is one that is not.
  private func heldUntil(_ job: JobID) -> UInt64? {
    guard let client = jobs[job]?.demand.client, live == limits.processes else { return nil }
    var began: UInt64 = 0
    for process in processes.values where process.state != .ending {
      guard case .busy(let other) = process.state, !process.givesWay, jobs[other]?.demand.client != client
      else { return nil }
      began = max(began, process.began)
    }
    return began + limits.held
  }

  /// Whether a free process does no more for its circle: others wait, there may be no more processes, and it had its turn
  /// or they are more urgent.
  private func mustLeave(
    _ process: ProcessID, _ unserved: [PictureUrgency], _ urgency: PictureUrgency, at now: UInt64
  ) -> Bool {
    guard let first = unserved.first, let known = processes[process], !known.isFresh, mayStart(at: now),
      unserved.count > startingCount + max(0, limits.processes - live)
    else { return false }
    return first.rawValue < urgency.rawValue || now >= known.firstJob + limits.turn
  }

  /// What nobody waits for is given to whom nobody needs.
  private mutating func assignIdle(at now: UInt64, _ actions: inout [Action]) {
    let queue = PictureUrgency.idle.rawValue
    while let job = waiting[queue].first {
      if let process = free(for: job, givingWay: true) {
        give(job, to: process, at: now, &actions)
      } else if let process = calm(for: job, at: now) {
        processes[process]?.givesWay = true
        actions.append(.giveWay(process))
        give(job, to: process, at: now, &actions)
      } else if live >= limits.processes, let process = busy(for: job) {
        give(job, after: process, &actions)
      } else {
        break
      }
    }
    for _ in 0..<max(0, waiting[queue].count - startingCount) {
      guard mayStart(at: now), let job = waiting[queue].first else { break }
      if live >= limits.processes, let process = replaceable(for: job, at: now) { end(process, &actions) }
      guard live < limits.processes else { break }
      start(&actions)
    }
  }

  /// A free process whose place one takes that can do a job which nobody waits for: one that is to be fresh takes that of
  /// one that is not, and another circle's that of one which nobody has needed for a while.
  private func replaceable(for job: JobID, at now: UInt64) -> ProcessID? {
    if jobs[job]?.hasBroken ?? false { return anyFree }
    let circle = jobs[job]?.demand.circle
    return processes.filter { _, process in
      guard case .free(let since) = process.state, let other = process.circle else { return false }
      return other != circle && now >= since + limits.calm
    }.keys.min()
  }

  var startingCount: Int { processes.values.count { $0.state == .starting } }

  private var anyFree: ProcessID? {
    processes.keys.sorted().first { if case .free = processes[$0]?.state { true } else { false } }
  }

  /// A free process of that kind and of the job's circle; a fresh one for what has broken another.
  private func free(for job: JobID, givingWay: Bool) -> ProcessID? {
    let needsFresh = jobs[job]?.hasBroken ?? false
    return processes.filter { _, process in
      guard case .free = process.state else { return false }
      return process.givesWay == givingWay && (process.isFresh || !needsFresh) && isOpen(process, to: job)
    }.keys.min()
  }

  /// A free process that nobody has needed for a while, or that was started for this.
  private func calm(for job: JobID, at now: UInt64) -> ProcessID? {
    let needsFresh = jobs[job]?.hasBroken ?? false
    return processes.filter { _, process in
      guard case .free(let since) = process.state, !process.givesWay, isOpen(process, to: job) else {
        return false
      }
      return process.isFresh || (!needsFresh && now >= since + limits.calm)
    }.keys.min()
  }

  /// A process that gives way, is at work, and may have this job next. What has broken another is not to break two.
  private func busy(for job: JobID) -> ProcessID? {
    guard jobs[job]?.hasBroken == false else { return nil }
    return processes.filter { _, process in
      guard case .busy(let first) = process.state, process.givesWay, process.next == nil else { return false }
      return jobs[first]?.hasBroken != true && isOpen(process, to: job)
    }.keys.min()
  }

  /// Whether a process may do a job, besides those that it did.
  private func isOpen(_ process: Process, to job: JobID) -> Bool {
    process.circle == nil || process.circle == jobs[job]?.demand.circle
  }

  private mutating func give(
    _ job: JobID, to process: ProcessID, at now: UInt64, _ actions: inout [Action]
  ) {
    guard let known = jobs[job] else { return }
    leaveQueue(job, known)
    processes[process]?.state = .busy(job)
    processes[process]?.began = now
    if processes[process]?.circle == nil {
      processes[process]?.circle = known.demand.circle
      processes[process]?.firstJob = now
    }
    actions.append(.give(job, process))
  }

  private mutating func give(_ job: JobID, after process: ProcessID, _ actions: inout [Action]) {
    guard let known = jobs[job] else { return }
    leaveQueue(job, known)
    processes[process]?.next = job
    actions.append(.give(job, process))
  }

  private mutating func leaveQueue(_ job: JobID, _ known: Job) {
    let urgency = known.demand.urgency.rawValue
    waiting[urgency].removeAll { $0 == job }
    rounds[urgency] = max(rounds[urgency], known.round)
    servedIn[urgency][known.demand.client] = known.round
  }

  /// A process that was ended has not begun with this.
  mutating func putBack(_ job: JobID?) {
    guard let job, let known = jobs[job] else { return }
    waiting[known.demand.urgency.rawValue].insert(job, at: 0)
  }

  /// Ends one where there are as many as there may be: a free one, else one that does what nobody waits for, which is done
  /// again later.
  ///
  /// - Returns: whether there is room.
  private mutating func makeRoom(_ actions: inout [Action]) -> Bool {
    if live < limits.processes { return true }
    if let process = anyFree {
      end(process, &actions)
      return true
    }
    for (id, process) in processes.sorted(by: { $0.key < $1.key }) where process.givesWay {
      guard case .busy(let job) = process.state else { continue }
      end(id, &actions)
      putBack(process.next)
      putBack(job)
      return true
    }
    return false
  }

  mutating func end(_ process: ProcessID, _ actions: inout [Action]) {
    processes[process]?.state = .ending
    actions.append(.end(process))
  }

  private mutating func start(_ actions: inout [Action]) {
    nextProcess += 1
    processes[nextProcess] = Process()
    actions.append(.start(nextProcess))
  }

  /// Not while that fails, and not where those that were ended hang.
  private func mayStart(at now: UInt64) -> Bool {
    (!isFailing || now >= pausedUntil) && processes.count < Self.most(limits)
  }

  /// Of all, those that were ended and are not gone among them.
  private static func most(_ limits: Limits) -> Int { 2 * limits.processes }

  mutating func endRested(at now: UInt64) -> [Action] {
    var actions: [Action] = []
    for (id, process) in processes.sorted(by: { $0.key < $1.key }) {
      guard case .free(let since) = process.state, now >= since + limits.rest else { continue }
      end(id, &actions)
    }
    return actions
  }
}
