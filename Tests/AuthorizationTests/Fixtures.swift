import Authorization
import Testing

typealias Requests = AuthorizationRequests<String, String, Pick>

/// A question of another kind, as a picker would ask it: at most `limit` photos.
struct Pick: PromptQuestion, Equatable {
  let limit: Int

  func check(_ answer: [String], of app: PeerIdentity) throws(InvalidAnswer) {
    if answer.count > limit { throw InvalidAnswer(reason: "at most \(limit) photos") }
  }

  func isRefused(by answer: [String]) -> Bool { answer.isEmpty }
}

/// Who changes settings.
let owner = AccessEvent.Author(.settings, uid: 1000)
let noon = Timestamp(seconds: 1_000_000)
let hour: Int64 = 3600

func app(
  _ id: String = "org.example.App", uid: UInt32 = 1000, usage: Set<AccessLevel> = [.addOnly, .readWrite],
  locationUsage: String? = "To show a map."
)
  -> PeerIdentity
{
  let text = LocalizedText(english: "To show your photos.")
  let manifest = AppManifest(
    appID: id, name: LocalizedText(english: "App \(id)"), bindings: [.init(.flatpak, id)],
    usage: Dictionary(uniqueKeysWithValues: usage.map { ($0, text) }),
    locationUsage: locationUsage.map(LocalizedText.init(english:)),
    file: "/usr/share/albumd/apps.d/\(id).yaml",
    fileToWrite: "/etc/albumd/apps.d/\(id).yaml")
  return PeerIdentity(
    appID: id, uid: uid, evidence: .init(.flatpak, id), isVerified: true, manifest: manifest,
    manifestFile: manifest.fileToWrite)
}

/// A program that no manifest describes.
func program(_ path: String, uid: UInt32 = 1000) -> PeerIdentity {
  PeerIdentity(
    appID: path, uid: uid, evidence: .init(.executable, path), isVerified: false, manifest: nil,
    manifestFile: "/etc/albumd/apps.d/program.yaml")
}

func process(_ pid: Int32) -> ProcessInstance {
  ProcessInstance(pid: pid, startTime: UInt64(pid) * 100, bootID: "boot")
}

func policy(
  _ name: String, _ effect: Policy.Effect, apps: [String] = ["*"], users: Set<UInt32>? = nil,
  levels: Set<AccessLevel> = [.addOnly, .readWrite], includesLocation: Bool = false,
  reason: LocalizedText? = nil
) -> Policy {
  Policy(
    name: name, effect: effect, apps: apps.map(Glob.init),
    users: users.map { Policy.Users(names: [], groups: [], uids: $0) }, accessLevels: levels,
    includesLocation: includesLocation, reason: reason,
    file: "/etc/albumd/policies.d/\(name).yaml")
}

/// What the daemon around the machine would be: it does every action and remembers what was said to whom.
final class Shell {
  var machine: Requests
  var now = noon
  /// Whether transactions are on disk at once; else `commit()` does it.
  var commitsAtOnce = true

  private(set) var shown: [String: [PromptID]] = [:]
  private(set) var withdrawn: [(PromptID, WithdrawalReason)] = []
  private(set) var dismissed: [String] = []
  private(set) var replies: [String: RequestReply<[String]>] = [:]
  private(set) var answerReplies: [AnswerReply] = []
  private(set) var pending: [AuthorizationTransaction] = []
  private(set) var stored: [AuthorizationChange] = []
  private(set) var watched: [ProcessInstance] = []
  private(set) var changed: [RecordKey] = []
  /// What the access log is told, and of whom.
  private(set) var noted: [(event: AccessEvent, app: AppKey)] = []
  private var prompts = 0
  private var agents: [String: UInt32] = [:]
  /// What each answer is to.
  private var answers: [String: (agent: String, prompt: PromptID)] = [:]

  init(
    owners: Set<UInt32> = [1000], policies: [Policy] = [], records: [AuthorizationRecord] = [],
    refusals: [RecordKey: RefusalRecord] = [:]
  ) {
    machine = Requests(
      authorizations: Authorizations(policies: PolicySet(policies), records: records), refusals: refusals,
      owners: OwnerRules(uids: owners))
  }

  @discardableResult
  func request(
    _ requester: String, _ level: AccessLevel = .readWrite, app asking: PeerIdentity = app(), pid: Int32 = 1,
    wait: Bool = false
  ) -> String? {
    prompts += 1
    let id = PromptID("p\(prompts)")
    run(
      machine.request(
        level, by: requester, app: asking, process: process(pid), waitForAgent: wait, promptID: id, at: now))
    return said(to: requester)
  }

  @discardableResult
  func ask(
    _ requester: String, limit: Int = 1, app asking: PeerIdentity = app(), asksItself: Bool = true,
    wait: Bool = false
  ) -> String? {
    prompts += 1
    let id = PromptID("p\(prompts)")
    run(
      machine.ask(
        Pick(limit: limit), by: requester, app: asking, asksItself: asksItself, waitForAgent: wait,
        promptID: id, at: now))
    return said(to: requester)
  }

