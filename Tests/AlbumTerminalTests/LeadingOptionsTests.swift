import AlbumTerminal
import Testing

@Suite struct LeadingOptionsTests {
  @Test(
    "what every command takes may stand before it",
    arguments: [
      (["--json", "status"], ["status", "--json"]),
      (["--socket", "/s", "status"], ["status", "--socket", "/s"]),
      (
        ["--socket=/s", "--json", "album", "create", "A"], ["album", "create", "A", "--socket=/s", "--json"]
      ),
      (["--json", "open", "--", "-id"], ["open", "--json", "--", "-id"]),
    ])
  func moved(arguments: [String], expected: [String]) {
    #expect(LeadingOptions.behindCommand(arguments) == expected)
  }

  @Test(
    "what is said otherwise is the parser's",
    arguments: [
      [], ["status", "--json"], ["--help"], ["--json"], ["--json", "--version"], ["--socket"],
      ["--socket", "status"],
      ["--level", "addOnly", "status"], ["help", "status"],
    ])
  func same(arguments: [String]) {
    #expect(LeadingOptions.behindCommand(arguments) == arguments)
  }
}
