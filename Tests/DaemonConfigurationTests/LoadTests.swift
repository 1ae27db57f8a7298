import Authorization
import DaemonConfiguration
import Glibc
import Testing

@Suite("Loading a configuration")
struct LoadTests {
  @Test("S38: everything as documented")
  func complete() throws {
    let directory = try ConfigurationDirectory(
      main: """
        roots:
          - path: /srv/photos/
            shared: [Family, Trips/2024]
            requireMountPoint: true
          - path: /srv/more
        owners: {users: [alice], groups: [albumd]}
        state: /var/lib/other
        saveTo: In/Here
        limits: {messageBytes: 1048577, connectionsPerUser: 12, connections: 99, addBytes: 42949672960,
          albumsPerApp: 5, albumDepth: 3,
          addBytesPerDay: 6, addFilesPerDay: 7}
        journal: {keepDays: 31, keepChanges: 1001}
        recentlyDeletedDays: 7
        accessLog: {keepDays: 8}
        previews: {cacheBytes: 10}
        contentHashes: false
        grants: {expireUnusedAfterDays: 9}
        """)
    try directory.write(
      "etc/apps.d/org.example.Wallpapers.yaml",
      """
      name: {en: Wallpapers, zh-Hans: 壁纸}
      identity: {flatpak: org.example.Wallpapers, userUnit: "app-wall-*.scope"}
      usage:
        addOnly: {en: "Saves the wallpapers you choose.", zh-Hans: "需要访问相册以保存壁纸和作品"}
      icon: org.example.Wallpapers
      automaticLimitedPicker: true
      manages: false
      """)
    try directory.write(
      "etc/policies.d/children.yaml",
      """
      effect: restrict
      apps: ["*"]
      users: [kid]
      accessLevels: [readWrite]
      reason: {en: "Managed by your parents."}
      """)
    let loaded = try directory.load()
    #expect(loaded.roots.map(\.path) == ["/srv/photos", "/srv/more"])
    #expect(loaded.roots.map(\.shared) == [["Family", "Trips/2024"], []])
    #expect(loaded.roots.map(\.requireMountPoint) == [true, false])
    #expect(loaded.owners == OwnerRules(users: ["alice"], groups: ["albumd"], uids: [1000, 1001]))
    #expect(loaded.state == "/var/lib/other" && loaded.saveTo == "In/Here")
    #expect(loaded.limits.messageBytes == 1_048_577 && loaded.limits.connectionsPerUser == 12)
    #expect(loaded.limits.connections == 99 && loaded.limits.addBytes == 42_949_672_960)
    #expect(loaded.limits.albumsPerApp == 5 && loaded.limits.albumDepth == 3)
    #expect(loaded.limits.addBytesPerDay == 6 && loaded.limits.addFilesPerDay == 7)
    #expect(loaded.journal.keepDays == 31 && loaded.journal.keepChanges == 1001)
    #expect(loaded.recentlyDeletedDays == 7)
    #expect(
      loaded.accessLogKeepDays == 8 && loaded.previewCacheBytes == 10 && loaded.expireUnusedAfterDays == 9)
    #expect(!loaded.contentHashes)

