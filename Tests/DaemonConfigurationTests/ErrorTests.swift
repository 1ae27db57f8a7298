import Authorization
import DaemonConfiguration
import Glibc
import Testing
import TestSupport

@Suite("Errors in a configuration")
struct ErrorTests {
  static let mainErrors: [(String, [String])] = [
    ("", ["1:1: syntax"]),
    ("# only a comment\n", ["1:1: syntax"]),
    ("just text", ["1:1: wrongType"]),
    ("roots: [", ["2:1: syntax"]),
    ("roots:\n\t- path: /x\n", ["2:1: syntax"]),
    ("roots: *nothing\n", ["1:8: syntax"]),
    ("roots:\n  - path: /srv\n---\nroots: []\n", ["3:1: syntax"]),
    ("owners: {users: [alice]}\n", ["1:1: missingKey"]),
    ("roots: []\n", ["1:8: wrongType"]),
    ("roots: /srv\n", ["1:8: wrongType"]),
    ("roots:\n  - /srv\n", ["2:5: wrongType"]),
    ("roots:\n  - shared: [A]\n", ["2:5: missingKey"]),
    ("roots:\n  - path: srv\n", ["2:11: invalidValue"]),
    ("roots:\n  - path: /srv/../etc\n", ["2:11: invalidValue"]),
    ("roots:\n  - path: /\n", ["2:11: invalidValue"]),
    ("roots:\n  - path: 12\n", ["2:11: wrongType"]),
    ("roots:\n  - path: ~\n", ["2:11: wrongType"]),
    ("roots:\n  - path: /a\n  - path: /a/b\n", ["3:5: invalidValue"]),
    ("roots:\n  - path: /a\n    path: /b\n", ["2:5: duplicateKey"]),
    ("roots:\n  - path: /a\n    shred: [X]\n", ["3:5: unknownKey"]),
    ("roots:\n  - path: /a\n    shared: X\n", ["3:13: wrongType"]),
    ("roots:\n  - path: /a\n    shared: [../X, .Y]\n", ["3:14: invalidValue", "3:20: invalidValue"]),
    ("roots:\n  - path: /a\n    requireMountPoint: yes\n", ["3:24: wrongType"]),
  ]

  /// These are the errors of that file, each with its place and what was expected there.
  private func check(_ directory: ConfigurationDirectory, _ file: String, _ expected: [String]) {
    #expect(directory.errors() == expected.map { "\(file):\($0)" }, "\(directory.messages())")
    for error in directory.found() {
      let words =
        switch error.code {
        case .wrongType: ["expected "]
        case .missingKey: ["expected ", " is missing"]
        case .unknownKey: ["did you mean ", "known here are "]
        case .invalidValue:
          ["expected ", " must ", "keep one", " instead", "there is no ", " cannot be looked up"]
        case .duplicateKey: ["keep one"]
        case .unreadable, .syntax, .conflict, .more: [""]
        }
      #expect(words.contains { error.message.contains($0) }, "\(error)")
    }
  }

  @Test("S38: errors of roots and of YAML name line and column, and what was expected", arguments: mainErrors)
  func roots(text: String, expected: [String]) throws {
    check(try ConfigurationDirectory(main: text), "etc/albumd.yaml", expected)
  }

  static let optionErrors: [(String, [String])] = [
    ("state: var\n", ["3:8: invalidValue"]),
    ("state: /srv/photos/.state\n", ["3:1: invalidValue"]),
    ("saveTo: /Saved\n", ["3:9: invalidValue"]),
    ("saveTo: ''\n", ["3:9: invalidValue"]),
    ("saveTo: ../Saved\n", ["3:9: invalidValue"]),
    ("limits: 5\n", ["3:9: wrongType"]),
    ("limits: {messageBytes: 10}\n", ["3:24: invalidValue"]),
    ("limits: {messageBytes: 1023}\n", ["3:24: invalidValue"]),
    ("journal: {keepChanges: 0}\n", ["3:24: invalidValue"]),
    ("limits: {messageBytes: 1e6}\n", ["3:24: wrongType"]),
    ("limits: {messageBytes: '1048576'}\n", ["3:24: wrongType"]),
    ("limits:\n  addBytes: 99999999999999999999\n", ["4:13: invalidValue"]),
    ("limits:\n  addBytes: -1\n  connectionsPerUser: 0\n", ["4:13: invalidValue", "5:23: invalidValue"]),
    (
      "limits: {albumDepth: 0, albumsPerApp: -1, connections: 0}\n",
      ["3:22: invalidValue", "3:39: invalidValue", "3:56: invalidValue"]
    ),
    ("journal: {keepDays: ten, keepChange: 1}\n", ["3:21: wrongType", "3:26: unknownKey"]),
    ("accessLog: {keepDays: -1, days: 1}\n", ["3:23: invalidValue", "3:27: unknownKey"]),
    ("grants: {expireUnusedAfterDays: no}\ngrants2: 1\n", ["3:33: wrongType", "4:1: unknownKey"]),
    ("recentlyDeletedDays: [30]\n", ["3:22: wrongType"]),
    ("recentlyDeletedDays:\n", ["3:21: wrongType"]),
    ("owners: [alice]\n", ["3:9: wrongType"]),
    ("owners:\n  users: [alice, bob]\n  groups: [albums]\n", ["4:18: invalidValue", "5:12: invalidValue"]),
    ("owners: {users: [1000]}\n", ["3:18: wrongType"]),
    ("owners: {users: [broken]}\n", ["3:18: invalidValue"]),
    ("[1, 2]: 3\n", ["3:1: wrongType"]),
    ("statte: /x\nsave_to: x\n", ["3:1: unknownKey", "4:1: unknownKey"]),
  ]

