import AlbumAPI
import TestSupport
import Testing

@Suite("What a person reads is in their language (S73)", .blocking)
struct LanguageTests {
  /// Three words of Latin letters after each other, which nobody types: no command, no path, no option.
  private func latinSentence(_ output: String) -> Substring? {
    for line in output.split(separator: "\n") {
      // Commands, files and what stands in quotation marks are the same in every language.
      let told = line.replacing("albumctl: ", with: "")
      let parts = told.split { "：:，。（）“”；、".contains($0) }
      for part in parts where !part.contains("albumctl") && !part.contains("/") && !part.contains("--") {
        let words = part.split(separator: " ")
        var run = 0
        for word in words {
          run = word.count > 1 && word.allSatisfy { $0.isASCII && $0.isLetter } ? run + 1 : 0
          if run == 3 { return line }
        }
      }
    }
    return nil
  }

  @Test(
    "S73: a failure is told in Chinese to who reads Chinese, and in English to a program",
    arguments: [
      ["request", "--level", "readWrite"], ["request", "--level", "addOnly"], ["pick"],
      ["open", "nobody", "-o", "/dev/null"], ["open", "nobody", "-o", "/dev/null", "--owner"],
      ["export", "nobody", ".", "--owner"],
      ["delete", "nobody", "--owner"], ["delete", "nobody"], ["album", "create", "a/b", "--owner"],
      ["album", "add", "nobody", "nobody", "--owner"], ["album", "remove", "nobody", "nobody", "--owner"],
      ["restore", "nobody"], ["purge", "nobody"], ["deny", "no.such.app", "--level", "readWrite"],
      ["limit", "no.such.app", "nobody"], ["settings", "no.such.app"], ["selection", "no.such.app"],
      ["watch", "--since", "nonsense", "--owner"],
      ["status", "--socket", "/no/such/socket"], ["info", "--socket", "/no/such/socket"],
    ])
  func failures(_ command: [String]) throws {
    let host = try Host { try $0.add("a.jpg") }
    let told = try host.albumctl(command, environment: ["LANG=zh_CN.UTF-8"])
    #expect(told.status != 0, "\(told.output)")
    #expect(latinSentence(told.output) == nil, "\(command): \(told.output)")
    let english = try host.albumctl(command + ["--json"], environment: ["LANG=zh_CN.UTF-8"])
    // Quotation marks are no ASCII in English either.
    let isEnglish = english.output.unicodeScalars.allSatisfy { $0.value < 0x3000 }
    #expect(isEnglish, "\(command): \(english.output)")
  }

  @Test("S73: the check finds a sentence, and takes no command for one")
  func check() {
    #expect(latinSentence("albumctl: There is no asset x that you may see.") != nil)
    #expect(latinSentence("  查看有哪些：albumctl assets，所有者请加上 --owner") == nil)
    #expect(latinSentence("albumctl: 没有你可以看到的照片 nobody。") == nil)
  }
}
