internal import DaemonConfiguration
internal import EventLoop
internal import Linux

/// Login names, for showing. The database of users may be far away (nsswitch.conf(5)) and take seconds to answer,
/// or not answer at all: it is asked on a thread of its own, and whoever waits for a name waits so long and no
/// longer. A number will do.
@EventLoopActor
final class UserNames {
  private struct Entry {
    let name: String?
    let expires: ContinuousClock.Instant
  }

  /// Somebody who waits for names.
  private final class Wait {
    var missing: Set<UInt32>
    var found: [UInt32: String]
    var timer: Timer?
    let done: @EventLoopActor ([UInt32: String]) -> Void

    init(
      missing: Set<UInt32>, found: [UInt32: String],
      done: @escaping @EventLoopActor ([UInt32: String]) -> Void
    ) {
      self.missing = missing
      self.found = found
      self.done = done
    }
  }

  private var known: [UInt32: Entry] = [:]
  private var asked: Set<UInt32> = []
  private var waits: [Wait] = []
  /// Whether somebody waited in vain and nothing was answered since: nobody else waits then.
  private var isStuck = false
  /// How many users are remembered.
  var rememberedCount: Int { known.count }
  private let thread = SerialThread()
  private let patience: Duration
  private let lookUp: @Sendable (UInt32) -> String?

  /// Users who are remembered.
  private static let capacity = 1024
  /// How long a name is remembered. Users are renamed, added and removed.
  private static let lifetime = Duration.seconds(300)

  /// - Parameters:
  ///   - patience: how long whoever asks waits.
  ///   - lookUp: asks the database, however long that takes.
  init(
    patience: Duration = .seconds(2),
    lookUp: @escaping @Sendable (UInt32) -> String? = { Accounts.name(of: $0) }
  ) {
    self.patience = patience
    self.lookUp = lookUp
  }

  /// Looks names up, and tells those that there are, after it has returned: when all are known, or patience is over.
  func look(up uids: some Sequence<UInt32>, then done: @escaping @EventLoopActor ([UInt32: String]) -> Void) {
    let now = ContinuousClock.now
    var found: [UInt32: String] = [:]
    var missing: Set<UInt32> = []
    for uid in Set(uids) {
      if let entry = known[uid], entry.expires > now { found[uid] = entry.name } else { missing.insert(uid) }
    }
    for uid in missing where asked.insert(uid).inserted { ask(uid) }
    if missing.isEmpty || isStuck {
      return EventLoopActor.afterReturn { done(found) }
    }
    let wait = Wait(missing: missing, found: found, done: done)
    let timer = Timer { [unowned self, unowned wait] in giveUp(wait) }
    wait.timer = timer
    waits.append(wait)
    timer.arm(after: patience)
  }

  /// A user as a line of the log names it, without waiting: with the login name if that is known, such as `alice (1000)`.
  /// Else it is looked up, and is known the next time.
  func label(_ uid: UInt32) -> String {
    let entry = known[uid]
    if entry.map({ $0.expires <= .now }) ?? true, asked.insert(uid).inserted { ask(uid) }
    return entry?.name.map { "\($0) (\(uid))" } ?? "user \(uid)"
  }

  private func ask(_ uid: UInt32) {
    thread.async { [lookUp] in
      let name = lookUp(uid)
      Task { @EventLoopActor [weak self] in self?.answered(uid, name) }
    }
  }

  private func answered(_ uid: UInt32, _ name: String?) {
    isStuck = false
    asked.remove(uid)
    let now = ContinuousClock.now
    if known.count >= Self.capacity { known = known.filter { $0.value.expires > now } }
    if known.count >= Self.capacity { known = [:] }
    known[uid] = Entry(name: name, expires: now + Self.lifetime)
    for wait in waits where wait.missing.remove(uid) != nil {
      wait.found[uid] = name
      if wait.missing.isEmpty { finish(wait) }
    }
  }

  private func giveUp(_ wait: Wait) {
    isStuck = true
    finish(wait)
  }

  private func finish(_ wait: Wait) {
    wait.timer?.disarm()
    waits.removeAll { $0 === wait }
    wait.done(wait.found)
  }
}
