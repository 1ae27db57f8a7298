import Authorization
import Testing
import TestSupport

/// A daemon under random traffic, which checks after every action what must hold always.
final class RequestWorld {
  var machine = AuthorizationRequests<Int, Int, Pick>(
    authorizations: Authorizations(), owners: OwnerRules(uids: [1000, 1001]))
  var random: SeededGenerator
  var now = noon

  /// Requests without a reply yet, and what they are about; nil for questions and managers.
  var waiting: [Int: RecordKey?] = [:]
  var gone: Set<Int> = []
  var owners: Set<UInt32> = [1000, 1001]
  var agents: [Int: UInt32] = [:]
  /// Agents that are no owners' any more.
  var dropped: Set<Int> = []
  var shown: [Int: Prompt<Pick>] = [:]
  var open: [PromptID: Int] = [:]
  /// Answers without a reply yet.
  var answering: Set<Int> = []
  var model = RequestModel()
  /// What the access log has told last of each record.
  var lastWord: [RecordKey: String] = [:]
  /// Days after which what is not used ends, and when each was really used last.
  var unusedDays: Int64?
  var lastUse: [RecordKey: Timestamp] = [:]
  /// What is selected, as somebody has it who looks at what is news, and at nothing else.
  var followed: [RecordKey: Selection] = [:]
  var handles = 0
  var replies = 0

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  func handle() -> Int {
    handles += 1
    return handles
  }

  func pick<C: Collection>(_ choices: C) -> C.Element? { choices.randomElement(using: &random) }

