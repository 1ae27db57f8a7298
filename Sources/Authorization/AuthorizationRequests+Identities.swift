extension AuthorizationRequests {
  /// The manifests were read again: who asks may be another app by now, or be described in other words (rules S14,
  /// S35). A prompt that said what is no longer so is withdrawn, and another is shown in its place.
  ///
  /// - Parameters:
  ///   - now: who requesters are by now; nil when nothing can be told about one any more. Who is not among them is who it
  ///     was. It is found out before: who looks at a peer may come back to ask what was decided.
  ///   - promptID: a new name.
  package mutating func identitiesChanged(
    _ now: [Requester: PeerIdentity?], promptID: () -> PromptID
  ) -> [Action] {
    queue.prompts.flatMap { review($0, now, promptID) } + reviewLate(now)
  }

  private mutating func review(
    _ prompt: Prompt<Question>, _ identities: [Requester: PeerIdentity?], _ promptID: () -> PromptID
  ) -> [Action] {
    var actions: [Action] = []
    var present: PeerIdentity?
    var left: [Waiter] = []
    for waiter in waiting[prompt.id] ?? [] {
      guard let now = identities[waiter.requester, default: prompt.app], now.key == prompt.app.key else {
        actions.append(fail(waiter.requester, .anotherApp))
        continue
      }
      present = present ?? now
      left.append(waiter)
    }
    waiting[prompt.id] = left
    guard let present else { return actions + close(prompt.id, .requesterGone) }
    return present == prompt.app ? actions : actions + restate(prompt, of: present, promptID())
  }

  private mutating func restate(_ prompt: Prompt<Question>, of app: PeerIdentity, _ id: PromptID) -> [Action]
  {
    var subject = prompt.subject
    let waiters = waiting[prompt.id] ?? []
    if case .authorization(let level, _) = subject {
      guard let usage = app.manifest?.usage[level] else {
        let error = RequestError.usageDescriptionMissing(
          appID: app.appID, level, manifest: app.manifestFile)
        return waiters.map { fail($0.requester, error) } + close(prompt.id, .requesterGone)
      }
      subject = .authorization(level, usage: usage)
      promptOf[app.record(level)] = id
    }
    waiting[prompt.id] = nil
    waiting[id] = waiters
    return shellActions(queue.replace(prompt.id, by: Prompt(id: id, app: app, subject: subject)))
  }

  private mutating func reviewLate(_ identities: [Requester: PeerIdentity?]) -> [Action] {
    var actions: [Action] = []
    for key in settling.keys.sorted() {
      var left: [LateRequest] = []
      for late in settling[key]?.late ?? [] {
        if let now = identities[late.waiter.requester, default: late.app], now.key == late.app.key {
          left.append(LateRequest(waiter: late.waiter, app: now, level: late.level, promptID: late.promptID))
        } else {
          actions.append(fail(late.waiter.requester, .anotherApp))
        }
      }
      settling[key]?.late = left
    }
    return actions
  }
}
