import Testing

@testable import Authorization

private let key = app().record(.readWrite)

private func grant(_ status: DecidedStatus = .authorized, location: Bool) throws -> AuthorizationRecord {
  try AuthorizationRecord(key, Decision(status, decidedAt: noon, includesLocation: location))
}

@Suite("Who learns where photos were taken")
struct LocationTests {
  private func includesLocation(_ shell: Shell) -> Bool {
    shell.machine.authorizations.status(of: key, at: shell.now).includesLocation(for: nil)
  }

  private func answer(_ answer: AuthorizationAnswer, to app: PeerIdentity, _ level: AccessLevel) throws {
    try answer.check(for: level, of: app, at: noon)
  }

  @Test("S55: a grant includes location where the owner says so, and not else")
  func offUntilSet() throws {
    let answered = AuthorizationAnswer(.allow)
    #expect(!answered.includesLocation)
    #expect(!Decision(.authorized, decidedAt: noon).includesLocation)
    #expect(try grant(location: true).decision.includesLocation)
    #expect(try !grant(.denied, location: true).decision.includesLocation)
    let adding = try AuthorizationRecord(
      app().record(.addOnly), Decision(.authorized, decidedAt: noon, includesLocation: true))
    #expect(!adding.decision.includesLocation, "who only adds is given no picture")
  }

  @Test("S55, S57: an answer gives location to an app that says what for, with what lets it read")
  func whoCanHaveIt() throws {
    let silent = app(locationUsage: nil)
    try answer(AuthorizationAnswer(.allow, includesLocation: true), to: app(), .readWrite)
    try answer(AuthorizationAnswer(.limited, includesLocation: true), to: app(), .readWrite)
    try answer(AuthorizationAnswer(.allow), to: silent, .readWrite)
    #expect(throws: InvalidAnswer.self) {
      try answer(AuthorizationAnswer(.allow, includesLocation: true), to: silent, .readWrite)
    }
    #expect(throws: InvalidAnswer.self) {
      try answer(AuthorizationAnswer(.allow, includesLocation: true), to: app(), .addOnly)
    }
    for choice in [PromptChoice.deny, .notNow] {
      #expect(throws: InvalidAnswer.self) {
        try answer(AuthorizationAnswer(choice, includesLocation: true), to: app(), .readWrite)
      }
    }
  }

  @Test("S55: a policy gives location to apps that say what for, where it says so")
  func policies() {
    func includesLocation(_ policy: Policy, _ app: PeerIdentity) -> Bool {
      EffectiveStatus(.policy(policy)).includesLocation(for: app.manifest)
    }
    let with = policy("all", .authorize, includesLocation: true)
    #expect(includesLocation(with, app()))
    #expect(!includesLocation(with, app(locationUsage: nil)))
    #expect(!includesLocation(policy("all", .authorize), app()))
    #expect(!includesLocation(policy("none", .restrict, includesLocation: true), app()))
  }

  @Test("S55: taking location away counts before it is on disk, and giving it when it is")
  func order() throws {
    var state = RecordState(decision: try grant(location: true).decision)
    state.narrow(by: .put(try grant(location: false)))
    #expect(state.decision?.status == .authorized)
    #expect(state.decision?.includesLocation == false)
    state.narrow(by: .put(try grant(location: true)))
    #expect(state.decision?.includesLocation == false)
    state.apply(.put(try grant(location: true)))
    #expect(state.decision?.includesLocation == true)
    // Less to see, and location: the one at once, the other later.
    var everything = RecordState(decision: try grant(location: false).decision)
    everything.narrow(by: .put(try grant(.limited, location: true)))
    #expect(everything.decision?.status == .limited)
    #expect(everything.decision?.includesLocation == false)
  }

  @Test("S55: what of a change takes location away comes to the disk even where what it gives does not")
  func revocation() throws {
    let limited = try grant(.limited, location: true)
    let authorizations = Authorizations(records: [limited])
    let more = AuthorizationChange.put(try grant(.authorized, location: false))
    #expect(
      authorizations.revocations(in: [more]) == [.put(try grant(.limited, location: false))])
    let less = AuthorizationChange.put(try grant(.limited, location: false))
    #expect(authorizations.revocations(in: [less]) == [less])
    let same = AuthorizationChange.put(limited)
    #expect(authorizations.revocations(in: [same]).isEmpty)
  }
}
