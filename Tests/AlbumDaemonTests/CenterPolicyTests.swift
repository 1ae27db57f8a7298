import Authorization
import EventLoop
import LoopTesting
import Storage
import Testing
import TestSupport

@testable import AlbumDaemon

@Suite("Policies that come and go, over what was decided", .timeLimit(.minutes(30)))
struct CenterPolicyTests {
  init() {
    LoopThread.start()
  }

  @Test("S29: a reload tells of those whose status has become another, and of no others")
  func reload() async throws {
    let directory = try TemporaryDirectory()
    let told = try await reload(directory.path)
    #expect(told == [0, 1, 1])
  }

  /// Of how many records was told: by a reload that changes nothing, one with a policy, and one without it.
  @EventLoopActor
  private func reload(_ directory: String) async throws -> [Int] {
    let counting = CountsChanges()
    let center = try makeCenter(try Registry(directory: directory), try AccessLog(directory)) { _ in counting
    }
    for number in 0..<10 { await center.decide(app("org.example.App\(number)").record(.readWrite), .denied) }
    let one = policy(.authorize, "org.example.App1")
    var told: [Int] = []
    for policies in [PolicySet(), PolicySet([one]), PolicySet()] {
      await EventLoopActor.giveWay()
      counting.count = 0
      center.reload(policies: policies, owners: OwnerRules(), expireUnusedAfterDays: nil)
      #expect(counting.count == 0, "who is told is not called inside of what has changed it")
      await EventLoopActor.giveWay()
      told.append(counting.count)
    }
    return told
  }

  @Test("S6, S18: what a limited app has added joins its selection, also when a policy came meanwhile")
  func extensionBeneathPolicy() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await extendBeneathPolicy(directory.path) == ["0123456789abcdef"])
  }

  @EventLoopActor
  private func extendBeneathPolicy(_ directory: String) async throws -> Set<String> {
    let center = try makeCenter(directory)
    let key = app("org.example.One").record(.readWrite)
    await center.decide(key, .limited)
    let restricting = PolicySet([policy(.restrict, key.appID)])
    center.reload(policies: restricting, owners: OwnerRules(), expireUnusedAfterDays: nil)
    await center.extendSelection(of: key, by: ["0123456789abcdef"])
    return center.decisions.selection(of: key).assets
  }

  @Test("S6: a grant beneath a policy does not end for want of use, and returns when the policy goes")
  func beneathPolicy() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await returnsFromBeneath(directory.path) == [.restricted, .restricted, .authorized])
  }

  @EventLoopActor
  private func returnsFromBeneath(_ directory: String) async throws -> [AuthorizationStatus] {
    let key = app("org.example.One").record(.readWrite)
    let restricting = PolicySet([policy(.restrict, key.appID)])
    let long = Timestamp.now.adding(seconds: -100 * 86_400)
    let registry = try Registry(directory: directory)
    let record = try AuthorizationRecord(key, Decision(.authorized, decidedAt: long))
    await withCheckedContinuation { stored in registry.apply([.put(record)]) { _ in stored.resume() } }
    let accessLog = try AccessLog(directory)
    let center = try makeCenter(registry, accessLog, policies: restricting, unusedDays: 30)
    return [center.decisions.status(of: key).status]
      + [restricting, PolicySet()].map { policies in
        center.reload(policies: policies, owners: OwnerRules(), expireUnusedAfterDays: 30)
        return center.decisions.status(of: key).status
      }
  }

  @Test("S6: and also when the policy goes while the daemon does not run")
  func beneathPolicyUntilTheEnd() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await returnsAfterRestart(directory.path) == [.restricted, .authorized])
  }

  @EventLoopActor
  private func returnsAfterRestart(_ directory: String) async throws -> [AuthorizationStatus] {
    let key = app("org.example.One").record(.readWrite)
    let accessLog = try AccessLog(directory)
    let registry = try Registry(directory: directory)
    let long = Timestamp.now.adding(seconds: -100 * 86_400)
    let record = try AuthorizationRecord(key, Decision(.authorized, decidedAt: long))
    await withCheckedContinuation { stored in registry.apply([.put(record)]) { _ in stored.resume() } }
    // It starts so long ago that what it notes then has expired by now; its end is now.
    let clock = SetClock(long)
    let center = try makeCenter(
      registry, accessLog, policies: PolicySet([policy(.restrict, key.appID)]), unusedDays: 30,
      clock: { clock.now })
    let before = center.decisions.status(of: key).status
    clock.now = .now
    center.noteUses()
    try registry.close()
    let next = try makeCenter(try Registry(directory: directory), accessLog, unusedDays: 30)
    return [before, next.decisions.status(of: key).status]
  }

  @Test("S6: time beneath a policy is noted daily, and nothing wakes up for it where nothing is beneath one")
  func daily() async throws {
    let directory = try TemporaryDirectory()
    #expect(try await isDaily(directory.path) == [false, true, true, false, true, false])
  }

  @EventLoopActor
  private func isDaily(_ directory: String) async throws -> [Bool] {
    let center = try makeCenter(directory)
    let key = app("org.example.One").record(.readWrite)
    await center.decide(key, .authorized)
    let one = PolicySet([policy(.restrict, key.appID)])
    let other = PolicySet([policy(.restrict, "org.example.Two")])
    let settings: [(PolicySet, Int?)] = [
      (PolicySet(), 30), (one, 30), (one, 60), (one, nil), (one, 30), (other, 30),
    ]
    return settings.map { policies, days in
      center.reload(policies: policies, owners: OwnerRules(), expireUnusedAfterDays: days)
      return center.daily.isArmed
    }
  }
}

@EventLoopActor
private final class CountsChanges: NobodyElse {
  var count = 0

  override func statusChanged(of key: RecordKey, from former: AuthorizationStatus?) { count += 1 }
}

/// A clock that goes when it is told.
@EventLoopActor
private final class SetClock {
  var now: Timestamp

  init(_ now: Timestamp) { self.now = now }
}
