import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("albumctl for programs: --json everywhere, and what an administrator sees", .blocking)
struct ProgramTests {
  /// What `--json` prints of a failure.
  private struct Failure: Decodable {
    var error: String
  }

  @Test(
    "S45: info is of the whole library for who may act as its owner, and of what an app may see for an app")
  func info() throws {
    let host = try Host { try $0.add("Trip/a.jpg") }
    let owners = try host.albumctl("info", "--json").object(LibraryInterface.GetInfo.Reply.self)
    #expect(owners.assetCount == 1 && owners.albumCount == 1 && !owners.token.isEmpty)
    let same = try host.albumctl("info", "--json", "--owner").object(LibraryInterface.GetInfo.Reply.self)
    #expect(same.assetCount == 1)
    let apps = try host.albumctl("info", "--json", as: .wallpapers).object(
      LibraryInterface.GetInfo.Reply.self)
    #expect(apps.assetCount == 0 && apps.albumCount == 0)
    #expect(try host.albumctl("info", "--owner", as: .wallpapers).status == 3)
  }

  @Test("what there is not has the same name to a program, whichever command looks for it")
  func unknown() throws {
    let host = try Host()
    try host.set(.wallpapers, .limited)
    let app = AppDescription.wallpapers.id
    func fails(_ command: String..., named name: String) throws {
      let told = try host.albumctl(command + ["--json"])
      #expect(told.status == 1, "\(command): \(told.output)")
      #expect(try told.object(Failure.self).error == name, "\(command): \(told.output)")
    }
    let noAsset = LibraryInterface.NoSuchAsset.name
    try fails("open", "nothing", "-o", "/dev/null", "--owner", named: noAsset)
    try fails("describe", "nothing", "--owner", named: noAsset)
    try fails("limit", app, "nothing", named: noAsset)
    try fails("selection", app, "--add", "nothing", named: noAsset)
    let noApp = ManagerInterface.NoSuchApp.name
    for command in ["allow", "deny", "settings", "selection"] {
      try fails(command, "no.such.app", named: noApp)
    }
    // A person is told that it might have been an album.
    #expect(try host.albumctl("limit", app, "nothing").output.contains("asset or album nothing"))
  }

  @Test("what every command takes may stand before it")
  func leadingOptions() throws {
    let host = try Host()
    let behind = try host.albumctl("status", "--json")
    #expect(behind.status == 0 && behind.lines.count == 2)
    #expect(try host.albumctl("--json", "status").output == behind.output)
    let before = try host.albumctl(["--socket", host.library.socket, "albums", "--owner"])
    #expect(before.status == 0, "\(before.output)")
    let wrong = try host.albumctl("--socket", "/no/such/socket", "--json", "albums")
    #expect(wrong.status == 1 && wrong.output.hasPrefix("{"), "\(wrong.output)")
    #expect(try host.albumctl("--json", "no-such-command").status == 2)
  }
}
