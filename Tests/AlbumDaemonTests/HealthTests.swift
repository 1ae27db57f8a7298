import Authorization
import DaemonConfiguration
import LibraryIO
import Testing
import Words

import AlbumAPI
@testable import AlbumDaemon

@Suite("What the doctor finds")
struct HealthTests {
  /// A daemon with which everything is in order.
  private var healthy: HealthFacts {
    var facts = HealthFacts()
    facts.configurationFile = "/etc/albumd/albumd.yaml"
    facts.owners = OwnerRules(users: ["alice"], uids: [1000])
    facts.roots = [.init(path: "/srv/photos", freeBytes: 1 << 40)]
    facts.state = .init(path: "/var/lib/albumd", freeBytes: 1 << 40)
    facts.watchLimit = 65_536
    facts.instanceLimit = 128
    facts.watches = 100
    facts.agents = 1
    facts.uid = 900
    facts.now = Timestamp(seconds: 1_800_000_000)
    return facts
  }

  private func problem(
    _ subject: String, _ change: (inout HealthFacts) -> Void
  ) -> ManagerInterface.Finding? {
    var facts = healthy
    change(&facts)
    let problems = facts.findings().filter { $0.severity != .ok }
    #expect(problems.count == 1, "\(problems)")
    #expect(problems.first?.advice?.isEmpty == false, "every problem comes with what to do")
    return problems.first { $0.subject == subject }
  }

