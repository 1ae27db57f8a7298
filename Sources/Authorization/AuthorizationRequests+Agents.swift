extension AuthorizationRequests {
  /// An agent registered, after the shell found that its peer may act as an owner (rule S44).
  package mutating func agentRegistered(_ agent: Agent, uid: UInt32) -> [Action] {
    shellActions(queue.agentRegistered(agent, uid: uid))
  }

  /// An agent has gone, which is no answer (rule S11). What it was shown goes to the next one; where there
  /// is none, requesters who did not ask to wait are told so.
  package mutating func agentGone(_ agent: Agent) -> [Action] {
    shellActions(queue.agentGone(agent)) + dismissUnattended()
  }

  /// The configuration names other owners, or other manifests.
  ///
  /// - Parameter dropped: agents whose peers may not act as owners any more (rule S44).
  package mutating func ownersChanged(_ owners: OwnerRules, dropping dropped: Set<Agent> = []) -> [Action] {
    shellActions(queue.ownersChanged(owners, dropping: dropped)) + dismissUnattended()
  }

  /// An owner answered. It counts only for a prompt that an agent of the same user is being shown (rule S46).
  ///
  /// - Parameters:
  ///   - uid: whose the connection is that brings the answer; an agent's own is busy with its prompts.
  ///   - answerer: that connection, for its one reply.
  package mutating func answered(
    _ answer: PromptAnswer<Question.Answer>, to id: PromptID, from uid: UInt32, by answerer: Requester,
    at now: Timestamp
  ) -> [Action] {
    guard let prompt = queue.prompt(id, shownToAgentOf: uid) else {
      return [.answerReply(answerer, .noSuchPrompt)]
    }
    let author = AccessEvent.Author(.agent, uid: uid)
    do throws(InvalidAnswer) {
      switch (prompt.subject, answer) {
      case (.authorization(let level, _), .authorization(let answer)):
        try answer.check(for: level, of: prompt.app, at: now)
        return try decide(answer, prompt.app.record(level), by: author, prompt: id, answerer, at: now)
      case (.question(let question), .question(let answer)):
        try question.check(answer, of: prompt.app)
        let waiters = waiting[id] ?? []
        if waiters.contains(where: \.asksItself) {
          count(question.isRefused(by: answer), of: prompt.app, at: now)
        }
        return [.answerReply(answerer, .accepted)]
          + waiters.map { .reply($0.requester, .answer(answer, by: author)) } + close(id, nil)
      case (.authorization, .question), (.question, .authorization):
        throw InvalidAnswer(reason: "the answer is for another kind of prompt")
      }
    } catch {
      return [.answerReply(answerer, .invalid(error))]
    }
  }

  /// Refusals in a row; those of yesterday are forgotten, as the pause after them is.
  private mutating func count(_ isRefusal: Bool, of app: PeerIdentity, at now: Timestamp) {
    let instance = AppKey.whoseQuestions(app)
    guard isRefusal else { return questionRefusals[instance] = nil }
    let earlier = questionRefusals[instance].flatMap {
      $0.record.lastRefusedAt.adding(seconds: 2 * RefusalRecord.longestPause) > now ? $0 : nil
    }
    questionRefusals[instance] = QuestionRefusals(
      record: .adding(to: earlier?.record, at: now), apps: (earlier?.apps ?? []).union([app.appID]))
  }

  private mutating func decide(
    _ answer: AuthorizationAnswer, _ key: RecordKey, by author: AccessEvent.Author, prompt id: PromptID,
    _ answerer: Requester, at now: Timestamp
  ) throws(InvalidAnswer) -> [Action] {
    let waiters = waiting[id] ?? []
    guard let decided = answer.choice.decided else {
      return postpone(key, waiters, by: author, prompt: id, answerer, at: now)
    }
    // Joined requests have one answer; of those still there, the oldest is the process that counts.
    guard let process = waiters.first?.process else { return [.answerReply(answerer, .noSuchPrompt)] }
    let record: AuthorizationRecord
    do throws(AddOnlyIsNeverLimited) {
      record = try AuthorizationRecord(
        key,
        Decision(
          decided, decidedAt: now, duration: answer.grant(to: process),
          includesLocation: answer.includesLocation))
    } catch {
      throw InvalidAnswer(reason: error.description)
    }
    // What was selected for it in settings, or is left from an earlier grant, is not this answer.
    let selection = decided == .limited ? answer.selection ?? Selection() : nil
    var changes: [AuthorizationChange] = [.put(record, selection: selection)]
    if refusals[key] != nil { changes.append(.refusals(key, nil)) }
    let closing = close(id, nil)
    return store(changes, by: author, for: .answer(answerer), settling: [key: waiters]) + closing
  }

  /// "Not now": nothing is decided, but it is counted (rules S11, S13).
  private mutating func postpone(
    _ key: RecordKey, _ waiters: [Waiter], by author: AccessEvent.Author, prompt id: PromptID,
    _ answerer: Requester, at now: Timestamp
  ) -> [Action] {
    let count = RefusalRecord.adding(to: refusals[key], at: now)
    refusals[key] = count
    let status = authorizations.status(of: key, at: now)
    return store([.refusals(key, count)], by: nil, for: .nobody, settling: [:])
      + [.note(.decision(about: key, "notNow", by: author), of: key.app), .answerReply(answerer, .accepted)]
      + waiters.map { .reply($0.requester, .status(status)) } + close(id, nil)
  }

  /// Prompts that no agent can be shown keep only those who asked to wait (rule S12).
  private mutating func dismissUnattended() -> [Action] {
    var actions: [Action] = []
    for prompt in queue.prompts where !queue.hasAgent(for: prompt.app.uid) {
      let waiters = waiting[prompt.id] ?? []
      let left = waiters.filter(\.waitsForAgent)
      actions += waiters.filter { !$0.waitsForAgent }.map { fail($0.requester, .noAgent) }
      waiting[prompt.id] = left
      if left.isEmpty { actions += close(prompt.id, .requesterGone) }
    }
    return actions
  }
}
