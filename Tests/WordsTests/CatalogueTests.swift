import Glibc
import Testing

@testable import Words

/// What comes with the program.
private let languages = BuiltInCatalogue.all.keys.sorted()

private func catalogue(_ language: String) throws -> WordsFile {
  WordsFile(parsing: try #require(BuiltInCatalogue.all[language]).bytes)
}

@Suite("The catalogues that come with the program")
struct CatalogueTests {
  @Test("every language says everything, with the places of the English", arguments: languages)
  func complete(_ language: String) throws {
    let file = try catalogue(language)
    #expect(file.problems.isEmpty)
    #expect(file.missing.isEmpty)
    #expect(file.texts.count == Phrase.allCases.count)
    #expect(file.texts.allSatisfy { !$0.value.isEmpty })
    let catalogue = try #require(BuiltInCatalogue.all[language])
    for phrase in Phrase.allCases { #expect(catalogue[phrase] == file.texts[phrase]) }
  }

  @Test("every place in braces has a name, so that a typing error shows", arguments: languages)
  func places(_ language: String) throws {
    for (phrase, text) in try catalogue(language).texts {
      let names = Places.names(in: text)
      #expect(names.allSatisfy { !$0.isEmpty && $0.allSatisfy { $0.isASCII && $0.isLetter } }, "\(phrase)")
      let braces = text.count { $0 == "{" || $0 == "}" }
      #expect(braces == 2 * names.count, "\(phrase): \(text)")
    }
  }

  @Test("what has a text for one thing has one for several, which tells how many")
  func numbers() throws {
    let all = Set(Phrase.allCases.map(\.rawValue))
    for one in all where one.hasSuffix("One") {
      #expect(all.contains("\(one.dropLast(3))Other"))
    }
    for other in all where other.hasSuffix("Other") {
      #expect(all.contains("\(other.dropLast(5))One"))
    }
  }

  @Test("a translation is one: no sentence was left in English", arguments: ["zh-Hans", "zh-Hant"])
  func translated(_ language: String) throws {
    let english = try catalogue("en")
    for (phrase, text) in try catalogue(language).texts {
      let hasWords = Places.fill(english.texts[phrase] ?? "") { _ in "" }.contains(where: \.isLetter)
      let isChinese = text.unicodeScalars.contains { $0.properties.isIdeographic }
      #expect(!hasWords || isChinese, "\(phrase): \(text)")
    }
  }
}

@Suite("Words in the language of a person")
struct WordsTests {
  @Test(
    "the language that serves best, else English",
    arguments: [
      (["zh-CN"], "允许"), (["zh"], "允许"), (["zh-Hans"], "允许"), (["zh_CN.UTF-8"], "允许"),
      (["de", "zh-SG"], "允许"),
      (["zh-TW"], "允許"), (["zh_HK.UTF-8"], "允許"), (["zh-Hant"], "允許"), (["de-DE"], "Allow"),
      (["en-GB", "zh"], "Allow"), ([], "Allow"), (["C"], "Allow"),
    ])
  func matching(_ languages: [String], allow: String) {
    #expect(Words.matching(languages)[.allow] == allow)
  }

  @Test("a translator's file is said; what it lacks, and what is wrong in it, is said in English")
  func installed() {
    let german = WordsFile(parsing: Array("allow: \"Erlauben\"\nwaiting: \"noch {zahl}\"\n".utf8))
    func words(_ languages: String...) -> Words {
      .matching(languages, installed: ["de"]) { $0 == "de" ? german : nil }
    }
    #expect(words("de-AT")[.allow] == "Erlauben")
    #expect(words("de-AT")[.deny] == "Don't allow")
    #expect(words("de-AT").language == "de" && words("fr", "zh").language == "zh-Hans")
    #expect(words("de")[.waiting, ["count": "3"]] == "3 more waiting after this one")
    #expect(words("zh", "de")[.allow] == "允许")
  }

  @Test("a file for a language that comes with the program goes before; the rest stays in that language")
  func replaced() {
    let file = WordsFile(parsing: Array("allow: \"准许\"".utf8))
    let words = Words.matching(["zh"], installed: ["zh-Hans"]) { _ in file }
    #expect(words[.allow] == "准许")
    #expect(words[.deny] == "不允许")
    #expect(Words.matching(["zh"], installed: ["zh-Hans"]) { _ in nil }[.allow] == "允许", "it cannot be read")
  }

  @Test("what comes with the program is not read to say little of it, nor as an installed file")
  func littleRead() throws {
    let catalogue = try #require(BuiltInCatalogue.all["zh-Hans"])
    let reading = time { _ = WordsFile(parsing: catalogue.bytes) }
    let saying = time { for _ in 0..<5 { _ = Words.matching(["zh"])[.leave] } }
    #expect(saying < reading)
    #expect(Words.haveComeWithProgram(catalogue.bytes))
    #expect(!Words.haveComeWithProgram(catalogue.bytes + Array("#".utf8)))
  }

  /// What it costs this thread, whatever else the machine does, in nanoseconds.
  private func time(_ body: () -> Void) -> Int {
    func now() -> Int {
      var time = timespec()
      clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
      return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
    let start = now()
    body()
    return now() - start
  }

  @Test("numbers and lists")
  func numbers() {
    #expect(Words.english.counting(1, .purgedOne, .purgedOther) == "1 asset removed.")
    #expect(Words.english.counting(0, .purgedOne, .purgedOther) == "0 assets removed.")
    #expect(Words.english.list("a", nil, "b") == "a, b")
    #expect(Words.matching(["zh"]).list("甲", "乙") == "甲，乙")
  }

  @Test("what is filled in is not looked at again; a place that nothing fills stays")
  func places() {
    let values = ["answer": "{question}", "question": "{answer}"]
    #expect(Words.english[.report, values] == "{question}: {answer}")
    #expect(Words.english[.waiting] == "{count} more waiting after this one")
    #expect(Places.names(in: "a {b} {c d} {} {e") == ["b", "c d", ""])
    // What is longer than a name is text, and is not compared with names.
    let (name, text) = (String(repeating: "é", count: 32), String(repeating: "é", count: 33))
    #expect(Places.names(in: "{\(name)} {\(text)} {b}") == [name, "b"])
    #expect(Places.fill("{\(text)} {b}") { _ in "x" } == "{\(text)} x")
    // An accent after a brace is no part of it, and stays.
    #expect(
      Places.fill("{app}\u{65E}s {\u{301}b}") { $0 == "app" ? "Krita" : nil } == "Krita\u{65E}s {\u{301}b}")
  }

  @Test(
    "locale(7), and the list of gettext(3)",
    arguments: [
      (["LC_ALL": "zh_CN.UTF-8", "LANG": "de_DE"], ["zh-CN"]), (["LC_ALL": "", "LC_MESSAGES": "de"], ["de"]),
      (["LC_ALL": "C", "LANG": "de_DE"], []), (["LANG": "sr_RS@latin"], ["sr-RS"]), ([:], []),
      (["LANG": "C.UTF-8"], []), (["LANG": "../x"], []),
      (["LANG": "de_AT.UTF-8", "LANGUAGE": "zh_CN:fr:../x:"], ["zh-CN", "fr", "de-AT"]),
      (["LANG": "de_AT", "LANGUAGE": "de_AT:en"], ["de-AT", "en"]), (["LANG": "C", "LANGUAGE": "zh_CN"], []),
    ] as [([String: String], [String])])
  func preferred(environment: [String: String], tags: [String]) {
    #expect(PreferredLanguages.tags { environment[$0] } == tags)
  }
}

@Suite("A translator's file")
struct WordsFileTests {
  private func texts(_ lines: String) -> [Phrase: String] { WordsFile(parsing: Array(lines.utf8)).texts }

  @Test("comments, empty lines, the ends of lines of other systems, quotes within quotes")
  func reads() {
    #expect(
      texts("# x\n\n  \t\r\nallow: \"a \\\"b\\\" \\\\ # c\"  # d\r\ndeny:   \"\"\nback: \"“e”\"")
        == [.allow: "a \"b\" \\ # c", .deny: "", .back: "“e”"])
    #expect(texts("").isEmpty)
  }

  @Test(
    "what is no line of it, which then says nothing",
    arguments: [
      "allow", "allow: a", "allow: 'a'", "allow:\"a\"", "allow: \"a", "allow: \"a\\\"", "allow: \"a\" b",
      "allow: \"\\n\"", " allow: \"a\"", "allow: \"\u{1B}[2J\"", "allow: \"a\tb\"", "- allow: \"a\"",
      "allow:", "allow: \"\u{7F}\"", "allow: \"\u{9B}2J\"",
      "\u{FEFF}allow: \"a\"",
    ])
  func syntax(_ line: String) {
    let file = WordsFile(parsing: Array("deny: \"d\"\n\(line)\n".utf8))
    #expect(file.texts == [.deny: "d"])
    #expect(file.problems == [.init(line: 2, kind: .syntax)])
  }

  @Test("bytes that are no text")
  func bytes() {
    let file = WordsFile(parsing: Array("allow: \"".utf8) + [0xFF] + Array("\"\ndeny: \"d\"".utf8))
    #expect(file.problems == [.init(line: 1, kind: .syntax)])
    #expect(file.texts == [.deny: "d"])
  }

  @Test("each problem has its line, and each key that is not there is named")
  func problems() {
    let file = WordsFile(
      parsing: Array("allow: \"a\"\nalow: \"b\"\nallow: \"c\"\nwaiting: \"{cuont}\"\nlost: \"{app}\"".utf8))
    #expect(
      file.problems == [
        .init(line: 2, kind: .unknownKey("alow")), .init(line: 3, kind: .twice("allow")),
        .init(line: 4, kind: .places(.waiting)), .init(line: 5, kind: .places(.lost)),
      ])
    #expect(file.texts == [.allow: "a"])
    let missing = Set(Phrase.allCases).subtracting([.allow, .waiting, .lost])
    #expect(Set(file.missing) == missing)
  }

  @Test("of a file that is wrong at each line the first lines are told, and how many there are beyond them")
  func manyProblems() {
    let key = String(repeating: "k", count: 1000)
    let lines = "\(key): \"a\"\n" + String(repeating: "x\n", count: 100_000) + "allow: \"a\""
    let file = WordsFile(parsing: Array(lines.utf8))
    #expect(file.problems.count == WordsFile.mostProblems && file.untoldProblems == 100_001 - 20)
    #expect(file.problems.first == .init(line: 1, kind: .unknownKey(key.prefix(64) + "…")))
    #expect(file.problems.last == .init(line: 20, kind: .syntax))
    #expect(file.texts == [.allow: "a"])
  }
}
