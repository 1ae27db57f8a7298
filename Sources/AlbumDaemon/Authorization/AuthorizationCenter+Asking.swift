internal import Authorization
internal import EventLoop

// What apps ask, and the agents that answer.
extension AuthorizationCenter {
  /// Asks for access (S7–S14).
  ///
  /// - Parameter identity: who asks by the manifests in force; nil when that cannot be told any more.
  /// - Returns: the name by which to say that the requester has gone.
  func request(
    _ level: AccessLevel, app: PeerIdentity, process: ProcessInstance, waitForAgent: Bool,
    identity: @escaping @EventLoopActor () -> PeerIdentity?, reply: @escaping @EventLoopActor (Reply) -> Void
  ) -> Requester {
    let requester = newRequester(Call(reply: reply, identity: identity))
    perform(
      decisions.machine.request(
        level, by: requester, app: app, process: process, waitForAgent: waitForAgent,
        promptID: .random(), at: now))
    return requester
  }

  /// Asks an owner something else, if an agent is there.
  ///
  /// - Parameters:
  ///   - asksItself: whether the app has asked for it.
  ///   - identity: who asks by the manifests in force; nil when that cannot be told any more.
  func ask(
    _ question: OwnerQuestion, app: PeerIdentity, asksItself: Bool,
    identity: @escaping @EventLoopActor () -> PeerIdentity?, reply: @escaping @EventLoopActor (Reply) -> Void
  ) -> Requester {
    let requester = newRequester(Call(reply: reply, identity: identity))
    perform(
      decisions.machine.ask(
        question, by: requester, app: app, asksItself: asksItself, waitForAgent: false, promptID: .random(),
        at: now))
    return requester
  }

  /// Why an owner would not be asked anything by an app now; nil where one would.
  func refusal(toAsk app: PeerIdentity) -> RequestError? {
    decisions.machine.refusal(toAsk: app, waitForAgent: false, at: now)
  }

  /// Whether a requester still waits, and nobody is there to answer a user's apps.
  func isUnheard(_ requester: Requester, of uid: UInt32) -> Bool {
    calls[requester] != nil && !decisions.machine.hasAgent(for: uid)
  }

  /// The requester has disconnected, or was answered.
  func gone(_ requester: Requester) {
    guard calls.removeValue(forKey: requester) != nil else { return }
    perform(decisions.machine.requesterGone(requester))
  }

  func newRequester(_ call: Call) -> Requester {
    let requester = Requester(number: newNumber())
    calls[requester] = call
    return requester
  }

  // MARK: Agents

  /// How many agents are registered.
  var agentCount: Int { agents.count }

  /// - Parameter mayActAsOwner: asked when the configuration was read again (S44).
  func register(
    uid: UInt32, mayActAsOwner: @escaping @EventLoopActor () -> Bool,
    deliver: @escaping @EventLoopActor (AgentMessage) -> Void
  ) -> AgentHandle {
    let handle = AgentHandle(number: newNumber())
    agents[handle] = Agent(mayActAsOwner: mayActAsOwner, deliver: deliver)
    perform(decisions.machine.agentRegistered(handle, uid: uid))
    return handle
  }

  func gone(_ handle: AgentHandle) {
    agents[handle] = nil
    perform(decisions.machine.agentGone(handle))
  }

  /// An owner's answer.
  ///
  /// - Parameter uid: whose the connection is that brings it.
  func answer(
    _ answer: AuthorizationAnswer, to prompt: PromptID, from uid: UInt32,
    reply: @escaping @EventLoopActor (AnswerReply) -> Void
  ) {
    let answerer = Requester(number: newNumber())
    answers[answerer] = reply
    let isQuestion = decisions.question(of: prompt) != nil
    perform(
      decisions.machine.answered(
        isQuestion ? .question(answer) : .authorization(answer), to: prompt, from: uid, by: answerer, at: now)
    )
  }
}
