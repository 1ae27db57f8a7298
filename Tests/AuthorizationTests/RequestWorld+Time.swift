import Authorization
import Testing
import TestSupport

// What ends by itself, and what keeps it.
extension RequestWorld {
  private static var day: Int64 { 86_400 }

  func elapse() {
    now = now.adding(seconds: Int64.random(in: 0..<4000, using: &random))
    // Rarely, a long time in which nobody does anything.
    if Int.random(in: 0..<40, using: &random) == 0 { now = now.adding(seconds: Self.day) }
    if Int.random(in: 0..<20, using: &random) == 0 {
      unusedDays = unusedDays == nil ? Int64.random(in: 1...2, using: &random) : nil
      machine.unusedLimitChanged(days: unusedDays.map { Int($0) })
    }
    expire()
    if let process = pick(machine.authorizations.processes.sorted { $0.pid < $1.pid }) {
      let over = Set(model.decisions.filter { $0.value.process == process }.keys)
      run(
        machine.processExited(process), model.end(over),
        notes: over.map { Note($0, model.end(of: $0), .init(.exit)) })
    }
  }

  private func expire() {
    let over = Set(model.decisions.filter { $0.value.hasExpired(at: now) }.keys)
    let inUse = model.decisions.keys.sorted().filter { _ in Int.random(in: 0..<9, using: &random) == 0 }
    for key in inUse where counts(key) { lastUse[key] = now }
    noteTimeBeneathPolicies()
    let actions = machine.expire(at: now, inUse: inUse)
    var unused: Set<RecordKey> = []
    for case .note(let event, let app) in actions where event.by?.role == .disuse {
      guard let level = event.accessLevel else { continue }
      let key = app.record(level)
      unused.insert(key)
      #expect(idleDays(key) >= unusedDays ?? .max, "ended for want of use, and was used")
    }
    if let unusedDays {
      let idle = model.decisions.keys.filter {
        counts($0) && idleDays($0) > unusedDays && !over.contains($0)
      }
      #expect(unused.isSuperset(of: idle), "not used for long, and has not ended")
    }
    run(
      actions, model.end(over), model.end(unused),
      notes: over.map { Note($0, model.end(of: $0), .init(.expiry)) }
        + unused.map { Note($0, model.end(of: $0), .init(.disuse)) })
  }

  /// Whole days since a grant was used or given; of what is no grant, none.
  private func idleDays(_ key: RecordKey) -> Int64 {
    guard let decision = model.decisions[key], decision.status != .denied else { return -1 }
    let last = max(decision.decidedAt, lastUse[key] ?? decision.decidedAt)
    return last.seconds(until: now) / Self.day
  }

  /// Where what is not used ends, time beneath a policy counts as use.
  func noteTimeBeneathPolicies() {
    guard unusedDays != nil else { return }
    for key in model.decisions.keys where model.hasPolicy(key) && counts(key) { lastUse[key] = now }
  }

  /// Whether a grant can be used: it is not being taken away.
  private func counts(_ key: RecordKey) -> Bool {
    machine.authorizations.decisions[key].map { $0.status != .denied } ?? false
  }

  func use() {
    guard let key = pick(machine.authorizations.decisions.keys.sorted()) else { return }
    _ = machine.use(key, at: now)
    lastUse[key] = now
  }
}
