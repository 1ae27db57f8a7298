import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("Calls that name many assets", .blocking)
struct ManyNamesTests {
  @Test("R6: while ten thousand names of a limited app are looked up, others are answered")
  func limited() throws {
    let host = try Host { try $0.add("one.jpg", Photo.jpeg("one")) }
    let one = try #require(try host.owner().assets().first?.id)
    try host.set(.wallpapers, .limited)
    try host.select(.replace, assets: [one])
    let app = try host.app().connect()
    let other = try host.owner()
    let ids = (1..<10_000).map { "no-such-\($0)" } + [one]
    // Whoever is answered first may be seen first only now and then.
    for _ in 0..<100 {
      try app.begin(LibraryInterface.FetchAssets.self, .init(ids: ids))
      try other.roundTrip()
      let isWaiting = app.isQuiet
      let reply = try app.receive(LibraryInterface.FetchAssets.self)
      #expect(reply.assets.map(\.id) == [one])
      if isWaiting { return }
    }
    Issue.record("each time all of them were looked up first")
  }
}
