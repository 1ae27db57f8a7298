import Authorization
import EventLoop
import Logging
import Storage
import Testing

@testable import AlbumDaemon

/// One with what a directory keeps.
@EventLoopActor
func makeCenter(_ directory: String) throws -> AuthorizationCenter {
  try makeCenter(try Registry(directory: directory), try AccessLog(directory))
}

@EventLoopActor
func makeCenter(
  _ registry: Registry, _ accessLog: AccessLog, policies: PolicySet = PolicySet(), unusedDays: Int? = nil,
  clock: @escaping @EventLoopActor () -> Timestamp = { .now }
) throws -> AuthorizationCenter {
  try makeCenter(registry, accessLog, policies: policies, unusedDays: unusedDays, clock: clock) { _ in
    NobodyElse()
  }
}

/// One with what surrounds it.
@EventLoopActor
func makeCenter(
  _ registry: Registry, _ accessLog: AccessLog, policies: PolicySet = PolicySet(), unusedDays: Int? = nil,
  clock: @escaping @EventLoopActor () -> Timestamp = { .now },
  around surroundings: @EventLoopActor (Decisions) -> any StatusObserver & AppsInSight
) throws -> AuthorizationCenter {
  let decisions = Decisions(
    registry: registry, snapshot: try registry.load(), policies: policies, owners: OwnerRules(),
    expireUnusedAfterDays: unusedDays, clock: clock)
  let around = surroundings(decisions)
  return AuthorizationCenter(
    decisions: decisions, registry: registry, accessLog: accessLog, observer: around, apps: around,
    names: UserNames(), log: Logger(label: "test"))
}

/// A daemon without anybody who is told, or uses anything.
@EventLoopActor
class NobodyElse: StatusObserver, AppsInSight {
  var inUse: [RecordKey] { [] }
  var seen: [RecordKey] { [] }

  func statusChanged(of key: RecordKey, from former: AuthorizationStatus?) {}
}

/// Apps that see everything.
struct SeesAll: AssetVisibility {
  func visible(_ assets: Set<String>, to app: PeerIdentity) -> Set<String> { assets }
}

extension LimitedPicker {
  /// That of an app that stays who it is.
  @EventLoopActor
  init(
    _ center: AuthorizationCenter, _ app: PeerIdentity, asksItself: Bool = true,
    done: @escaping @EventLoopActor (Result<LimitedPicker.Outcome, RequestError>) -> Void
  ) {
    self.init(
      center: center, app: app, asksItself: asksItself, visibility: SeesAll(), identity: { app }, done: done)
  }
}

extension AccessLog {
  convenience init(_ directory: String) throws {
    self.init(store: try AccessLogStore(directory: directory), keepDays: 90, log: Logger(label: "test")) {
      $0
    }
  }

  /// All that was noted, written by now or not.
  func rows() async throws -> [AccessEntry] {
    try await withCheckedThrowingContinuation { continuation in
      read(after: 0, appID: nil, since: Timestamp(microseconds: 0), limit: 1000) {
        continuation.resume(with: $0)
      }
    }
  }
}

extension AuthorizationCenter {
  /// An owner decides; stored when it returns.
  func decide(_ key: RecordKey, _ status: DecidedStatus) async {
    await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
      guard let record = try? AuthorizationRecord(key, Decision(status, decidedAt: .now)) else {
        Issue.record("\(status) is no decision about \(key.accessLevel)")
        return continuation.resume()
      }
      set([record], by: .init(.settings, uid: 0)) { _ in continuation.resume() }
    }
  }
}

func policy(_ effect: Policy.Effect, _ app: String) -> Policy {
  Policy(
    name: "policy", effect: effect, apps: [Glob(app)], users: nil, accessLevels: [.readWrite], reason: nil,
    file: "policy.yaml")
}

func app(_ id: String) -> PeerIdentity {
  let manifest = AppManifest(
    appID: id, name: LocalizedText(english: id), bindings: [.init(.flatpak, id)],
    usage: [.readWrite: LocalizedText(english: "To show your photos.")], file: "\(id).yaml",
    fileToWrite: "\(id).yaml")
  return PeerIdentity(
    appID: id, uid: 1000, evidence: .init(.flatpak, id), isVerified: true, manifest: manifest,
    manifestFile: manifest.fileToWrite)
}

@EventLoopActor
func request(_ id: String, of center: AuthorizationCenter) -> AuthorizationCenter.Requester {
  center.request(
    .readWrite, app: app(id), process: ProcessInstance(pid: 1, startTime: 1, bootID: "boot"),
    waitForAgent: true, identity: { app(id) }
  ) { _ in }
}
