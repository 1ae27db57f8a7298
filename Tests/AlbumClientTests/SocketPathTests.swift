import Testing

@testable import AlbumClient

@Suite struct SocketPathTests {
  private func find(_ explicit: String?, _ environment: [String: String], existing: Set<String> = [])
    -> String
  {
    SocketPath.find(explicit: explicit, environment: { environment[$0] }, exists: existing.contains)
  }

  @Test("the socket: given, named by the environment, the user's, the system's")
  func order() {
    let user = "/run/user/1/albumd/io.albumd"
    let environment = ["ALBUMD_SOCKET": "/b", "XDG_RUNTIME_DIR": "/run/user/1"]
    #expect(find("/a", environment, existing: [user]) == "/a")
    #expect(find(nil, environment, existing: [user]) == "/b")
    #expect(find(nil, ["XDG_RUNTIME_DIR": "/run/user/1"], existing: [user]) == user)
    #expect(find(nil, ["XDG_RUNTIME_DIR": "/run/user/1"]) == SocketPath.system)
    #expect(find(nil, ["ALBUMD_SOCKET": "", "XDG_RUNTIME_DIR": "run"]) == SocketPath.system)
  }
}
