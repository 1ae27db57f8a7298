import Authorization
import TestSupport
import Testing

@Suite("Identity")
struct IdentityTests {
  static func manifest(_ id: String, _ bindings: IdentityBinding..., manages: Bool = false) -> AppManifest {
    AppManifest(
      appID: id, name: LocalizedText(english: id), bindings: bindings, manages: manages,
      file: "/usr/share/albumd/apps.d/\(id).yaml", fileToWrite: "/etc/albumd/apps.d/\(id).yaml")
  }
  static let program = ProgramFile(device: 8, inode: 42)
  static func run(
    _ path: String, _ file: ProgramFile = program, isUnlinked: Bool = false
  ) -> Finding<ExecutableEvidence> {
    .found(ExecutableEvidence(link: Array(path.utf8), file: file, isUnlinked: isUnlinked))
  }

  func resolve(
    _ manifests: [AppManifest] = [], files: [String: ProgramFile] = [:], flatpak: Finding<String> = .absent,
    snap: Finding<String> = .absent, unit: Finding<String> = .absent, userUnit: Finding<String> = .absent,
    executable: Finding<ExecutableEvidence> = .absent, apart: Finding<[String]> = .absent
  ) throws(UnidentifiedPeer) -> PeerIdentity {
    let evidence = PeerEvidence(
      uid: 1000, gid: 1000, pid: 5, flatpak: flatpak, snap: snap, unit: unit, userUnit: userUnit,
      executable: executable, apart: apart)
    return try IdentityResolver(ManifestCatalog(manifests, directory: "/etc/albumd/apps.d"))
      .resolve(evidence) { files[$0] }
  }

