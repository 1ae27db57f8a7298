internal import Authorization

// Who speaks to the center, and what agents are told by it.
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
