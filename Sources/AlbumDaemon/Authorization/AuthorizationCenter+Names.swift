internal import Authorization
internal import EventLoop

// Who speaks to the center, and whom it tells.
extension AuthorizationCenter {
  /// One call that waits for its answer.
  struct Requester: Hashable, Sendable {
    let number: Int
  }

  /// One registered agent.
  struct AgentHandle: Hashable, Sendable {
    let number: Int
  }

  /// What an agent is sent.
  enum AgentMessage {
    case show(Prompt<OwnerQuestion>)
    case withdraw(PromptID, WithdrawalReason)
    /// Nothing more: it may not act as an owner any more.
    case dismiss
  }
}

/// Is told of every record whose status may have changed (S29), once the call that changed it has returned.
@EventLoopActor
protocol StatusObserver: AnyObject {
  /// - Parameter former: what the status was, where that was another by other policies.
  func statusChanged(of key: RecordKey, from former: AuthorizationStatus?)
}

/// Knows the apps that are or were here.
@EventLoopActor
protocol AppsInSight: AnyObject {
  /// The records that connected apps make use of without calling, such as by a subscription.
  var inUse: [RecordKey] { get }
  /// The records of the apps that were seen, which a policy opens without a decision.
  var seen: [RecordKey] { get }
}
