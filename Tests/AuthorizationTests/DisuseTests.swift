import Authorization
import Testing

@Suite("Grants that are not used")
struct DisuseTests {
  private let day: Int64 = 86_400
  private let key = RecordKey(uid: 1000, appID: "org.example.App", accessLevel: .readWrite)

  private func authorizations(
    _ status: DecidedStatus = .authorized, duration: GrantDuration = .always, lastUsed: Timestamp? = nil,
    days: Int? = 30
  ) throws -> Authorizations {
    let record = try AuthorizationRecord(key, Decision(status, decidedAt: noon, duration: duration))
    return Authorizations(
      records: [record], lastUsed: lastUsed.map { [key: $0] } ?? [:], expireUnusedAfterDays: days)
  }

  @Test("one that was never used ends so many days after it was decided")
  func neverUsed() throws {
    let held = try authorizations()
    let end = noon.adding(seconds: 30 * day)
    #expect(held.nextExpiry == end)
    #expect(held.expired(at: Timestamp(microseconds: end.microseconds - 1)).isEmpty)
    #expect(held.unused(at: end) == [key])
    #expect(held.expired(at: end) == [key])
  }

  @Test("a use puts the end off; it is stored once a day")
  func used() throws {
    var held = try authorizations()
    let use = noon.adding(seconds: 20 * day)
    let stored = [use, use.adding(seconds: day - 1), use.adding(seconds: day)].map { held.use(key, at: $0) }
    #expect(stored == [true, false, true])
    let last = use.adding(seconds: day)
    // What was used at the end of the noted day has its thirty days as well.
    #expect(held.nextExpiry == last.adding(seconds: 31 * day))
    #expect(held.unused(at: last.adding(seconds: 31 * day - 1)).isEmpty)
  }

  @Test("what the registry knows of its last use counts after a restart")
  func restart() throws {
    let held = try authorizations(lastUsed: noon.adding(seconds: 10 * day))
    #expect(held.nextExpiry == noon.adding(seconds: 41 * day))
  }

  @Test("a new decision counts from when it was made")
  func decidedAgain() throws {
    let later = noon.adding(seconds: 100 * day)
    let held = Authorizations(
      records: [try AuthorizationRecord(key, Decision(.limited, decidedAt: later))], lastUsed: [key: noon],
      expireUnusedAfterDays: 30)
    #expect(held.nextExpiry == later.adding(seconds: 30 * day))
  }

  @Test("denials stay, and without the setting everything does")
  func stays() throws {
    let far = noon.adding(seconds: 10_000 * day)
    #expect(try authorizations(.denied).nextExpiry == nil)
    #expect(try authorizations(.denied).expired(at: far).isEmpty)
    #expect(try authorizations(days: nil).nextExpiry == nil)
    #expect(try authorizations(days: nil).expired(at: far).isEmpty)
  }

  @Test("a grant until a time ends then, and is not called unused")
  func untilTime() throws {
    let end = noon.adding(seconds: day)
    let held = try authorizations(duration: .until(end))
    #expect(held.nextExpiry == end)
    #expect(held.expired(at: end) == [key])
    #expect(held.unused(at: end).isEmpty)
  }

  @Test("S8: what is taken back is removed, told, and prompts again")
  func throughTheMachine() throws {
    let shell = Shell(records: [try AuthorizationRecord(key, Decision(.authorized, decidedAt: noon))])
    shell.machine.unusedLimitChanged(days: 30)
    let end = noon.adding(seconds: 30 * day)
    shell.run(shell.machine.expire(at: end, inUse: []))
    #expect(shell.stored == [.remove(key)])
    #expect(shell.machine.authorizations.status(of: key, at: end).status == .notDetermined)
    #expect(shell.machine.authorizations.lastUsed[key] == nil)
  }

  @Test("what was not granted is not used")
  func unknown() throws {
    var held = Authorizations(expireUnusedAfterDays: 30)
    let isStored = held.use(key, at: noon)
    #expect(!isStored)
    #expect(held.lastUsed.isEmpty)
  }
}
