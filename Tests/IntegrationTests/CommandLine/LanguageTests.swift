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
      for part in parts where !part.contains("albumctl") && !part.contains("--") {
        let words = part.split(separator: " ").filter { !$0.contains("/") }
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
      ["watch", "--since", "nonsense", "--owner"], ["save", "/nowhere.jpg"],
      ["preview", "nobody", "--owner"],
      ["replace", "nobody", "/nowhere.jpg"], ["revert", "nobody", "--owner"],
      ["rename", "nobody", "a.jpg", "--owner"], ["favorite", "nobody", "--owner"],
      ["hide", "nobody", "--owner"], ["allow", "no.such.app"], ["page", "--print", "--entry", "/nowhere"],
      ["album", "rename", "nobody", "b", "--owner"], ["album", "move", "nobody", "--owner"],
      ["album", "delete", "nobody", "--owner"], ["export", "nobody", "/nowhere", "--owner"],
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

  @Test("S73: what a command shows is Chinese, with the titles and words of its tables")
  func shown() throws {
    let host = try Host {
      try $0.makeAlbum("Summer")
      try $0.add("Summer/a.jpg")
    }
    let id = try #require(try host.albumctl("assets", "--owner").words.dropFirst().first)
    try host.set(.wallpapers, .limited)
    _ = try host.albumctl("selection", "org.example.Wallpapers", "--add", id)
    for command in [
      ["whoami"], ["status"], ["albums", "--owner"], ["assets", "--owner"], ["describe", id, "--owner"],
      ["info", "--owner"], ["statistics"], ["apps"], ["policies"], ["log"], ["deleted"], ["doctor"],
      ["selection", "org.example.Wallpapers"], ["settings", "org.example.Wallpapers"],
    ] {
      let told = try host.albumctl(command, environment: ["LANG=zh_CN.UTF-8"]).output
      #expect(latinSentence(told) == nil, "\(command): \(told)")
      #expect(told.unicodeScalars.contains { $0.properties.isIdeographic }, "\(command): \(told)")
      let english = try host.albumctl(command).output
      #expect(!english.unicodeScalars.contains { $0.properties.isIdeographic }, "\(command): \(english)")
    }
    func shows(_ command: String..., text: String) throws {
      let told = try host.albumctl(command, environment: ["LANG=zh_TW.UTF-8"]).output
      #expect(told.contains(text), "\(command): \(told)")
    }
    try shows("albums", "--owner", text: "1 個相簿。權杖：")
    try shows("assets", "--owner", text: "1 項，共 1 項照片和影片。權杖：")
    try shows("describe", id, "--owner", text: "照片")
    try shows("apps", text: "取用和新增  部分允許")
    try shows("statistics", text: "1 項照片和影片，1 個相簿")
    try shows("describe", "nobody", "--owner", text: "沒有你可以看到的照片 nobody。")
  }

  @Test("S73: the check finds a sentence, and takes no command for one")
  func check() {
    #expect(latinSentence("albumctl: There is no asset x that you may see.") != nil)
    #expect(latinSentence("  查看有哪些：albumctl assets，所有者请加上 --owner") == nil)
    #expect(latinSentence("albumctl: 无法读取 /a/b：No such file or directory") != nil)
    #expect(latinSentence("albumctl: 没有你可以看到的照片 nobody。") == nil)
  }
}
