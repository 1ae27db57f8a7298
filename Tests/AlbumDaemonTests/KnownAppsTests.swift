import Authorization
import DaemonConfiguration
import EventLoop
import LoopTesting
import Storage
import Testing
import TestSupport

@testable import AlbumDaemon

@Suite("What the registry keeps of the apps that were seen")
struct KnownAppsTests {
  private let directory: TemporaryDirectory
  private let noon = Timestamp(seconds: 1_000_000_000)
  private let app = PeerIdentity(
    appID: "org.example.One", uid: 1000, evidence: .init(.flatpak, "org.example.One"), isVerified: true,
    manifest: nil, manifestFile: "org.example.One.yaml")

  init() throws {
    LoopThread.start()
    directory = try TemporaryDirectory()
  }

  @Test("an app that is here every few hours was last seen on that day, not on its first one")
  func seenOften() async throws {
    let stored = try await kept { apps in
      for hours: Int64 in [0, 13, 26, 39] { apps.note(app, at: noon.adding(seconds: hours * 3600)) }
    }
    #expect(stored?.firstSeen == noon)
    #expect(stored?.lastSeen == noon.adding(seconds: 26 * 3600))
  }

  @Test("after a restart it was last seen when it was, not on the day before")
  func seenBeforeTheEnd() async throws {
    let stored = try await kept { apps in
      for hours: Int64 in [0, 13] { apps.note(app, at: noon.adding(seconds: hours * 3600)) }
      // Who only asks for a status leaves no trace (S5).
      apps.note(app, isStored: false, at: noon.adding(seconds: 14 * 3600))
      apps.noteAll()
    }
    #expect(stored?.lastSeen == noon.adding(seconds: 13 * 3600))
  }

  @Test("what programs without a manifest can have remembered is bounded by user, in number and bytes")
  func manyApps() async throws {
    func programs(_ count: Int, length: Int, uid: UInt32) -> [PeerIdentity] {
      (0..<count).map { number in
        let path = "/" + String(repeating: "p", count: length) + "\(1000 + number)"
        return PeerIdentity(
          appID: path, uid: uid, evidence: .init(.executable, path), isVerified: false, manifest: nil,
          manifestFile: "p.yaml")
      }
    }
    let (few, long) = (programs(300, length: 4, uid: 1000), programs(300, length: 4000, uid: 1001))
    let others = (0..<200).map { programs(40, length: 4, uid: UInt32(2000 + $0)) }
    var known = (0, 0, 0)
    _ = try await kept { apps in
      for app in few + long { apps.note(app, at: noon) }
      known.0 = apps.seenRecords.count { $0.uid == 1000 && $0.accessLevel == .addOnly }
      known.1 = apps.seenRecords.count { $0.uid == 1001 && $0.accessLevel == .addOnly }
      for app in others.joined() { apps.note(app, at: noon) }
      known.2 = apps.seenRecords.count { $0.accessLevel == .addOnly }
    }
    #expect(known == (256, 16, 4096))
    // After a restart they count as before.
    _ = try await kept { apps in
      for app in programs(300, length: 5, uid: 1000) + others.joined() { apps.note(app, at: noon) }
      known.2 = apps.seenRecords.count { $0.accessLevel == .addOnly }
    }
    #expect(known.2 == 4096)
  }

