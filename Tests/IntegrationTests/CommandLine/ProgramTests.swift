import AlbumAPI
import Glibc
import Linux
import TestSupport
import Testing
import Varlink
import VarlinkTransport

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

  @Test("S61: page prints its link as an object, and so what goes wrong")
  func page() throws {
    struct Link: Decodable { var link: String }
    struct Missing: Error {}
    let host = try Host()
    let failed = try host.albumctl("page", "--print", "--json", "--entry", "/nowhere")
    #expect(failed.status == 1)
    #expect(try failed.object(Failure.self).error == "io.albumd.client.failed")
    let path = "\(host.library.directory)/entry"
    let listener = try UnixSocket.listen(at: path)
    for options in [[], ["--print"], ["--qr"]] {
      let command = try host.begin(["page", "--json", "--entry", path] + options)
      var waits = [pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)]
      let ready = poll(&waits, 1, 60_000)
      try #require(ready == 1)
      let answer = "http://127.0.0.1:8465/enter?code=x\n"
      guard let peer = try UnixSocket.accept(from: listener.number) else { throw Missing() }
      let written = write(peer.number, answer, answer.utf8.count)
      #expect(written == answer.utf8.count)
      // Its end is the end of the answer.
      _ = consume peer
      let told = try command.outcome()
      #expect(told.status == 0 && told.lines.count == 1, "\(told.output)")
      #expect(try told.object(Link.self).link == "http://127.0.0.1:8465/enter?code=x")
    }
  }
}
