import Testing

@testable import AlbumClient

@Suite struct SettingsCommandTests {
  @Test("an app's id is one word, whatever is in it, and quoted only for a person who types it")
  func words() {
    let command = SettingsCommand("it's an app.service", socketPath: "/run/a b")
    #expect(
      command.words == ["env", "ALBUMD_SOCKET=/run/a b", "albumctl", "settings", "it's an app.service"])
    #expect(command.shown == #"albumctl settings 'it'\''s an app.service'"#)
    #expect(SettingsCommand("org.example.App", socketPath: "/s").shown == "albumctl settings org.example.App")
    #expect(
      SettingsCommand("a b", socketPath: "/s", shown: "as the daemon says").shown == "as the daemon says")
  }
}