  @Test("S38: errors of options name the line and column, and what was expected", arguments: optionErrors)
  func options(text: String, expected: [String]) throws {
    let directory = try ConfigurationDirectory(main: "roots:\n  - path: /srv/photos\n" + text)
    check(directory, "etc/albumd.yaml", expected)
  }

  static let manifestErrors: [(String, [String])] = [
    ("name: {en: A}\n", ["1:1: missingKey"]),
    ("identity: {snap: a}\n", ["1:1: missingKey"]),
    ("name: A\nidentity: {snap: a}\n", ["1:7: wrongType"]),
    ("name: {}\nidentity: {snap: a}\n", ["1:7: missingKey"]),
    ("name: {english: A}\nidentity: {snap: a}\n", ["1:8: invalidValue"]),
    ("name: {en: no}\nidentity: {snap: a}\n", ["1:12: wrongType"]),
    ("name: {en: A}\nidentity: {}\n", ["2:11: missingKey"]),
    ("name: {en: A}\nidentity: {flatpack: org.a.A}\n", ["2:12: unknownKey"]),
    ("name: {en: A}\nidentity: {flatpak: 'org a'}\n", ["2:21: invalidValue"]),
    ("name: {en: A}\nidentity: {snap: 'a b'}\n", ["2:18: invalidValue"]),
    ("name: {en: A}\nidentity: {unit: user@1000.service}\n", ["2:18: invalidValue"]),
    ("name: {en: A}\nidentity: {unit: 'x*.service'}\n", ["2:18: invalidValue"]),
    ("name: {en: A}\nidentity: {userUnit: '*.scope'}\n", ["2:22: invalidValue"]),
    ("name: {en: A}\nidentity: {userUnit: 'app-x'}\n", ["2:22: invalidValue"]),
    ("name: {en: A}\nidentity: {executable: bin/a}\n", ["2:24: invalidValue"]),
    ("name: {en: A}\nidentity: {executable: /usr//a}\n", ["2:24: invalidValue"]),
    ("name: {en: A}\nidentity: {snap: a}\nusage: {read: {en: x}}\n", ["3:9: unknownKey"]),
    ("name: {en: A}\nidentity: {snap: a}\nusage: {addOnly: x}\n", ["3:18: wrongType"]),
    ("name: {en: A}\nidentity: {snap: a}\nmanages: 'true'\n", ["3:10: wrongType"]),
  ]

  @Test("S35, S38: errors of app manifests", arguments: manifestErrors)
  func manifests(text: String, expected: [String]) throws {
    let directory = try ConfigurationDirectory()
    try directory.write("etc/apps.d/A.yaml", text)
    check(directory, "etc/apps.d/A.yaml", expected)
  }

  static let policyErrors: [(String, [String])] = [
    ("apps: ['*']\n", ["1:1: missingKey"]),
    ("effect: restrict\n", ["1:1: missingKey"]),
    ("effect: allow\napps: ['*']\n", ["1:9: invalidValue"]),
    ("effect: restrict\napps: []\n", ["2:7: invalidValue"]),
    ("effect: restrict\napps: ['*']\nusers: []\n", ["3:8: invalidValue"]),
    ("effect: restrict\napps: ['*']\nusers: [child]\n", ["3:9: invalidValue"]),
    ("effect: restrict\napps: ['*']\naccessLevels: [read]\n", ["3:16: invalidValue"]),
    ("effect: restrict\napps: ['*']\nreason: Because.\n", ["3:9: wrongType"]),
  ]

  @Test("S37, S38: errors of policies", arguments: policyErrors)
  func policies(text: String, expected: [String]) throws {
    let directory = try ConfigurationDirectory()
    try directory.write("usr/policies.d/p.yaml", text)
    check(directory, "usr/policies.d/p.yaml", expected)
  }

