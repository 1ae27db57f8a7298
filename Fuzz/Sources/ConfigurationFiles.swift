import Authorization

@testable import DaemonConfiguration
@testable import Words

/// What packages and administrators write.
let configurationFuzzers = [
  Fuzzer("manifest", longest: 8192) { bytes in
    read(bytes, "org.example.App.yaml") { document, errors in
      let file = ManifestFile(document, administratorDirectory: "/etc/albumd/apps.d", &errors)
      if let manifest = file?.manifest {
        expect(!manifest.bindings.isEmpty, "a manifest recognizes something")
        expect(manifest.bindings.allSatisfy { !$0.value.isEmpty && $0.kind != .sandbox }, "by evidence")
      }
      return file != nil
    }
  },

  Fuzzer("policy", longest: 8192) { bytes in
    read(bytes, "children.yaml") { document, errors in
      let policy = readPolicy(document, accounts: someAccounts, &errors)
      if let policy {
        expect(!policy.apps.isEmpty && !policy.accessLevels.isEmpty, "a policy is about something")
        expect(policy.users.map { !$0.names.isEmpty || !$0.groups.isEmpty } ?? true, "and about somebody")
      }
      return policy != nil
    }
  },

  Fuzzer("guide", longest: 8192) { bytes in
    read(bytes, "en.yaml") { document, errors in
      let text = GuideFile(document, &errors)?.text
      if let text {
        expect(text.denied.steps.count == 3, "who was denied is told three steps")
        expect(GuideText.unknownPlaces(in: text.labels.later).isEmpty, "every place is filled in")
      }
      return text != nil
    }
  },

  Fuzzer("configuration", longest: 8192) { bytes in
    read(bytes, "albumd.yaml") { document, errors in
      let main = MainFile(document, defaultState: "/var/lib/albumd", accounts: someAccounts, &errors)
      guard let main, errors.count == 0 else { return false }
      expect(
        main.roots.allSatisfy { $0.path.hasPrefix("/") && !$0.path.hasSuffix("/") }, "roots are absolute")
      expect(main.state.hasPrefix("/"), "so is the state")
      expect(!main.roots.isEmpty, "there is a root")
      expect((1...3650).contains(main.recentlyDeletedDays), "numbers are in their range")
      return true
    }
  },

  Fuzzer("words", longest: 16384) { bytes in
    let bytes = Array(bytes)
    let file = WordsFile(parsing: bytes)
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).count
    expect(file.problems.allSatisfy { (1...lines).contains($0.line) }, "a problem is in a line")
    for (phrase, text) in file.texts {
      expect(
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) },
        "nothing controls a terminal")
      expect(
        Set(Places.names(in: text)) == Set(Places.names(in: Words.english[phrase])),
        "a text has the places of the English one")
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { return }
    expect(Places.fill(text) { _ in nil } == text, "what is not filled in stays")
    // The text may be one of the two as well.
    let known = ["en": 1, "zh-Hans": 2].merging([text: 3]) { $1 }
    expect(bestMatch(for: [text], among: known) != nil, "a language that there is is found")
    _ = PreferredLanguages.tags { $0 == "LANGUAGE" || $0 == "LANG" ? text : nil }
  },

  // A pattern, a line feed, and a text.
  Fuzzer("glob", longest: 2048) { bytes in
    guard let text = bytes.text, let end = text.utf8.firstIndex(of: 10) else { return }
    let (pattern, name) = (Glob(String(text[..<end])), String(text[text.utf8.index(after: end)...]))
    expect(
      Glob(name.replacing("*", with: "x")).matches(name.replacing("*", with: "x")),
      "a name is its own pattern")
    if pattern.matches(name) {
      expect(pattern.overlaps(Glob(name)), "who matches overlaps")
      expect(Glob("*" + pattern.pattern).matches("x" + name), "a star is any text")
    }
    expect(pattern.overlaps(Glob(name)) == Glob(name).overlaps(pattern), "either overlaps the other")
  },
]

/// Reads a file of YAML: it is read, or there is an error, which has a place.
private func read(
  _ bytes: UnsafeBufferPointer<UInt8>, _ name: String,
  _ body: (Document, inout FileErrors) -> Bool
) {
  var errors = FileErrors()
  let document = Document.parse(Array(bytes), file: name, &errors)
  expect((document == nil) == (errors.count > 0), "a file is read, or there is an error")
  let isRead = document.map { body($0, &errors) } ?? false
  expect(isRead == (errors.count == 0), "a file counts, or there is an error")
  // A line ends in more ways in YAML than one.
  let lines = bytes.reduce(2) {
    $0 + ($1 == 10 || $1 == 13 || $1 == 0x85 || $1 == 0xA8 || $1 == 0xA9 ? 1 : 0)
  }
  let told = errors.told
  expect(told.count <= FileErrors.most + 1, "no more is told than anybody reads")
  expect(told.allSatisfy { (1...lines).contains($0.line) && $0.column >= 1 }, "an error is in the file")
}

private let someAccounts = Accounts(
  user: { name throws(AccountError) in
    if name == "broken" { throw AccountError(code: 5, call: "getpwnam_r") }
    return ["alice": 1000, "kid": 1001][name]
  },
  group: { name throws(AccountError) in ["family": [1000, 1001], "nobody": []][name] })
