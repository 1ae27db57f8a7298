internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Storage

/// The apps that were seen, for the list that an owner reviews.
@EventLoopActor
final class KnownApps {
  private struct Sighting {
    var first: Timestamp
    var last: Timestamp
    /// The sighting that the registry has; nil when it has none.
    var stored: Timestamp?
    /// A later one that it has not, and shall have at the end of the daemon.
    var due: Timestamp?
    /// The language that it named last.
    var language: String?
    /// The one that the registry has, and since when.
    var storedLanguage: String?
    var languageStored = Timestamp(microseconds: .min)
  }

  private let registry: Registry
  private let identification: Identification
  private let decisions: Decisions
  private var seen: [AppKey: Sighting] = [:]
  /// The same apps, for who names one.
  private var index = AppIndex()

  /// Seconds from one sighting that is stored to the next; a busy app costs no writes.
  private static let storeInterval: Int64 = 86_400

  /// What is remembered of a user's apps, or of all.
  private struct Share {
    var apps = 0
    var bytes = 0

    func hasRoom(for bytes: Int, in limit: Share) -> Bool {
      apps < limit.apps && self.bytes + bytes <= limit.bytes
    }

    mutating func add(_ bytes: Int) {
      apps += 1
      self.bytes += bytes
    }

    mutating func remove(_ bytes: Int) {
      apps -= 1
      self.bytes -= bytes
    }
  }

  private var shares: [UInt32: Share] = [:]
  private var all = Share()
  /// When it is worth looking again whether one of a user's apps can be forgotten.
  private var nextLook: [UInt32: Timestamp] = [:]

  /// Of one user, without a manifest. Their ids are paths, and as long as their users like.
  private static let mostOfOne = Share(apps: 256, bytes: 64 << 10)
  /// Of all users, without a manifest.
  private static let mostOfAll = Share(apps: 4096, bytes: 1 << 20)

  init(
    registry: Registry, snapshot: RegistrySnapshot, identification: Identification, decisions: Decisions
  ) {
    self.decisions = decisions
    self.registry = registry
    self.identification = identification
    for app in snapshot.apps {
      seen[app.key] = Sighting(
        first: app.firstSeen, last: app.lastSeen, stored: app.lastSeen, language: app.language,
        storedLanguage: app.language)
      count(app.key)
    }
  }

  /// An app is here.
  ///
  /// - Parameter isStored: false while it only asks for its status, which writes nothing (S5).
  func note(_ app: PeerIdentity, isStored: Bool = true, at now: Timestamp = .now) {
    let key = app.key
    let earlier = seen[key]
    if earlier == nil {
      guard app.manifest != nil || hasRoom(for: app, at: now) else { return }
      count(key)
    }
    seen[key, default: Sighting(first: now, last: now)].last = now
    guard isStored else { return }
    if let stored = earlier?.stored, stored <= now, now < stored.adding(seconds: Self.storeInterval) {
      seen[key]?.due = now
      return
    }
    seen[key]?.stored = now
    seen[key]?.due = nil
    // One that is lost to a full disk is noted again another day.
    registry.noteSeen(app, since: earlier?.first ?? now, at: now) { _ in }
  }

  /// The daemon ends: what was not worth a write for each time is written, so that the next one knows it.
  func noteAll() {
    for (key, sighting) in seen {
      guard let due = sighting.due else { continue }
      seen[key]?.due = nil
      registry.noteSeenAgain(key, at: due) { _ in }
    }
  }

  /// The language that an app named last: what it is told in, where it names none (S15).
  func language(of app: PeerIdentity) -> String? { seen[app.key]?.language }

  /// An app names its person's language.
  func note(language: String, of app: PeerIdentity, at now: Timestamp = .now) {
    let key = app.key
    guard var sighting = seen[key], language.utf8.count <= PersonLanguage.longest else { return }
    sighting.language = language
    // One that names another with every call costs no more writes than that; the last one is stored when it is
    // named again.
    if sighting.storedLanguage != language,
      sighting.languageStored <= now.adding(seconds: -Self.languageInterval)
    {
      sighting.storedLanguage = language
      sighting.languageStored = now
      registry.note(language: language, of: app) { _ in }
    }
    seen[key] = sighting
  }

  /// Seconds.
  private static let languageInterval: Int64 = 60

  /// Every program that a user can start is another app without a manifest, which nobody can grant anything:
  /// so many of a user's are listed, so that a list for its owner stays one. A user's subordinate ids are that user's.
  private func hasRoom(for app: PeerIdentity, at now: Timestamp) -> Bool {
    let user = identification.accountable(app.uid)
    let bytes = app.appID.utf8.count
    while true {
      let isFull = !(shares[user] ?? Share()).hasRoom(for: bytes, in: Self.mostOfOne)
      guard isFull || !all.hasRoom(for: bytes, in: Self.mostOfAll) else { return true }
      // Where all are too many, those go of whose there are most.
      let most = isFull ? user : shares.max { ($0.value.apps, $0.key) < ($1.value.apps, $1.key) }?.key
      guard let most, forgetOne(of: most, at: now) else { return false }
    }
  }