  @Test("S38: all errors of all files are reported, and read like a compiler's")
  func collected() throws {
    let directory = try ConfigurationDirectory(main: "rots: []\n")
    try directory.write("etc/apps.d/A.yaml", "nam: {en: A}\nidentity: {snap: a}\n")
    try directory.write("etc/policies.d/p.yaml", "[")
    #expect(
      Set(directory.errors()) == [
        "etc/albumd.yaml:1:1: missingKey", "etc/albumd.yaml:1:1: unknownKey",
        "etc/apps.d/A.yaml:1:1: missingKey",
        "etc/apps.d/A.yaml:1:1: unknownKey", "etc/policies.d/p.yaml:2:1: syntax",
      ])
    #expect(directory.messages().contains("unknown key “rots”; did you mean “roots”?"))
    #expect(
      directory.found().map(\.description).contains(
        "\(directory.path)/etc/apps.d/A.yaml:1:1: unknown key “nam”; did you mean “name”?"))
  }

  /// So many lines of a key that nobody knows, each another one.
  private static func unknown(_ count: Int) -> String {
    (0..<count).map { "k\($0): 1\n" }.joined()
  }

  @Test("S38: of one file twenty errors are told, and how many more there are", arguments: [20, 21, 90_000])
  func most(count: Int) throws {
    let directory = try ConfigurationDirectory()
    try directory.write("etc/apps.d/A.yaml", "name: {en: A}\nidentity: {snap: a}\n" + Self.unknown(count))
    try directory.write("etc/apps.d/B.yaml", "name: {en: B}\nidentity: {snap: b}\nmanage: true\n")
    let told = (3..<23).map { "etc/apps.d/A.yaml:\($0):1: unknownKey" }
    let more = count == 20 ? [] : ["etc/apps.d/A.yaml:22:1: more"]
    #expect(directory.errors() == told + more + ["etc/apps.d/B.yaml:3:1: unknownKey"])
    if count > 20 { #expect(directory.messages()[20] == "and \(count - 20) more in this file") }
    // What is an error of the whole configuration is told in the same way.
    try directory.write("etc/policies.d/p.yaml", "effect: restrict\napps: ['*']\n" + Self.unknown(count))
    #expect(directory.errors().count { $0.hasPrefix("etc/policies.d/p.yaml") } == min(count, 21))
  }

  @Test("S38: one whose errors are told in part only is left out like any other")
  func leftOut() throws {
    let directory = try ConfigurationDirectory()
    try directory.write("etc/apps.d/A.yaml", "name: {en: A}\nidentity: {snap: a}\n" + Self.unknown(21))
    #expect(try directory.load().apps.manifests.isEmpty)
  }

  @Test("S38: what is quoted of a file is no more than the beginning of it")
  func quoted() throws {
    let long = String(repeating: "x", count: 100_000)
    let directory = try ConfigurationDirectory(
      main: "roots:\n  - path: \(long)\n    ? \(long)\n    : 1\n  - path: /srv\nsaveTo: /\(long)\n"
        + "owners: {users: [\(long)]}\njournal: {keepDays: 1\(String(repeating: "0", count: 100_000))}\n")
    let messages = directory.messages()
    #expect(messages.count == 5, "\(directory.errors())")
    #expect(messages.allSatisfy { $0.utf8.count < 400 && $0.contains("…") }, "\(messages)")
    // A path is told as it is, so far as a message goes.
    let roots = try ConfigurationDirectory(main: "roots:\n  - path: /\(long)\n  - path: /\(long)\n")
    let message = try #require(roots.messages().first)
    #expect(message.hasPrefix("the roots /x") && message.hasSuffix("…"))
    #expect(message.utf8.count <= ConfigurationError.messageLimit + 3)
    let keys = (0..<1000).map { "key\($0): 1\n" }.joined()
    let twice = try ConfigurationDirectory(main: keys + keys)
    #expect(twice.errors() == ["etc/albumd.yaml:1:1: duplicateKey"])
    #expect(try #require(twice.messages().first).utf8.count < 400)
  }

  @Test("S35: two manifests that bind the same evidence")
  func conflict() throws {
    let directory = try ConfigurationDirectory()
    try directory.write("usr/apps.d/A.yaml", "name: {en: A}\nidentity: {userUnit: 'app-*.scope'}\n")
    try directory.write("etc/apps.d/B.yaml", "name: {en: B}\nidentity:\n  userUnit: 'app-b-*.scope'\n")
    // The administrator's file counts.
    #expect(directory.errors() == ["usr/apps.d/A.yaml:2:12: conflict"])
    #expect(directory.messages().first?.contains("\(directory.path)/etc/apps.d/B.yaml") == true)
    #expect(try directory.load().apps.manifests.keys.sorted() == ["B"])
  }

  @Test("S35: the file's name is the app id")
  func fileName() throws {
    let directory = try ConfigurationDirectory()
    try directory.write("etc/apps.d/a b.yaml", "name: {en: A}\nidentity: {snap: a}\n")
    #expect(directory.errors() == ["etc/apps.d/a b.yaml:1:1: invalidValue"])
  }

  @Test("S38: what cannot be read is an error with a name")
  func unreadable() throws {
    let missing = try ConfigurationDirectory(main: nil)
    #expect(missing.errors() == ["etc/albumd.yaml:1:1: unreadable"])
    #expect(missing.messages() == ["cannot be read: No such file or directory"])

    let pipe = try ConfigurationDirectory()
    try #require(mkfifo("\(pipe.path)/etc/apps.d/P.yaml", 0o600) == 0)
    #expect(pipe.errors() == ["etc/apps.d/P.yaml:1:1: unreadable"], "and nobody waits for a writer")

    let notDirectory = try ConfigurationDirectory()
    try notDirectory.write("etc/policies", "")
    try #require(rmdir("\(notDirectory.path)/etc/policies.d") == 0)
    try #require(rename("\(notDirectory.path)/etc/policies", "\(notDirectory.path)/etc/policies.d") == 0)
    #expect(notDirectory.errors() == ["etc/policies.d:1:1: unreadable"])
    unlink("\(notDirectory.path)/etc/policies.d")
  }

  @Test("S38: too large, not UTF-8, control characters")
  func bytes() throws {
    let large = try ConfigurationDirectory(main: nil)
    try large.write("etc/albumd.yaml", [UInt8](repeating: UInt8(ascii: "#"), count: (1 << 20) + 1))
    #expect(large.errors() == ["etc/albumd.yaml:1:1: unreadable"])

    let latin = try ConfigurationDirectory(main: nil)
    try latin.write("etc/albumd.yaml", Array("roots:\n  - path: /srv/f".utf8) + [0xFC, 0x72, 0x0A])
    #expect(latin.errors() == ["etc/albumd.yaml:2:1: syntax"])

    let control = try ConfigurationDirectory(main: "roots:\n  - path: /srv\nsaveTo: a\u{1}b\n")
    #expect(control.errors() == ["etc/albumd.yaml:3:10: syntax"], "\(control.messages())")
  }

  @Test(
    "Anchors that would unfold into billions of nodes are refused, also as a key", .timeLimit(.minutes(30)))
  func bomb() throws {
    var text = "roots:\n  - path: /srv\nsaveTo: &a0 [x]\n"
    for level in 1...40 { text += "k\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let directory = try ConfigurationDirectory(main: text + "? *a40\n: x\n")
    #expect(directory.errors() == ["etc/albumd.yaml:20:12: syntax"])
  }

  @Test("Some anchors are fine, as values and as keys", .timeLimit(.minutes(30)))
  func anchors() throws {
    var text = "roots:\n  - path: &a0 /srv\n"
    for level in 1...15 { text += "k\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let directory = try ConfigurationDirectory(main: text + "? *a15\n: x\nstate: /var\n")
    #expect(directory.errors().count == 16)
    let plain = try ConfigurationDirectory(
      main: "roots:\n  - path: /srv\n    shared: [&x A, B]\nsaveTo: *x\n")
    #expect(try plain.load().saveTo == "A")
  }

  @Test("S38: a damaged file loads or is an error with its file and line; it never crashes", arguments: 1...4)
  func damaged(seed: UInt64) throws {
    let valid = Array(
      """
      roots:
        - path: /srv/photos
          shared: [Family]
      owners: {users: [alice], groups: [albumd]}
      limits: {messageBytes: 1048576, connectionsPerUser: 128}
      journal:
        keepDays: &days 30
      recentlyDeletedDays: *days
      """.utf8)
    var random = SeededGenerator(seed: seed)
    func next(_ bound: Int) -> Int { .random(in: 0..<bound, using: &random) }
    let interesting = Array("{}[]:,&*#?|-<>=!%@`\"'\n\t \0~/".utf8)
    let directory = try ConfigurationDirectory()
    var failures = 0
    for _ in 0..<400 {
      var bytes = valid
      for _ in 0...next(4) {
        let place = next(bytes.count)
        switch next(4) {
        case 0: bytes.remove(at: place)
        case 1: bytes.insert(interesting[next(interesting.count)], at: place)
        case 2: bytes[place] = UInt8(next(256))
        default: bytes.replaceSubrange(place..<min(place + next(20), bytes.count), with: [])
        }
      }
      try directory.write("etc/albumd.yaml", bytes)
      let lines = bytes.count { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") } + 2
      for error in directory.found() {
        failures += 1
        #expect(error.file == directory.file && error.column >= 1 && !error.message.isEmpty)
        #expect((1...lines).contains(error.line), "\(error)")
      }
    }
    #expect(failures > 100, "most damage is found")
  }
}
