extension AuthorizationRequests {
  /// What the shell has to do.
  package enum Action: Sendable {
    /// Ask the agent.
    case show(Prompt<Question>, to: Agent)
    /// Take the prompt away from it.
    case withdraw(PromptID, WithdrawalReason, from: Agent)
    /// Store, and report with `committed` or `storeFailed`.
    case store(AuthorizationTransaction)
    /// The requester's one reply.
    case reply(Requester, RequestReply<Question.Answer>)
    /// The one reply to an answer.
    case answerReply(Requester, AnswerReply)
    /// The agent may act as an owner no more (rule S44): tell it so, and end it.
    case dismiss(Agent)
    /// The record's status may have changed: tell monitors (rule S29). With what it was, where it was that by other
    /// policies.
    case changed(RecordKey, from: AuthorizationStatus?)
    /// Who has decided what: for the access log.
    case note(AccessEvent, of: AppKey)
    /// Store when a grant was made use of. One that is lost is told again another day.
    case noteUse(RecordKey, at: Timestamp)
    /// A decision is bound to this process: report its end with `processExited`, also when it has ended
    /// already.
    case watch(ProcessInstance)
  }
}