  /// Does what the machine says.
  ///
  /// - Parameters:
  ///   - intended: what the input was to have stored, in order.
  ///   - author: who meant that.
  ///   - notes: what the access log is to be told, in any order.
  func run(
    _ actions: [AuthorizationRequests<Int, Int, Pick>.Action], _ intended: Intended...,
    by author: AccessEvent.Author? = nil, notes: [Note] = []
  ) {
    var left = intended.filter { $0 != .nothing }
    var noted: [Note] = []
    var restated: Int?
    for action in actions {
      switch action {
      case .show(let prompt, let agent):
        #expect(agents[agent] != nil, "shown to an agent that is there")
        #expect(shown[agent] == nil, "S9: one prompt at a time on an agent")
        #expect(open[prompt.id] == nil, "S46: shown to one agent at a time")
        // What is only put in other words stays where it is.
        if owners.contains(prompt.app.uid), restated != agent {
          #expect(agents[agent] == prompt.app.uid, "S46")
        }
        shown[agent] = prompt
        open[prompt.id] = agent
      case .withdraw(let id, let reason, let agent):
        restated = reason == .restated ? agent : nil
        #expect(shown[agent]?.id == id, "only what is shown is withdrawn")
        shown[agent] = nil
        open[id] = nil
      case .store(let transaction):
        let meant = left.isEmpty ? .nothing : left.removeFirst()
        #expect(meant.isDone(by: transaction), "S11: stored is what was decided, and nothing else")
        #expect(transaction.author == (meant == .nothing ? nil : author), "who has decided")
        model.pending.append(.init(transaction: transaction, intended: meant, author: transaction.author))
      case .reply(let requester, let reply):
        guard let about = waiting.removeValue(forKey: requester) else {
          Issue.record("\(requester) is gone or has its reply already")
          continue
        }
        replies += 1
        if let key = about, case .status(let effective) = reply {
          #expect(effective.status == model.status(of: key, at: now), "S4, S8, S11, S37")
        }
      case .answerReply(let answerer, _):
        #expect(answering.remove(answerer) != nil, "S46: an answer is replied to once")
      case .dismiss(let agent): #expect(agents[agent] == nil, "S44: dismissed, and may act as an owner")
      case .note(let event, let app):
        noted.append(Note(event, app))
        remember(event, of: app)
      case .changed, .watch, .noteUse: break
      }
    }
    #expect(left.isEmpty, "what was decided is not stored")
    #expect(
      Dictionary(grouping: noted) { $0 }.mapValues(\.count)
        == Dictionary(grouping: notes) { $0 }.mapValues(\.count), "who has decided what is told once")
  }

  private func remember(_ event: AccessEvent, of app: AppKey) {
    guard event.kind == .decision, let level = event.accessLevel else { return }
    let key = app.record(level)
    // The use of what has ended does not keep what comes after it.
    switch event.by?.role {
    case .expiry, .exit, .disuse: lastUse[key] = nil
    case .settings where event.outcome == nil || event.outcome == "notDetermined": lastUse[key] = nil
    case .agent, .settings, .policy, .policyEnd, nil: break
    }
    if let outcome = event.outcome, outcome != "notNow" { lastWord[key] = outcome }
  }

  func check() {
    let prompts = machine.prompts
    let records = prompts.compactMap(\.record)
    #expect(Set(records).count == records.count, "S8: one prompt of a record")
    let apps = prompts.map { "\($0.app.uid) \($0.app.appID)" }
    #expect(Set(apps).count == apps.count, "S13: one prompt of an app")
    #expect(Set(open.keys).isSubset(of: prompts.map(\.id)), "nothing is shown that is not open")
    for prompt in prompts where open[prompt.id] == nil {
      // Not shown: nobody could be shown it, or the one who could is busy.
      let isOwner = owners.contains(prompt.app.uid)
      let newest = agents.keys.filter { !isOwner || agents[$0] == prompt.app.uid }.max()
      if let newest { #expect(shown[newest] != nil, "S46: an agent is idle while a prompt waits for it") }
    }
    let decided = AppIndex(machine.authorizations.decisions.keys.lazy.map(\.app))
    #expect(machine.authorizations.decidedApps == decided, "the apps that were decided about")
    for (key, selected) in machine.authorizations.selections {
      let stored = model.selection(of: key)
      if !model.isUnderway(key) { #expect(selected == stored, "S16: what counts is what is on disk") }
    }
    for key in Set(model.pending.flatMap(\.transaction.changes).map(\.key)) {
      #expect(
        machine.authorizations.status(of: key, at: now).status == model.status(of: key, at: now),
        "S29: what is taken away counts at once, what is given does not")
      #expect(
        machine.authorizations.status(of: key, at: now).includesLocation(for: nil)
          == model.includesLocation(key, at: now), "S55: location that nobody gave, or that was taken away")
      guard machine.authorizations.status(of: key, at: now).status == .limited else { continue }
      #expect(model.takenAway(from: key).isDisjoint(with: machine.authorizations.selected(key)), "S16, S29")
    }
    checkNews()
    checkLastWords()
    for key in records {
      #expect(machine.authorizations.status(of: key, at: now).status == .notDetermined, "S7")
    }
  }

  private func checkNews() {
    let selections = machine.authorizations.selections
    for key in Set(selections.keys).union(followed.keys).union(machine.authorizations.selectionNews.keys)
      .sorted()
    {
      // Now or later.
      guard Bool.random(using: &random) else { continue }
      let selection = selections[key] ?? Selection()
      switch machine.takeSelectionNews(of: key) {
      case .named(let some):
        followed[key, default: Selection()].apply(.remove(some))
        followed[key, default: Selection()].apply(.add(some.intersection(selection)))
      case .anything: followed[key] = selection
      case nil: break
      }
      #expect(followed[key] ?? Selection() == selection, "S22: what is news is all that is")
    }
  }

  private func checkLastWords() {
    let decisions = machine.authorizations.decisions
    for key in Set(lastWord.keys).union(decisions.keys)
    where !model.hasPolicy(key) && !model.isUnderway(key) {
      // What is over, and was not looked at yet, is told when it is.
      if decisions[key]?.hasExpired(at: now) == true { continue }
      let status = machine.authorizations.status(of: key, at: now).status
      #expect(lastWord[key] ?? "notDetermined" == status.rawValue, "the log's last word is what holds")
    }
  }

  /// Everyone leaves or is answered: nobody is forgotten.
  func finish() {
    while !model.pending.isEmpty { commit() }
    for agent in agents.keys.sorted() {
      agents[agent] = nil
      if let prompt = shown.removeValue(forKey: agent) { open[prompt.id] = nil }
      run(machine.agentGone(agent))
    }
    while !model.pending.isEmpty { commit() }
    for requester in waiting.keys.sorted() {
      waiting[requester] = nil
      run(machine.requesterGone(requester))
    }
    #expect(answering.isEmpty, "S46: every answer has its reply")
    #expect(machine.prompts.isEmpty, "who is still there waited for an agent, and was the last")
  }
}