  @Test("where everything is in order, it says what was looked at")
  func inOrder() {
    let findings = healthy.findings()
    #expect(findings.allSatisfy { $0.severity == .ok && $0.advice == nil })
    #expect(
      Set(findings.map(\.subject)).isSuperset(of: [
        "/etc/albumd/albumd.yaml", "/srv/photos", "/var/lib/albumd", "owners", "agents", "peers", "clock",
        "fs.inotify.max_user_watches", "fs.inotify.max_user_instances", "apps.d",
      ]))
  }

  @Test("a database that was damaged and is kept, and a registry whose last backup is old")
  func databases() {
    let kept = "/var/lib/albumd/library.sqlite.damaged"
    #expect(problem(kept) { $0.setAside = [kept] }?.advice?.contains(kept) == true)
    let days: Int64 = 86_400
    #expect(problem("backups") { ($0.registryWritten, $0.registryBackedUp) = (10 * days, 7 * days) } != nil)
    #expect(problem("backups") { $0.registryWritten = 10 * days } != nil)
    var facts = healthy
    (facts.registryWritten, facts.registryBackedUp) = (10 * days, 9 * days)
    #expect(facts.findings().allSatisfy { $0.severity == .ok })
  }

  @Test("S38: errors of the files as they are now")
  func configuration() {
    let wrong = ConfigurationError(
      code: .unknownKey, file: "/etc/albumd/apps.d/a.yaml", line: 1, column: 2, message: "unknown key")
    let found = problem("/etc/albumd/apps.d/a.yaml:1:2") { $0.configurationErrors = [wrong] }
    #expect(found?.severity == .error)
    #expect(found?.message == "unknown key")
  }

  @Test("S41: a root that is away, or cannot be written, or is full")
  func roots() {
    #expect(problem("/srv/photos") { $0.roots[0].problem = .notMounted }?.severity == .error)
    #expect(problem("/srv/photos") { $0.roots[0].isWritable = false }?.severity == .error)
    #expect(problem("/srv/photos") { $0.roots[0].freeBytes = 100 << 20 }?.severity == .warning)
    #expect(problem("/srv/photos") { $0.roots[0].freeBytes = 0 }?.severity == .error)
  }

  @Test("S19: a shared album that is not there is named, with where to correct it")
  func missingShared() throws {
    let found = try #require(
      problem("/srv/photos") { $0.roots[0].missingShared = ["Famly", "Trips/2024"] })
    #expect(found.severity == .warning)
    #expect(found.message.contains("Famly") && found.message.contains("Trips/2024"))
    #expect(found.advice?.contains("/etc/albumd/albumd.yaml") == true)
  }

  @Test("photos that cannot be read are counted, and one is named, with the user who should read them")
  func unreadable() throws {
    for (count, text) in [(1, "1 photo"), (12, "12 photos")] {
      let found = try #require(
        problem("/srv/photos") {
          $0.roots[0].unreadable.count = count
          $0.roots[0].unreadable.example = "Trip/b.jpg"
        })
      #expect(found.severity == .warning)
      #expect(found.message.contains(text) && found.message.contains("Trip/b.jpg"))
      #expect(found.advice?.contains("chown 900") == true)
    }
  }

  @Test("S42: watches that are short, and the sysctl that helps")
  func watches() throws {
    let name = "fs.inotify.max_user_watches"
    #expect(problem(name) { $0.watches = 60_000 }?.severity == .warning)
    let polled = try #require(
      problem(name) {
        $0.watches = 65_536
        $0.polledDirectories = 34_464
      })
    #expect(polled.severity == .error)
    #expect(polled.message.contains("34464 of 100000"))
    #expect(polled.advice?.contains("sysctl fs.inotify.max_user_watches=200000") == true)
    #expect(problem("fs.inotify.max_user_instances") { $0.instanceLimit = 2 }?.severity == .warning)
  }

  @Test("a number is not taken for several where it is one")
  func one() {
    var facts = healthy
    (facts.watches, facts.polledDirectories, facts.accessLogLost) = (0, 1, 1)
    facts.roots[0].freeBytes = 1 << 20
    let one = facts.findings().map(\.message)
    facts.watchLimit = nil
    (facts.watches, facts.polledDirectories) = (1, 0)
    for message in one + facts.findings().map(\.message) {
      #expect(!message.contains(/\b1 (of 1 )?(rows|directories have|users|MiB are|are)\b/), "\(message)")
    }
  }

  @Test("a root that others can read, and who they are")
  func readers() {
    let found = problem("/srv/photos") {
      $0.roots[0].readers = [.user(1000), .members(group: "family"), .everybody]
    }
    #expect(found?.severity == .warning)
    for who in ["user id 1000", "group family", "everybody"] { #expect(found?.message.contains(who) == true) }
  }

  @Test("the state directory")
  func state() {
    #expect(problem("/var/lib/albumd") { $0.state.mode = 0o755 }?.severity == .warning)
    #expect(problem("/var/lib/albumd") { $0.state.isWritable = false }?.severity == .error)
    #expect(problem("/var/lib/albumd") { $0.state.freeBytes = 10 }?.severity == .error)
  }

  @Test("S12, S44: nobody to ask, or to manage")
  func people() {
    #expect(problem("agents") { $0.agents = 0 }?.severity == .warning)
    #expect(problem("owners") { $0.owners = OwnerRules() }?.severity == .warning)
  }

  @Test("S36: a daemon that cannot read the processes of other users")
  func peers() {
    #expect(problem("peers") { $0.mayReadPeers = false }?.severity == .error)
    var own = healthy
    own.mayReadPeers = false
    own.uid = 1000
    #expect(own.findings().allSatisfy { $0.severity == .ok }, "a user's own daemon needs nothing for that")
  }

  @Test("a clock that is not set, or was set back")
  func clock() {
    #expect(problem("clock") { $0.now = Timestamp(seconds: 1000) }?.severity == .error)
    #expect(problem("clock") { $0.newestDecision = Timestamp(seconds: 1_900_000_000) }?.severity == .warning)
  }

  @Test("S35: manifests that recognize nobody, or whose app cannot ask")
  func manifests() {
    let program = HealthFacts.Program(manifest: "m.yaml", path: "/gone", exists: false, isTrustworthy: false)
    #expect(problem("m.yaml") { $0.programs = [program] }?.message.contains("/gone") == true)
    let replaceable = HealthFacts.Program(manifest: "m.yaml", path: "/p", exists: true, isTrustworthy: false)
    #expect(problem("m.yaml") { $0.programs = [replaceable] }?.severity == .warning)
    let silent = AppManifest(
      appID: "a", name: LocalizedText(english: "A"), bindings: [.init(.flatpak, "a")], file: "a.yaml",
      fileToWrite: "a.yaml")
    #expect(problem("a.yaml") { $0.manifests = [silent] }?.message.contains("usage") == true)
  }

  @Test("S37: policies that match nothing")
  func policies() {
    let policy = Policy(
      name: "p", effect: .restrict, apps: [Glob("*")], users: nil, accessLevels: [.readWrite], reason: nil,
      file: "p.yaml")
    #expect(problem("p.yaml") { $0.policies = [(policy, 0)] }?.severity == .warning)
    var matching = healthy
    matching.policies = [(policy, 2)]
    #expect(matching.findings().contains { $0.subject == "p.yaml" && $0.severity == .ok })
  }

  @Test("translations: what is wrong in them, and what they do not say")
  func translations() {
    func problem(_ language: String?, _ text: String?) -> String? {
      let file = text.map { WordsFile(parsing: Array($0.utf8)) }
      return self.problem("de.yaml") {
        $0.translations = [Translation(path: "de.yaml", language: language, file: file)]
      }?.message
    }
    #expect(problem("de", "")?.contains("allow") == true)
    #expect(problem("de", nil) == "cannot be read")
    #expect(problem(nil, "")?.contains("no language") == true)
    var facts = healthy
    let text = "allow: Erlauben\nalow: \"x\"\nwaiting: \"{zahl}\"\ndeny: \"a\"\ndeny: \"b\"\n"
    let file = WordsFile(parsing: Array(text.utf8))
    facts.translations = [Translation(path: "de.yaml", language: "de", file: file)]
    let found = facts.findings().filter { $0.subject.hasPrefix("de.yaml:") }
    #expect(found.map(\.subject) == ["de.yaml:1", "de.yaml:2", "de.yaml:3", "de.yaml:5"])
    for (finding, part) in zip(found, ["a line such as: allow: \"", "“alow”", "{count}", "“deny”"]) {
      #expect(finding.severity == .warning && finding.message.contains(part), "\(finding)")
    }
    let many = WordsFile(parsing: Array(String(repeating: "x\n", count: 1000).utf8))
    facts.translations = [Translation(path: "de.yaml", language: "de", file: many)]
    let messages = facts.findings().filter { $0.subject.hasPrefix("de.yaml") }.map(\.message)
    #expect(messages.count == WordsFile.mostProblems + 2 && messages.contains("and 980 more in this file"))
  }

  @Test(
    "the same findings in the language of who asks; names and what is quoted stay",
    arguments: [true, false])
  func languages(isWell: Bool) {
    var facts = healthy
    if !isWell {
      facts.configurationErrors = [.init(code: .syntax, file: "f", line: 1, column: 1, message: "QUOTED")]
      facts.owners = OwnerRules()
      facts.roots = [
        .init(path: "/a", problem: .failed(reason: "QUOTED")), .init(path: "/a", problem: .notMounted),
        .init(path: "/a", problem: .otherFileSystem), .init(path: "/b", isWritable: false),
        .init(path: "/c", freeBytes: 0), .init(path: "/d", freeBytes: 100 << 20),
      ]
      facts.libraryProblems = [
        .unreadable("/a/b"), .away("/a/c"), .overfull(root: "/a"), .database("QUOTED"),
      ]
      (facts.polledDirectories, facts.instanceLimit, facts.agents, facts.accessLogLost) = (5, 2, 0, 3)
      facts.state.mode = 0o755
      facts.newestDecision = Timestamp(seconds: 1_900_000_000)
      facts.translations = [Translation(path: "de.yaml", language: "de", file: WordsFile(parsing: []))]
    }
    let english = facts.findings()
    let chinese = facts.findings(in: ["zh-CN"])
    #expect(english == facts.findings(in: ["tlh"]))
    #expect(chinese.map(\.subject) == english.map(\.subject))
    #expect(chinese.map(\.severity) == english.map(\.severity))
    for (finding, other) in zip(chinese, english) where other.message != "QUOTED" {
      for (text, other) in [(finding.message, other.message), (finding.advice ?? "", other.advice ?? "")] {
        #expect(!text.contains("{") && !other.contains("{"), "\(text)")
        #expect(text != other || text.isEmpty || text.hasPrefix("chmod 700"), "\(text)")
      }
    }
  }

  @Test("an installed translation is spoken")
  func installed() {
    var facts = healthy
    let file = WordsFile(parsing: Array("agentsOne: \"einer ist angemeldet\"".utf8))
    facts.translations = [Translation(path: "de.yaml", language: "de", file: file)]
    let found = facts.findings(in: ["de"])
    #expect(found.contains { $0.subject == "agents" && $0.message == "einer ist angemeldet" })
    let owners = found.first { $0.subject == "owners" }?.message
    #expect(owners?.hasSuffix("may answer prompts and manage") == true)
  }

  @Test("rows of the access log that were lost")
  func accessLog() {
    #expect(problem("access log") { $0.accessLogLost = 1 }?.severity == .warning)
  }
}
