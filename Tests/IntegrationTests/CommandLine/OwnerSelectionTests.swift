import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("albumctl selection, purge and reset", .blocking)
struct OwnerSelectionTests {
  private func host() throws -> Host {
    try Host {
      try $0.add("Trip/one.jpg", Photo.jpeg("one"))
      try $0.add("IMG_1.HEIC", Photo.jpeg("two"))
      try $0.add("IMG_1.MOV", Photo.mp4)
    }
  }

  @Test(
    "S17, S19: what is selected is one table; of a selected album the app sees what is in it, and not itself")
  func selection() throws {
    let host = try host()
    let owner = try host.owner()
    let (trip, live) = (try owner.album("Trip").id, try owner.asset("IMG_1.HEIC").id)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [live], albums: [trip])
    let shown = try host.albumctl("selection", AppDescription.wallpapers.id)
    #expect(shown.status == 0)
    let rows = shown.lines.prefix(3)
    #expect(
      rows.map { $0.split(separator: " ").map(String.init) } == [
        ["ID", "KIND", "NAME"], [trip, "album", "Trip"], [live, "livePhoto", "IMG_1.HEIC"],
      ])
    let columns = rows.map { row in row.count - (row.split(separator: " ").last?.count ?? 0) }
    #expect(Set(columns).count == 1, "\(shown.output)")

    let seen = try host.albumctl("assets", "--sort", "filename", as: .wallpapers)
    #expect(seen.output.contains("one.jpg") && seen.output.contains("2 of 2 assets"))
    #expect(try host.albumctl("albums", as: .wallpapers).output.hasPrefix("0 albums."))
  }

  @Test("how long a decision holds is said once")
  func forAndUntil() throws {
    let host = try host()
    let outcome = try host.albumctl(
      "allow", AppDescription.wallpapers.id, "--for", "2h", "--until", "2099-01-01")
    #expect(outcome.status == 2 && outcome.output.contains("--for or --until"), "\(outcome.output)")
    #expect(try host.app().connect().status() == .notDetermined)
    #expect(try host.albumctl("allow", AppDescription.wallpapers.id, "--for", "2h").status == 0)
  }

  @Test("S11, S20: a picker that the owner puts off is no success, and says so")
  func managePutOff() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    try host.set(.wallpapers, .limited)
    let agent = try host.agent()
    for (answer, status, text) in [
      (.init(decision: .notNow), 5, "put it off"), (.init(decision: .limited, assets: [one]), 0, one),
    ] as [(AgentInterface.Answer, CInt, String)] {
      let command = try host.begin(["manage"], as: .wallpapers)
      try agent.answer(agent.prompt(), answer)
      let outcome = try command.outcome()
      #expect(outcome.status == status && outcome.output.contains(text), "\(outcome.output)")
    }
  }

  @Test("purge and reset are about everything with --all only, and ask nobody off a terminal")
  func everything() throws {
    let host = try host()
    try host.set(.wallpapers, .denied)
    let owner = try host.owner()
    let one = try owner.asset("one.jpg").id
    try owner.call(LibraryInterface.DeleteAssets.self, .init(ids: [one]))
    for command in ["purge", "reset"] {
      let outcome = try host.albumctl(command)
      #expect(outcome.status == 2 && outcome.output.contains("--all"), "\(outcome.output)")
    }
    #expect(try host.app().connect().status() == .denied)
    #expect(try host.albumctl("purge", "--all").lines == ["1 asset removed."])
    #expect(try host.albumctl("reset", "--all").status == 0)
    #expect(try host.app().connect().status() == .notDetermined)
  }
}
