extension PicturePlan {
  /// How many processes there are that were not ended.
  var live: Int { processes.values.count { $0.state != .ending } }

  /// When ``tick(at:)`` is to be called next; nil while nothing depends on time.
  var deadline: UInt64? {
    var times: [UInt64] = []
    // What could not be done by then is done when something else has happened.
    func look(at time: UInt64) { if time > looked { times.append(time) } }
    let isIdleWaiting = !waiting[PictureUrgency.idle.rawValue].isEmpty
    for process in processes.values {
      if isUnwanted(process) { times.append(process.begun + limits.turn) }
      guard let since = process.freeSince else { continue }
      times.append(since + limits.rest)
      if isIdleWaiting, !process.givesWay { look(at: since + limits.calm) }
    }
    if isFailing, waiting.contains(where: { !$0.isEmpty }) { look(at: pausedUntil) }
    if live >= limits.most, waiting[..<PictureUrgency.idle.rawValue].joined().contains(where: mayEndAnother) {
      for (_, process) in endable { look(at: process.begun + limits.turn) }
    }
    return times.min()
  }

  /// Gives what waits to whom there is, and starts whom it takes.
  mutating func assign(at now: UInt64) -> [Action] {
    looked = now
    var actions: [Action] = []
    // Those for whom there is no process.
    var unserved: [JobID] = []
    var hasFree = anyFree != nil
    // Whose jobs are done, or were if there were the processes; and whether any has to wait for its client's own.
    let serving = processes.values.filter(\.isServing)
    var (count, clients) = (serving.count, Set(serving.compactMap(\.client)))
    var isWaiting = false
    for job in line {
      guard let demand = jobs[job]?.demand, count < limits.processes || !clients.contains(demand.client)
      else {
        isWaiting = true
        continue
      }
      count += 1
      clients.insert(demand.client)
      if hasFree, let process = free(for: job, givingWay: false),
        !mustLeave(process, unserved, demand.urgency, at: now)
      {
        give(job, to: process, at: now, &actions)
        hasFree = anyFree != nil
      } else {
        unserved.append(job)
      }
    }
    for job in unserved.dropFirst(startingCount) {
      guard mayStart(at: now) else { break }
      if makeRoom(for: job, at: now, &actions) { start(&actions) }
    }
    if unserved.isEmpty, !isWaiting { assignIdle(at: now, &actions) }
    return actions
  }

  /// What somebody waits for, in the order in which it is done: behind all else what was ended and cannot be let end now.
  private var line: [JobID] {
    let all = waiting[PictureUrgency.shown.rawValue] + waiting[PictureUrgency.soon.rawValue]
    guard kept.count >= mostKept else { return all }
    return all.filter { jobs[$0]?.wasEnded != true } + all.filter { jobs[$0]?.wasEnded == true }
  }

  /// Whether a free process does no more for its circle: others wait, there may be no more processes, and it had its turn
  /// or they are more urgent.
  private func mustLeave(
    _ process: ProcessID, _ unserved: [JobID], _ urgency: PictureUrgency, at now: UInt64
  ) -> Bool {
    guard let first = unserved.first.flatMap({ jobs[$0]?.demand.urgency }), let known = processes[process],
      !known.isFresh, mayStart(at: now)
    else { return false }
    let otherRoom = startingCount + max(0, limits.most - live) + freeCount - 1
    guard unserved.count > otherRoom else { return false }
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
      // It has no place of those that are for other clients: it takes that of some, where enough are not needed.
      let places = replaceable(for: job, at: now).prefix(max(0, live + 1 - limits.processes))
      guard live - places.count < limits.processes else { break }
      for process in places { end(process, &actions) }
      start(&actions)
    }
  }

  /// Free processes whose place one takes that can do a job which nobody waits for: one that is to be fresh takes that of
  /// one that is not, and another circle's that of one which nobody has needed for a while.
  private func replaceable(for job: JobID, at now: UInt64) -> [ProcessID] {
    let (isToBeFresh, circle) = (jobs[job]?.hasBroken ?? false, jobs[job]?.demand.circle)
    return processes.filter { _, process in
      guard let since = process.freeSince else { return false }
      guard !isToBeFresh, let other = process.circle else { return isToBeFresh }
      return other != circle && now >= since + limits.calm
    }.keys.sorted()
  }

  var startingCount: Int { processes.values.count { $0.state == .starting } }

  private var freeCount: Int { processes.values.count { $0.freeSince != nil } }

  /// The free one that nobody has needed for longest.
  var anyFree: ProcessID? {
    processes.compactMap { id, process in process.freeSince.map { (since: $0, id: id) } }.min { $0 < $1 }?.id
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
    processes[process]?.begun = now
    processes[process]?.client = known.demand.client
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
  private static func most(_ limits: Limits) -> Int { limits.most + limits.processes }
}

extension PicturePlan.Process {
  /// Since when it has nothing to do; nil where it has.
  var freeSince: UInt64? { if case .free(let since) = state { since } else { nil } }

  /// Whether it does what somebody waits for, or has waited for.
  var isServing: Bool { if case .busy = state { !givesWay } else { false } }
}