  @Test(
    "where there is no room, what was not seen for longest goes; not what was decided about, or here within a day"
  )
  func forgotten() async throws {
    let day: Int64 = 86_400
    func program(_ number: Int) -> PeerIdentity {
      PeerIdentity(
        appID: "/p\(number)", uid: 1000, evidence: .init(.executable, "/p\(number)"), isVerified: false,
        manifest: nil, manifestFile: "p.yaml")
    }
    let decided = try AuthorizationRecord(
      program(0).key.record(.readWrite), Decision(.denied, decidedAt: noon))
    var known: [Set<String>] = []
    _ = try await kept(of: [decided]) { apps in
      for number in 0..<256 { apps.note(program(number), at: noon.adding(seconds: Int64(number))) }
      apps.note(program(1), at: noon.adding(seconds: 300))
      // Everything was here within a day.
      apps.note(program(1000), at: noon.adding(seconds: day - 1))
      known.append(Set(apps.seenRecords.map(\.appID)))
      apps.note(program(1001), at: noon.adding(seconds: day + 2))
      known.append(Set(apps.seenRecords.map(\.appID)))
      #expect(apps.users(of: "/p2").isEmpty && apps.users(of: "/p1001") == [1000])
      // However often it is tried, no more than there were so long ago.
      for number in 2000..<3000 { apps.note(program(number), at: noon.adding(seconds: day + 3)) }
      known.append(Set(apps.seenRecords.map(\.appID)))
    }
    #expect(!known[0].contains("/p1000") && known[0].count == 256)
    #expect(known[1] == known[0].subtracting(["/p2"]).union(["/p1001"]))
    #expect(known[2] == known[1].subtracting(["/p3"]).union(["/p2000"]))
    let stored = Set(try Registry(directory: directory.path).load().apps.map(\.key.appID))
    #expect(stored == known[2], "and after a restart")
  }

  @Test(
    "R6: who runs an app, and which file a path stands for, is known of what was seen and what was decided about"
  )
  func named() async throws {
    func program(_ id: String, uid: UInt32 = 1000) -> PeerIdentity {
      PeerIdentity(
        appID: id, uid: uid, evidence: .init(.executable, id), isVerified: false, manifest: nil,
        manifestFile: "p.yaml")
    }
    let decided = try AuthorizationRecord(
      program("/q#1:1", uid: 1001).key.record(.addOnly), Decision(.denied, decidedAt: noon))
    _ = try await kept(of: [decided]) { apps in
      #expect(apps.id(named: "/q") == "/q#1:1" && apps.users(of: "/q#1:1") == [1001])
      #expect(apps.id(named: "/p") == "/p" && !apps.isKnown("/p#1:1"))
      apps.note(program("/p#1:1"), at: noon)
      apps.note(program("/q#1:1"), at: noon)
      #expect(apps.id(named: "/p") == "/p#1:1" && apps.isKnown("/p#1:1"))
      #expect(apps.id(named: "/q") == "/q#1:1" && apps.users(of: "/q#1:1") == [1000, 1001])
      #expect(apps.users == [1000, 1001])
      // Of two files no path stands for one, seen or decided about.
      apps.note(program("/p#1:2", uid: 1002), at: noon)
      apps.note(program("/q#1:2"), at: noon)
      #expect(apps.id(named: "/p") == "/p" && apps.id(named: "/q") == "/q")
    }
  }

  @Test("of two languages that an app names within a minute the second is kept, when it is named again")
  func twoLanguages() async throws {
    let stored = try await kept { apps in
      apps.note(app, at: noon)
      for seconds: Int64 in [0, 10, 20, 60] {
        let language = seconds == 0 ? "en" : "zh-Hans"
        apps.note(language: language, of: app, at: noon.adding(seconds: seconds))
        #expect(apps.language(of: app) == language)
      }
    }
    #expect(stored?.language == "zh-Hans")
  }

  /// What is in the registry of the app afterwards.
  private func kept(
    of records: [AuthorizationRecord] = [], _ body: @EventLoopActor (KnownApps) -> Void
  ) async throws -> RegistrySnapshot.App? {
    let earlier = try Registry(directory: directory.path)
    earlier.apply(records.map { .put($0) }) { _ in }
    try earlier.close()
    let registry = try Registry(directory: directory.path)
    let snapshot = try registry.load()
    await EventLoopActor.run {
      let manifests = ManifestCatalog(directory: "/etc/albumd/apps.d")
      let identification = Identification(
        manifests: manifests, owners: OwnerRules(), subordinates: SubordinateIDs())
      let decisions = Decisions(
        registry: registry, snapshot: snapshot, policies: PolicySet(), owners: OwnerRules(),
        expireUnusedAfterDays: nil, clock: { .now })
      body(
        KnownApps(
          registry: registry, snapshot: snapshot, identification: identification, decisions: decisions))
    }
    try registry.close()
    return try Registry(directory: directory.path).load().apps.first
  }
}
