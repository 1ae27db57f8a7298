// Who waits for what.
extension AuthorizationRequests {
  struct Waiter {
    let requester: Requester
    let process: ProcessInstance?
    let waitsForAgent: Bool
    /// Whether its refusals are counted: not where the daemon asks for it.
    var asksItself = true
  }

  /// Who learns that a transaction is on disk.
  enum Origin {
    case answer(Requester)
    case manager(Requester)
    case nobody
  }

  struct Storing {
    let transaction: AuthorizationTransaction
    let origin: Origin
  }

  /// A record whose decision is on its way to disk.
  struct Settling {
    /// The last transaction about it; earlier ones decide nothing that would last.
    var transaction: AuthorizationTransaction.ID
    var waiters: [Waiter]
    /// Requests that came meanwhile. What is being stored may take a decision back: then they prompt (rule S7).
    var late: [LateRequest] = []
  }

  /// A request that is made again when a record is settled.
  struct LateRequest {
    let waiter: Waiter
    let app: PeerIdentity
    let level: AccessLevel
    let promptID: PromptID
  }
}

extension AppKey {
  /// Whose questions are counted together with an app's: the app's own, or all of its user's that have no manifest.
  static func whoseQuestions(_ app: PeerIdentity) -> AppKey {
    app.manifest == nil ? AppKey(uid: app.accountable, appID: "") : app.key
  }
}

/// Questions that were refused in a row, and the apps that asked them.
struct QuestionRefusals {
  var record: RefusalRecord
  var apps: Set<String>
}
