import AlbumTerminal
import Testing
import Words

@Suite("S62: how an app is known, in the person's language")
struct EvidenceTests {
  @Test(
    "S62: each kind has a name in it",
    arguments: [
      ("executable /usr/bin/a b", "executable /usr/bin/a b", "程序文件 /usr/bin/a b"),
      ("flatpak org.example.App", "Flatpak org.example.App", "Flatpak 应用 org.example.App"),
      ("snap app", "snap app", "Snap 应用 app"), ("unit a.service", "system unit a.service", "系统服务 a.service"),
      ("userUnit a.service", "user unit a.service", "用户服务 a.service"),
      ("sandbox 4026531840", "sandbox 4026531840", "沙盒 4026531840"),
    ])
  func translated(_ told: String, english: String, chinese: String) {
    #expect(Words.english.evidence(told) == english)
    #expect(Words.matching(["zh-CN"]).evidence(told) == chinese)
  }

  @Test(
    "S62: of a kind that is not known it is said as it is told",
    arguments: ["", "executable", "vm x", " /bin/x"])
  func unknown(_ told: String) { #expect(Words.matching(["zh-CN"]).evidence(told) == told) }
}
