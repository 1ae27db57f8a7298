/// A status that an owner can give. `restricted` is not among them: only a policy restricts (rule S6).
package enum DecidedStatus: String, Hashable, Sendable, CaseIterable {
  case denied
  case authorized
  case limited

  /// The status that an app sees.
  package var status: AuthorizationStatus {
    switch self {
    case .denied: .denied
    case .authorized: .authorized
    case .limited: .limited
    }
  }
}

/// One run of one process. A process id alone is reused; together with its start time and the boot it
/// never is.
package struct ProcessInstance: Hashable, Sendable {
  /// The process id.
  package let pid: Int32
  /// Field 22 of /proc/pid/stat, proc_pid_stat(5): clock ticks from boot to the start.
  package let startTime: UInt64
  /// /proc/sys/kernel/random/boot_id, random(4).
  package let bootID: String

  /// The run of `pid` that began at `startTime` of that boot.
  package init(pid: Int32, startTime: UInt64, bootID: String) {
    self.pid = pid
    self.startTime = startTime
    self.bootID = bootID
  }
}

/// How long a decision holds (rule S10).
package enum GrantDuration: Hashable, Sendable {
  /// Until the owner changes it.
  case always
  /// While this process lives. It outlives the daemon, never the process.
  case untilExit(ProcessInstance)
  /// Up to that moment, exclusive.
  case until(Timestamp)
}

/// What an owner decided about a record, when, and for how long.
package struct Decision: Hashable, Sendable {
  /// What was decided.
  package let status: DecidedStatus
  /// When.
  package let decidedAt: Timestamp
  /// For how long.
  package let duration: GrantDuration
  /// Whether the app learns where pictures were taken (rule S55). A refusal never includes that.
  package let includesLocation: Bool

  /// A decision of that moment: without location, unless that is said.
  package init(
    _ status: DecidedStatus, decidedAt: Timestamp, duration: GrantDuration = .always,
    includesLocation: Bool = false
  ) {
    self.status = status
    self.decidedAt = decidedAt
    self.duration = duration
    self.includesLocation = includesLocation && status.status.isUsable
  }

  /// The same without location.
  var withoutLocation: Decision { Decision(status, decidedAt: decidedAt, duration: duration) }

  /// The moment from which it no longer holds, where there is one.
  package var expires: Timestamp? {
    switch duration {
    case .until(let end): end
    case .always, .untilExit: nil
    }
  }

  /// The process whose end ends it, where there is one.
  package var process: ProcessInstance? {
    switch duration {
    case .untilExit(let process): process
    case .always, .until: nil
    }
  }

  /// Whether its time is over (rule S4). Says nothing about a process: see `Authorizations.forget`.
  package func hasExpired(at now: Timestamp) -> Bool {
    expires.map { $0 <= now } ?? false
  }
}

/// A decision and what it is about. `addOnly` with `limited` cannot be made (rule S1).
package struct AuthorizationRecord: Hashable, Sendable {
  /// What it is about.
  package let key: RecordKey
  /// What was decided.
  package let decision: Decision

  /// Pairs the two. Throws `AddOnlyIsNeverLimited` where rule S1 forbids it.
  package init(_ key: RecordKey, _ decision: Decision) throws(AddOnlyIsNeverLimited) {
    if key.accessLevel == .addOnly, decision.status == .limited { throw AddOnlyIsNeverLimited(key: key) }
    self.key = key
    // Who only adds is given no picture.
    self.decision = key.accessLevel == .addOnly ? decision.withoutLocation : decision
  }
}

/// Somebody wanted to limit what is never limited (rule S1).
package struct AddOnlyIsNeverLimited: Error, Hashable, Sendable, CustomStringConvertible {
  /// The record meant.
  package let key: RecordKey

  /// The rule, for the one who broke it.
  package var description: String {
    "\(key.appID): access to add photos is allowed or denied, never limited; limit readWrite instead"
  }
}