  func agent(_ name: String, uid: UInt32 = 1000) {
    agents[name] = uid
    run(machine.agentRegistered(name, uid: uid))
  }
  func agentGone(_ name: String) {
    shown[name] = nil
    run(machine.agentGone(name))
  }
  func gone(_ requester: String) { run(machine.requesterGone(requester)) }

  /// Answers what the agent is shown.
  @discardableResult
  func answer(
    _ agent: String, _ choice: PromptChoice, duration: AuthorizationAnswer.Duration? = nil,
    selection: Selection? = nil
  ) -> AnswerReply? {
    answer(agent, .authorization(.init(choice, duration: duration, selection: selection)))
  }

  @discardableResult
  func answer(_ agent: String, _ answer: PromptAnswer<[String]>, to id: PromptID? = nil) -> AnswerReply? {
    let before = answerReplies.count
    let id = id ?? shown[agent]?.first ?? PromptID("none")
    let answerer = "answer \(answers.count)"
    answers[answerer] = (agent, id)
    run(machine.answered(answer, to: id, from: agents[agent] ?? 1000, by: answerer, at: now))
    return answerReplies.count > before ? answerReplies[before] : nil
  }

  /// The manifests were read again; who is not named is who they were.
  func identities(_ now: [String: PeerIdentity?]) {
    run(
      machine.identitiesChanged(now) {
        prompts += 1
        return PromptID("p\(prompts)")
      })
  }

  func set(_ status: DecidedStatus, _ keys: RecordKey..., by manager: String = "manager") throws {
    let decision = Decision(status, decidedAt: now)
    run(machine.set(try keys.map { try AuthorizationRecord($0, decision) }, by: owner, for: manager))
  }

  /// Takes back what was decided about these, and what an app's questions have come to; every app's without one.
  func reset(
    _ keys: [RecordKey], of appID: String? = app().appID, uid: UInt32? = nil, by manager: String = "manager"
  ) {
    run(machine.reset(keys, appID: appID, uid: uid, by: owner, for: manager))
  }

  func commit() {
    while !pending.isEmpty { commitFirst() }
  }

  func commitFirst() {
    let first = pending.removeFirst()
    stored += first.changes
    run(machine.committed(first.id, at: now))
  }

  func failStore(_ reason: String) {
    let first = pending.removeFirst()
    run(machine.storeFailed(first.id, reason: reason, at: now))
  }

  func run(_ actions: [Requests.Action]) {
    for action in actions {
      switch action {
      case .show(let prompt, let agent): shown[agent, default: []].append(prompt.id)
      case .withdraw(let id, let reason, let agent):
        shown[agent]?.removeAll { $0 == id }
        withdrawn.append((id, reason))
      case .store(let transaction): pending.append(transaction)
      case .reply(let requester, let reply):
        if replies.updateValue(reply, forKey: requester) != nil {
          Issue.record("\(requester) has two replies")
        }
      case .answerReply(let answerer, let reply):
        answerReplies.append(reply)
        guard let (agent, id) = answers[answerer] else {
          Issue.record("\(answerer) was not given")
          continue
        }
        switch reply {
        case .accepted, .acceptedUnsaved, .notStored: shown[agent]?.removeAll { $0 == id }
        case .noSuchPrompt, .invalid: break
        }
      case .dismiss(let agent): dismissed.append(agent)
      case .changed(let key, _): changed.append(key)
      case .note(let event, let app): noted.append((event, app))
      case .noteUse: break
      case .watch(let process): watched.append(process)
      }
      if commitsAtOnce { commit() }
    }
  }

  func status(_ level: AccessLevel = .readWrite, app asking: PeerIdentity = app()) -> AuthorizationStatus {
    machine.authorizations.status(of: asking.record(level), at: now).status
  }

  /// The reply in a word, and nil while there is none. Forgets it, so that the requester may ask again.
  func said(to requester: String) -> String? {
    switch replies.removeValue(forKey: requester) {
    case nil: nil
    case .status(let effective): effective.status.rawValue
    case .answer(let photos, _): photos.joined(separator: " ")
    case .stored(nil): "stored"
    case .stored(let reason?): "counts: \(reason)"
    case .failure(let error):
      switch error {
      case .noAgent: "noAgent"
      case .usageDescriptionMissing(let app, let level, let file): "missing \(app) \(level.rawValue) \(file)"
      case .throttled(let seconds): "throttled \(seconds)"
      case .busy: "busy"
      case .anotherApp: "another app"
      case .lockedByPolicy(let policy): "locked by \(policy.name)"
      case .notStored(let reason): "not stored: \(reason)"
      }
    }
  }
}