  @Test("S35: kinds are believed in the order Flatpak, Snap, unit, user unit, program file")
  func order() throws {
    let all = [
      Self.manifest("F", .init(.flatpak, "org.example.F")), Self.manifest("S", .init(.snap, "s")),
      Self.manifest("U", .init(.unit, "u.service")), Self.manifest("V", .init(.userUnit, "app-v-*.scope")),
      Self.manifest("E", .init(.executable, "/usr/bin/e")),
    ]
    let files = ["/usr/bin/e": Self.program]
    let program = Self.run("/usr/bin/e")
    #expect(
      try resolve(
        all, files: files, flatpak: .found("org.example.F"), snap: .found("s"), unit: .found("u.service"),
        userUnit: .found("app-v-1.scope"), executable: program
      ).appID == "F")
    #expect(
      try resolve(
        all, files: files, snap: .found("s"), unit: .found("u.service"), userUnit: .found("app-v-1.scope"),
        executable: program
      ).appID == "S")
    #expect(
      try resolve(
        all, files: files, unit: .found("u.service"), userUnit: .found("app-v-1.scope"), executable: program
      ).appID == "U")
    #expect(
      try resolve(all, files: files, userUnit: .found("app-v-1.scope"), executable: program).appID == "V")
    #expect(try resolve(all, files: files, executable: program).appID == "E")
  }

  @Test("S35: a sandboxed peer matches manifests of its sandbox only")
  func sandboxOnly() throws {
    let manifests = [
      Self.manifest("U", .init(.unit, "u.service")), Self.manifest("E", .init(.executable, "/usr/bin/e")),
      Self.manifest("S", .init(.snap, "org.example.F")),
    ]
    let identity = try resolve(
      manifests, files: ["/usr/bin/e": Self.program], flatpak: .found("org.example.F"),
      unit: .found("u.service"), executable: Self.run("/usr/bin/e"))
    #expect(identity.appID == "org.example.F")
    #expect(identity.manifest == nil)
    #expect(identity.isSandboxed)
    let snap = try resolve(manifests, snap: .found("u_1"), executable: .unreadable("EACCES"))
    #expect(snap.appID == "snap.u_1")
  }

  @Test("S35: a program file is compared by device and inode, never by path")
  func executableByInode() throws {
    let manifests = [Self.manifest("E", .init(.executable, "/usr/bin/e"))]
    let files = ["/usr/bin/e": Self.program]
    #expect(try resolve(manifests, files: files, executable: Self.run("/mnt/other/path")).appID == "E")
    let other = Self.run("/usr/bin/e", ProgramFile(device: 9, inode: 42))
    #expect(try resolve(manifests, files: files, executable: other).manifest == nil)
    #expect(try resolve(manifests, files: [:], executable: Self.run("/usr/bin/e")).manifest == nil)
  }

  @Test("S35: one file that two manifests claim is nobody's")
  func ambiguous() {
    let manifests = [
      Self.manifest("A", .init(.executable, "/usr/bin/a")),
      Self.manifest("B", .init(.executable, "/usr/bin/b")),
    ]
    #expect(throws: UnidentifiedPeer(reason: "/usr/bin/a is claimed by several app manifests: A, B")) {
      try resolve(
        manifests, files: ["/usr/bin/a": Self.program, "/usr/bin/b": Self.program],
        executable: Self.run("/usr/bin/a"))
    }
  }

  @Test("S36: without a manifest the evidence gives the identity")
  func fromEvidence() throws {
    let program = Self.run("/usr/bin/p")
    #expect(try resolve(flatpak: .found("org.example.F")).appID == "org.example.F")
    #expect(try resolve(snap: .found("firefox")).appID == "snap.firefox")
    #expect(try resolve(unit: .found("backup.service"), executable: program).appID == "backup.service")
    for unit in ["user@1000.service", "session-3.scope", "init.scope"] {
      #expect(try resolve(unit: .found(unit), executable: program).appID == "/usr/bin/p#8:42")
    }
    #expect(
      try resolve(unit: .found("user@1000.service"), userUnit: .found("sync.service"), executable: program)
        .appID
        == "user/sync.service")
    #expect(try resolve(userUnit: .found("app-org.gnome.X-12.scope"), executable: program).kind == .userUnit)
    #expect(
      try resolve(userUnit: .found("vte-spawn-1.scope"), executable: program).appID == "/usr/bin/p#8:42")
  }

  @Test("S36: evidence that cannot be read is a refusal, never an ordinary process")
  func unreadable() {
    let program = Self.run("/usr/bin/p")
    #expect(throws: UnidentifiedPeer(reason: "the peer's Flatpak id cannot be read: EACCES")) {
      try resolve(flatpak: .unreadable("EACCES"), executable: program)
    }
    #expect(throws: UnidentifiedPeer.self) { try resolve(snap: .unreadable("EIO"), executable: program) }
    #expect(throws: UnidentifiedPeer.self) { try resolve(unit: .unreadable("ESRCH"), executable: program) }
    #expect(throws: UnidentifiedPeer.self) {
      try resolve(userUnit: .unreadable("ESRCH"), executable: program)
    }
    #expect(throws: UnidentifiedPeer.self) {
      try resolve(unit: .found("session-1.scope"), executable: .unreadable("EACCES"))
    }
    #expect(throws: UnidentifiedPeer(reason: "nothing is known about process 5 but its user")) {
      try resolve()
    }
  }

  @Test("S36: an identity from evidence never takes another app's name")
  func noImpersonation() {
    let manifest = Self.manifest("org.example.App", .init(.executable, "/usr/bin/app"))
    #expect(throws: UnidentifiedPeer.self) { try resolve([manifest], flatpak: .found("org.example.App")) }
    #expect(throws: UnidentifiedPeer.self) { try resolve(flatpak: .found("org.backup.service")) }
  }

  @Test(
    "S36: what is no id of a Flatpak is nobody's, whatever else is named so",
    arguments: [
      "/usr/bin/albumctl", "user/sync.service", "snap.firefox", "org.example", "org..App", "org.example.1App",
      "org.example.A b", "org.example.Ä", "org.example.A\u{0}", ".org.example.App",
      "org.example." + String(repeating: "a", count: 244),
      String(repeating: "org.example.", count: 5000) + "App",
    ])
  func noFlatpakID(id: String) {
    #expect(throws: UnidentifiedPeer.self) { try resolve(flatpak: .found(id)) }
  }

  @Test("S36: an id is as long as D-Bus lets a name be, 255 bytes; what is longer is told with its length")
  func longIDs() throws {
    let longest = "org.example." + String(repeating: "a", count: 243)
    #expect(try resolve(flatpak: .found(longest)).appID == longest)
    let error = #expect(throws: UnidentifiedPeer.self) { try resolve(flatpak: .found(longest + "a")) }
    #expect(error?.reason.contains("256 bytes") == true && error?.reason.contains("255") == true)
    #expect((error?.reason.utf8.count ?? 0) < 500, "the reason quotes no more of it than helps")
    #expect(throws: UnidentifiedPeer.self) { try resolve(snap: .found(String(repeating: "a", count: 256))) }
  }

  @Test("S35: verified is what the peer's user could not forge")
  func verified() throws {
    let manifests = [
      Self.manifest("E", .init(.executable, "/usr/bin/e")), Self.manifest("V", .init(.userUnit, "v.service")),
    ]
    let files = ["/usr/bin/e": Self.program]
    #expect(
      try !resolve(flatpak: .found("org.example.F")).isVerified, "its user makes the sandbox, and its root")
    #expect(try resolve(snap: .found("s")).isVerified)
    #expect(try resolve(unit: .found("s.service")).isVerified)
    #expect(try !resolve(manifests, userUnit: .found("v.service")).isVerified)
    let program = try resolve(manifests, files: files, executable: Self.run("/usr/bin/e"))
    #expect(program.appID == "E")
    #expect(!program.isVerified, "its user can have it do anything")
  }

  @Test(
    "S36: a program is a file at a path: neither another file there nor this one elsewhere is the same app")
  func programs() throws {
    func id(_ path: String, _ inode: UInt64, isUnlinked: Bool = false) throws -> String {
      let file = ProgramFile(device: 8, inode: inode)
      return try resolve(executable: Self.run(path, file, isUnlinked: isUnlinked)).appID
    }
    #expect(try id("/opt/tool", 7) == "/opt/tool#8:7")
    #expect(try id("/opt/tool", 8) != id("/opt/tool", 7))
    #expect(try id("/opt/other", 7) != id("/opt/tool", 7))
    #expect(try id("/opt/tool (deleted)", 7, isUnlinked: true) == "/opt/tool#8:7", "after an upgrade")
    #expect(try id("/opt/tool (deleted)", 7) != "/opt/tool#8:7", "a file that is called so")
    #expect(try id("/opt/tool (deleted) (deleted)", 7, isUnlinked: true) == id("/opt/tool (deleted)", 7))
    #expect(try id("/opt/tool", 7, isUnlinked: true) == "/opt/tool#8:7")
    #expect(try id("/opt/tool#8:7", 7) != id("/opt/tool", 7))
  }

  @Test("S36: paths are bytes: what is not UTF-8, and what Unicode calls the same, are apps of their own")
  func paths() throws {
    let names: [[UInt8]] = [
      [0xff], [0xfe], Array("\u{fffd}".utf8), Array("\u{e9}".utf8), Array("e\u{301}".utf8), Array("%FF".utf8),
      Array("\u{212a}".utf8), Array("K".utf8), [0x0a], [0x7f], Array(" ".utf8), [0xff, 0xff],
    ]
    let ids = try names.map { name in
      let program = ExecutableEvidence(
        link: Array("/opt/".utf8) + name, file: Self.program, isUnlinked: false)
      return try resolve(executable: .found(program)).appID
    }
    #expect(Set(ids).count == names.count)
    #expect(ids.allSatisfy { $0.utf8.allSatisfy { (0x21...0x7e).contains($0) } })
  }

  @Test("S36: a peer in namespaces of its own has an id of its own kind, and no manifest names its program")
  func sandboxes() throws {
    let manifests = [
      Self.manifest("E", .init(.executable, "/usr/bin/e")), Self.manifest("U", .init(.unit, "u.service")),
      Self.manifest("F", .init(.flatpak, "org.example.F")),
    ]
    let files = ["/usr/bin/e": Self.program]
    let program = Self.run("/usr/bin/e")
    let apart = Finding.found(["mnt", "user"])
    let identity = try resolve(manifests, files: files, executable: program, apart: apart)
    #expect(identity.appID == "sandbox:1000" && identity.kind == .sandbox && identity.manifest == nil)
    #expect(identity.isSandboxed && !identity.isVerified)
    #expect(identity.evidence.value == "mnt user")
    #expect(try resolve(executable: Self.run("/other"), apart: apart).appID == "sandbox:1000")
    // What says more than a path does counts as it does for others.
    #expect(try resolve(manifests, unit: .found("u.service"), executable: program, apart: apart).appID == "U")
    #expect(try resolve(manifests, flatpak: .found("org.example.F"), apart: apart).appID == "F")
    #expect(try resolve(userUnit: .found("a.service"), executable: program, apart: apart).kind == .userUnit)
    #expect(throws: UnidentifiedPeer.self) {
      try resolve(manifests, files: files, executable: program, apart: .unreadable("EACCES"))
    }
  }

  @Test("S36: ids from different kinds of evidence are never equal")
  func kindsApart() {
    var random = SeededGenerator(seed: 20)
    let parts = ["org", "example", "App", "snap", "service", "user", "sandbox", "1000", "a", "8", "42"]
    let marks = [".", "/", ":", "#", "-", "_", "@", "%", " "]
    var kinds: [String: EvidenceKind] = [:]
    for _ in 0..<3000 {
      let text =
        (0..<Int.random(in: 1...5, using: &random)).map { _ in
          (parts.randomElement(using: &random) ?? "") + (marks.randomElement(using: &random) ?? "")
        }.joined() + (Bool.random(using: &random) ? "service" : "App")
      let identities = [
        try? resolve(flatpak: .found(text)), try? resolve(snap: .found(text)),
        try? resolve(unit: .found(text)), try? resolve(userUnit: .found(text)),
        try? resolve(executable: Self.run("/" + text)), try? resolve(apart: .found([text])),
      ]
      for case let identity? in identities {
        let other = kinds.updateValue(identity.kind, forKey: identity.appID)
        #expect(other == nil || other == identity.kind, "\(identity.appID)")
      }
    }
    #expect(Set(kinds.values) == Set(EvidenceKind.allCases), "each kind was there")
  }

  @Test(
    "S36: a process is its user's and its group's if both its real and its effective ones are theirs",
    arguments: [
      ("Name:\tx\nUid:\t7\t7\t7\t7\nGid:\t8\t8\t8\t8\n", true),
      ("Name:\tx\nUid:\t7\t7\t0\t7\nGid:\t8\t8\t0\t0\n", true),
      ("Name:\tx\nUid:\t7\t0\t0\t0\nGid:\t8\t8\t8\t8\n", false),
      ("Name:\tx\nUid:\t0\t7\t7\t7\nGid:\t8\t8\t8\t8\n", false),
      ("Name:\tx\nUid:\t7\t7\t7\t7\nGid:\t8\t9\t9\t9\n", false),
      ("Name:\tx\nUid:\t7\t7\t7\t7\n", nil), ("", nil), ("Uid:\t7\t7\t7\nGid:\t8\t8\t8\t8\n", nil),
      ("Uid:\t7\t7\t7\tx\nGid:\t8\t8\t8\t8\n", nil),
      ("Name:\tUid:\t0\t0\t0\t0\nUid:\t7\t7\t7\t7\nGid:\t8\t8\t8\t8\n", true),
    ])
  func processUser(status: String, isTheirs: Bool?) {
    #expect(ProcessStatus(status)?.isOf(uid: 7, gid: 8) == isTheirs)
  }

  @Test("S37: a policy restricts a program by its path, and authorizes only that one file")
  func programPolicies() {
    func policy(_ effect: Policy.Effect, _ app: String) -> Policy {
      Policy(
        name: "p", effect: effect, apps: [Glob(app)], users: nil, accessLevels: [.readWrite], reason: nil,
        file: "p")
    }
    let key = RecordKey(uid: 1000, appID: "/opt/tool#8:42", accessLevel: .readWrite)
    #expect(policy(.restrict, "/opt/tool").applies(to: key))
    #expect(policy(.restrict, "/opt/tool#8:42").applies(to: key))
    #expect(!policy(.restrict, "/opt/to").applies(to: key))
    #expect(!policy(.authorize, "/opt/tool").applies(to: key))
    #expect(policy(.authorize, "/opt/tool#8:42").applies(to: key))
    #expect(policy(.authorize, "/opt/tool#*").applies(to: key))
  }

  @Test("S44: an unsandboxed process of an owner that is no app, or manages")
  func owners() throws {
    let manifests = [
      Self.manifest("E", .init(.executable, "/usr/bin/e")),
      Self.manifest("M", .init(.executable, "/usr/bin/m"), .init(.flatpak, "org.example.M"), manages: true),
    ]
    let files = [
      "/usr/bin/e": ProgramFile(device: 1, inode: 1), "/usr/bin/m": ProgramFile(device: 1, inode: 2),
    ]
    func identity(_ inode: UInt64) throws -> PeerIdentity {
      try resolve(manifests, files: files, executable: Self.run("/x", ProgramFile(device: 1, inode: inode)))
    }
    let owners = OwnerRules(users: ["alice"], uids: [1000])
    #expect(try !owners.mayActAsOwner(identity(1)), "an app is an app")
    #expect(try owners.mayActAsOwner(identity(2)))
    #expect(try owners.mayActAsOwner(identity(3)), "no manifest")
    #expect(try !OwnerRules(uids: [1001]).mayActAsOwner(identity(3)))
    #expect(try !owners.mayActAsOwner(resolve(manifests, flatpak: .found("org.example.M"))), "sandboxed")
    #expect(OwnerRules().isOwner(0), "root always")
    #expect(!OwnerRules().isOwner(1000))
  }

  @Test("S35: two manifests that claim the same evidence are found")
  func conflicts() {
    func conflicts(_ left: IdentityBinding, _ right: IdentityBinding) -> Int {
      ManifestCatalog.conflicts(among: [Self.manifest("A", left), Self.manifest("B", right)]).count
    }
    #expect(conflicts(.init(.flatpak, "org.a"), .init(.flatpak, "org.a")) == 1)
    #expect(conflicts(.init(.flatpak, "org.a"), .init(.snap, "org.a")) == 0)
    #expect(conflicts(.init(.userUnit, "app-*.scope"), .init(.userUnit, "*-x.scope")) == 1)
    #expect(conflicts(.init(.userUnit, "app-a-*.scope"), .init(.userUnit, "app-b-*.scope")) == 0)
    #expect(
      ManifestCatalog.conflicts(among: [
        Self.manifest("A", .init(.userUnit, "a*"), .init(.userUnit, "ab*"))
      ]).isEmpty, "one app may overlap with itself")
  }

  @Test("S14: the file to write for an app without a manifest")
  func fileToWrite() throws {
    #expect(try resolve(flatpak: .found("org.a.B")).manifestFile == "/etc/albumd/apps.d/org.a.B.yaml")
    #expect(try resolve(executable: Self.run("/opt/x/tool")).manifestFile == "/etc/albumd/apps.d/tool.yaml")
    #expect(try resolve(executable: Self.run("/opt/a b")).manifestFile == "/etc/albumd/apps.d/APP-ID.yaml")
  }

  @Test(
    "S35: app ids are file names",
    arguments: [
      ("org.example.App", true), ("albumctl", true), ("a_b-1", true), ("", false), (".hidden", false),
      ("-x", false), ("a/b", false), ("a b", false), ("ä", false),
      (String(repeating: "a", count: 252), false),
    ])
  func appIDs(text: String, valid: Bool) {
    #expect(AppManifest.isValidAppID(text) == valid)
  }
}