  /// Forgets the app of a user's that was not seen for longest: so that what was tried once is not in the place of what is
  /// used. One that was decided about stays, and one that was here within a day: who poses as ever more apps costs no more
  /// writes than there are places, a day.
  private func forgetOne(of user: UInt32, at now: Timestamp) -> Bool {
    if let next = nextLook[user], now < next, now.adding(seconds: Self.shortestStay) >= next { return false }
    let oldest = seen.filter { key, _ in
      identification.accountable(key.uid) == user && identification.manifests.manifests[key.appID] == nil
        && !decisions.hasDecided(about: key)
    }.min { ($0.value.last, $0.key.appID, $0.key.uid) < ($1.value.last, $1.key.appID, $1.key.uid) }
    guard let oldest, oldest.value.last <= now.adding(seconds: -Self.shortestStay) else {
      // None is forgotten before. To look costs as much as there are apps, and whoever asks may ask often.
      let next = (oldest?.value.last ?? now).adding(seconds: Self.shortestStay)
      nextLook[user] = min(next, now.adding(seconds: Self.shortestStay))
      return false
    }
    seen[oldest.key] = nil
    index.remove(oldest.key)
    let bytes = oldest.key.appID.utf8.count
    shares[user]?.remove(bytes)
    if shares[user]?.apps == 0 { shares[user] = nil }
    all.remove(bytes)
    registry.forget(oldest.key) { _ in }
    return true
  }

  /// Seconds for which an app that was here is not forgotten.
  private static let shortestStay: Int64 = 86_400

  private func count(_ app: AppKey) {
    let bytes = app.appID.utf8.count
    shares[identification.accountable(app.uid), default: Share()].add(bytes)
    all.add(bytes)
    index.insert(app)
  }

  /// Whether an id is that of an app: seen, described by a manifest, or decided about.
  func isKnown(_ appID: String) -> Bool {
    identification.manifests.manifests[appID] != nil || !users(of: appID).isEmpty
  }

  /// Whether an app says why it wants to know where photos were taken (S55).
  func saysWhyLocation(_ appID: String) -> Bool {
    identification.manifests.manifests[appID]?.locationUsage != nil
  }

  /// The manifest file in which a missing key of an app's should be written.
  func manifestFile(of appID: String) -> String { identification.manifests.fileToWrite(appID: appID) }

  /// The id that is meant by one that an owner names: the path of a program stands for the one file that was seen
  /// there.
  func id(named name: String) -> String {
    guard name.utf8.first == UInt8(ascii: "/"), !name.utf8.contains(UInt8(ascii: "#")) else { return name }
    let path = name.utf8.percentEncoded
    let (seen, decided) = (index.ids(at: path), decisions.apps.ids(at: path))
    guard seen.count <= 1, decided.count <= 1 else { return name }
    let ids = seen.union(decided)
    return ids.count == 1 ? ids.first ?? name : name
  }

  /// The users who are known to run an app.
  func users(of appID: String) -> [UInt32] {
    index.users(of: appID).union(decisions.apps.users(of: appID)).sorted()
  }

  /// The records that a policy could be about: of every app that was seen, decided about, or described.
  var records: [RecordKey] {
    let known = Array(seen.keys) + decisions.all.keys.map(\.app)
    let users = Set(known.map(\.uid)).union(identification.owners.uids)
    let described = identification.manifests.manifests.keys.flatMap { id in
      users.map { AppKey(uid: $0, appID: id) }
    }
    return (known + described).flatMap(\.records)
  }

  /// Those of every app that was seen.
  var seenRecords: [RecordKey] { seen.keys.flatMap(\.records) }

  /// Every app that was seen or decided about.
  var keys: Set<AppKey> { Set(seen.keys).union(decisions.all.keys.map(\.app)) }

  /// The users of all apps.
  var users: Set<UInt32> { index.users.union(decisions.apps.users) }

  /// What owners are told of some apps, in this order; without those that are not known any more.
  ///
  /// - Parameters:
  ///   - names: of their users.
  ///   - languages: of their names, best first.
  func list(
    _ apps: some Sequence<AppKey>, _ names: [UInt32: String], languages: [String]
  ) -> [ManagerInterface.App] {
    apps.compactMap { key in
      guard seen[key] != nil || decisions.hasDecided(about: key) else { return nil }
      let manifest = identification.manifests.manifests[key.appID]
      return ManagerInterface.App(
        id: key.appID, name: manifest?.name.text(for: languages) ?? key.appID, uid: Int(key.uid),
        user: names[key.uid], manifest: manifest?.file,
        firstSeen: seen[key].map { Instant($0.first) }, lastSeen: seen[key].map { Instant($0.last) },
        grants: AccessLevel.allCases.map { level in
          decisions.grant(key.record(level), manifest)
        }, locationUsageDescription: manifest?.locationUsage?.text(for: languages),
        icon: manifest?.icon)
    }
  }
}

extension Decisions {
  /// What holds for a record, and why.
  fileprivate func grant(_ key: RecordKey, _ manifest: AppManifest?) -> ManagerInterface.Grant {
    let effective = status(of: key)
    let decision = all[key]
    return ManagerInterface.Grant(
      accessLevel: .init(key.accessLevel), status: .init(effective.status),
      decided: decision.map { Instant($0.decidedAt) }, expires: effective.expires.map { Instant($0) },
      untilExit: decision?.process != nil ? true : nil, policy: effective.policy?.file,
      lastUsed: decision == nil ? nil : lastUsed(key).map { Instant($0) },
      selectionCount: selectionCount(of: key, effective.status),
      location: effective.location(of: key, for: manifest))
  }
}