    let app = try #require(loaded.apps.manifests["org.example.Wallpapers"])
    #expect(app.name.text(for: ["zh-Hans"]) == "壁纸")
    #expect(
      app.bindings == [.init(.flatpak, "org.example.Wallpapers"), .init(.userUnit, "app-wall-*.scope")])
    #expect(app.usage[.addOnly]?.text(for: ["en"]) == "Saves the wallpapers you choose.")
    #expect(app.usage[.readWrite] == nil)
    #expect(app.automaticLimitedPicker && !app.manages && app.icon == "org.example.Wallpapers")
    #expect(app.file == "\(directory.path)/etc/apps.d/org.example.Wallpapers.yaml")
    #expect(app.fileToWrite == app.file)

    let kid = RecordKey(uid: 1001, appID: "x", accessLevel: .readWrite)
    #expect(loaded.policies.policy(for: kid)?.name == "children")
    #expect(loaded.policies.policy(for: RecordKey(uid: 1001, appID: "x", accessLevel: .addOnly)) == nil)
    #expect(loaded.policies.policy(for: RecordKey(uid: 1000, appID: "x", accessLevel: .readWrite)) == nil)
  }

  @Test("S38: everything but roots has a default")
  func defaults() throws {
    let loaded = try ConfigurationDirectory().load()
    #expect(loaded.roots.map(\.path) == ["/srv/photos"])
    #expect(loaded.owners.uids == [0])
    #expect(loaded.state == "/var/lib/albumd" && loaded.saveTo == "Saved")
    #expect(loaded.limits == Configuration.Limits())
    #expect(loaded.limits.messageBytes == 1_048_576 && loaded.limits.connectionsPerUser == 128)
    #expect(loaded.limits.addBytes == 4_294_967_296)
    #expect(loaded.journal.keepDays == 30 && loaded.journal.keepChanges == 1_000_000)
    #expect(loaded.recentlyDeletedDays == 30)
    #expect(
      loaded.accessLogKeepDays == 90 && loaded.previewCacheBytes == 2 << 30
        && loaded.expireUnusedAfterDays == nil)
    #expect(loaded.apps.manifests.isEmpty && loaded.policies.policies.isEmpty)
  }

  @Test("S27: a journal may keep a single change, and a message be as short as a call is")
  func leastNumbers() throws {
    let loaded = try ConfigurationDirectory(
      main: "roots:\n  - path: /srv/photos\njournal: {keepChanges: 1}\nlimits: {messageBytes: 1024}\n"
    ).load()
    #expect(loaded.journal.keepChanges == 1 && loaded.limits.messageBytes == 1024)
  }

  @Test("S35: the administrator's file counts instead of the vendor's of the same name, whole")
  func override() throws {
    let directory = try ConfigurationDirectory()
    let usage = "usage: {addOnly: {en: Saves.}}\n"
    try directory.write("usr/apps.d/A.yaml", "name: {en: Vendor}\nidentity: {snap: a}\n" + usage)
    try directory.write("usr/apps.d/B.yaml", "name: {en: Other}\nidentity: {snap: b}\n")
    try directory.write("etc/apps.d/A.yaml", "name: {en: Mine}\nidentity: {snap: a}\n")
    try directory.write("etc/apps.d/README", "not read")
    try directory.write("etc/apps.d/.A.yaml.swp", "not read")
    let apps = try directory.load().apps
    #expect(apps.manifests.keys.sorted() == ["A", "B"])
    #expect(apps.manifests["A"]?.name.text(for: []) == "Mine")
    #expect(apps.manifests["A"]?.usage.isEmpty == true)
    #expect(apps.manifests["B"]?.fileToWrite == "\(directory.path)/etc/apps.d/B.yaml")
  }

  @Test("S35: a vendor's file that the administrator replaces is not even read")
  func overrideBroken() throws {
    let directory = try ConfigurationDirectory()
    try directory.write("usr/policies.d/p.yaml", "nonsense")
    try directory.write("etc/policies.d/p.yaml", "effect: authorize\napps: [x]\n")
    let policy = try #require(try directory.load().policies.policies.first)
    #expect(policy.users == nil && policy.accessLevels == [.addOnly, .readWrite])
  }

  @Test("What the package installs loads, and describes albumctl as a manager that can be asked about")
  func shipped() throws {
    let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let directory = try ConfigurationDirectory(main: nil)
    try directory.write("etc/albumd.yaml", try text(of: "/\(repository)/Config/albumd.yaml"))
    try directory.write(
      "usr/apps.d/albumctl.yaml", try text(of: "/\(repository)/Config/apps.d/albumctl.yaml"))
    try directory.write(
      "etc/policies.d/children.yaml", try text(of: "/\(repository)/Config/policies.d/children.yaml.example"))
    let loaded = try directory.load()
    #expect(loaded.limits == Configuration.Limits() && loaded.journal == Configuration.Journal())
    #expect(loaded.owners.groups == ["albumd-owners"])
    let albumctl = try #require(loaded.apps.manifests["albumctl"])
    #expect(albumctl.manages)
    #expect(Set(albumctl.usage.keys) == Set(AccessLevel.allCases))
    #expect(loaded.policies.policies.map(\.name) == ["children"])
  }

  @Test("The example's commented values are the defaults")
  func shippedDefaults() throws {
    let repository = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let example = String(decoding: try text(of: "/\(repository)/Config/albumd.yaml"), as: UTF8.self)
    // Uncomment what looks like a key; lists and names are examples.
    let keys = [
      "state", "saveTo", "limits", "journal", "recentlyDeletedDays", "accessLog", "previews", "contentHashes",
    ]
    let nested = [
      "messageBytes", "connectionsPerUser", "connections", "addBytes", "albumsPerApp", "albumDepth",
      "reserveBytes", "addBytesPerDay", "addFilesPerDay",
      "keepDays", "keepChanges",
    ]
    let lines = example.split(separator: "\n").map { line -> String in
      let bare = line.drop { $0 == "#" || $0 == " " }
      if line.hasPrefix("# "), keys.contains(where: { bare.hasPrefix("\($0):") }) { return String(bare) }
      if line.hasPrefix("# "), nested.contains(where: { bare.hasPrefix("\($0):") }) { return "  " + bare }
      return String(line)
    }
    let written = try ConfigurationDirectory(main: lines.joined(separator: "\n")).load()
    let standard = try ConfigurationDirectory(main: example).load()
    #expect(lines.contains("  addBytes: 4294967296          # one file that an app adds"))
    #expect(written.limits == standard.limits && written.journal == standard.journal)
    #expect(written.state == standard.state && written.saveTo == standard.saveTo)
    #expect(written.recentlyDeletedDays == standard.recentlyDeletedDays)
    #expect(written.previewCacheBytes == standard.previewCacheBytes)
    #expect(written.accessLogKeepDays == standard.accessLogKeepDays)
  }

  @Test("S44: the system's accounts: root, root's group, and what does not exist")
  func systemAccounts() throws {
    #expect(try Accounts.system.user("root") == 0)
    #expect(try Accounts.system.user("no-such-user-here") == nil)
    #expect(try Accounts.system.group("root")?.contains(0) == true, "as a primary group")
    #expect(try Accounts.system.group("no-such-group-here") == nil)
  }
}
