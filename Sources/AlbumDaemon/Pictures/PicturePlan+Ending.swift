// Which process is ended for another, and what becomes of what it was at
// (docs/decisions/0153-turns-of-readers.md).
extension PicturePlan {
  /// Ends one that gives way, and so serves nobody who waits: what it does is done again later. Else, where there are as many
  /// as there may be, ends a free one, one whose answer nobody wants any more, or one that has had its turn.
  ///
  /// - Returns: whether there is room.
  mutating func makeRoom(for job: JobID, at now: UInt64, _ actions: inout [Action]) -> Bool {
    if live < limits.processes { return true }
    let givingWay = processes.filter { $0.value.givesWay && $0.value.state != .ending }
    let free = givingWay.filter { $0.value.freeSince != nil }
    if let process = free.keys.min() ?? givingWay.keys.min() {
      let left = [processes[process]?.next, self.job(of: process)]
      end(process, &actions)
      for job in left { putBack(job) }
      return true
    }
    if live < limits.most { return true }
    let unwanted = processes.filter { isUnwanted($0.value) }.keys.min()
    guard let process = anyFree ?? unwanted ?? overdue(for: job, at: now) else { return false }
    let left = self.job(of: process)
    end(process, &actions)
    putBehind(left)
    return true
  }

  mutating func end(_ process: ProcessID, _ actions: inout [Action]) {
    processes[process]?.state = .ending
    actions.append(.end(process))
  }

  // MARK: What has had its turn

  /// Whether a job may have another client's ended: nothing is being done of its own client, and it was not ended itself. So
  /// one that comes ends one at most, and those that were ended do not end each other.
  func mayEndAnother(_ job: JobID) -> Bool {
    guard let known = jobs[job], !known.wasEnded else { return false }
    return !processes.values.contains { $0.isServing && $0.client == known.demand.client }
  }

  /// Those that are let end: of what was ended once already one of each client, as many together as leave one place to those
  /// that come.
  var kept: Set<ProcessID> {
    let again = processes.filter { id, process in
      process.isServing && job(of: id).flatMap { jobs[$0] }?.wasEnded == true
    }
    var clients: Set<PictureDemand.Client> = []
    let first = again.sorted { ($0.value.begun, $0.key) < ($1.value.begun, $1.key) }.filter { _, process in
      process.client.map { clients.insert($0).inserted } ?? false
    }
    return Set(first.prefix(mostKept).map(\.key))
  }

  var mostKept: Int { max(1, limits.most - 1) }

  /// Those that serve somebody and may be ended for another client's job.
  var endable: [ProcessID: Process] {
    let kept = kept
    return processes.filter { $0.value.isServing && !kept.contains($0.key) }
  }

  /// One that has had its turn: of the client that has most of them, and of those what was begun last, of which least is lost.
  private func overdue(for job: JobID, at now: UInt64) -> ProcessID? {
    guard mayEndAnother(job) else { return nil }
    let serving = processes.values.filter(\.isServing)
    func places(of process: Process) -> Int { serving.count { $0.client == process.client } }
    return endable.filter { now >= $0.value.begun + limits.turn }.max { one, other in
      (places(of: one.value), one.value.begun, one.key) < (
        places(of: other.value), other.value.begun, other.key
      )
    }?.key
  }

  /// Whether it is at work for nobody: its answer is not wanted any more.
  func isUnwanted(_ process: Process) -> Bool {
    guard case .busy(let job) = process.state else { return false }
    return jobs[job] == nil
  }

  /// Ends what nobody wants any more, when its turn is over: most of it is done by then, and its process goes on without a
  /// start.
  mutating func endUnwanted(at now: UInt64) -> [Action] {
    var actions: [Action] = []
    for (id, process) in processes.sorted(by: { $0.key < $1.key }) {
      guard isUnwanted(process), now >= process.begun + limits.turn else { continue }
      end(id, &actions)
      putBack(process.next)
    }
    return actions
  }

  mutating func endRested(at now: UInt64) -> [Action] {
    var actions: [Action] = []
    for (id, process) in processes.sorted(by: { $0.key < $1.key }) {
      guard case .free(let since) = process.state, now >= since + limits.rest else { continue }
      end(id, &actions)
    }
    return actions
  }

  // MARK: What it was at

  /// A job waits, behind all of its round and of those before.
  mutating func enqueue(_ job: JobID) {
    guard let known = jobs[job] else { return }
    let urgency = known.demand.urgency.rawValue
    let place = waiting[urgency].firstIndex { (jobs[$0]?.round ?? 0) > known.round }
    waiting[urgency].insert(job, at: place ?? waiting[urgency].count)
  }

  /// A process that was ended has not begun with this.
  mutating func putBack(_ job: JobID?) {
    guard let job, let known = jobs[job] else { return }
    waiting[known.demand.urgency.rawValue].insert(job, at: 0)
  }

  /// A job was ended for another client's: it begins anew, after the next one of each other client.
  private mutating func putBehind(_ job: JobID?) {
    guard let job, let urgency = jobs[job]?.demand.urgency else { return }
    jobs[job]?.wasEnded = true
    jobs[job]?.round = rounds[urgency.rawValue] + 1
    enqueue(job)
  }
}
