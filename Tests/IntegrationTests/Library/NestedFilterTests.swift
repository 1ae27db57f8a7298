import AlbumAPI
import AlbumClient
import TestSupport
import Testing
import Varlink

@Suite("Filters that nest, over the wire", .blocking, .timeLimit(.minutes(30)))
struct NestedFilterTests {
  typealias Filter = LibraryInterface.AssetFilter

  private func host() throws -> Host {
    try Host {
      $0.shared = ["Family"]
      for (name, size) in [
        ("Trip/a.jpg", 1), ("Trip/b.mp4", 2), ("Home/c.jpg", 3), ("draft.jpg", 4), ("Family/e.jpg", 5),
      ] {
        try $0.add(name, Array(repeating: 0x20, count: size))
      }
    }
  }

  private func names(_ connection: Connection, _ filter: Filter) throws -> [String] {
    let page = try connection.call(
      LibraryInterface.FetchAssets.self, .init(sort: .filename, matching: filter))
    #expect(page.total == page.assets.count)
    let all = try connection.assets().filter { filter.holds(for: $0) }
    #expect(all.map(\.id) == page.assets.map(\.id), "the client library says the same of \(filter)")
    let moments = try connection.call(
      LibraryInterface.FetchMoments.self, .init(unit: .year, matching: filter))
    #expect(moments.moments.reduce(0) { $0 + $1.count } == page.total)
    return page.assets.map(\.filename)
  }

  @Test("S92: all, any and none of other conditions, of each field")
  func nested() throws {
    let host = try host()
    let owner = try host.owner()
    let (trip, home) = (try owner.album("Trip").id, try owner.album("Home").id)
    let all = ["a.jpg", "b.mp4", "c.jpg", "draft.jpg", "e.jpg"]
    for (filter, found) in [
      (.init(), all), (.all([]), all), (.none([]), all), (.any([]), []), (.none([.any([])]), all),
      (.any([.mediaTypes([.video]), .nameContains("DRAFT")]), ["b.mp4", "draft.jpg"]),
      (.all([.albums([trip]), .none([.mediaTypes([.video])])]), ["a.jpg"]),
      (.none([.albums([trip, home]), .nameContains("draft")]), ["e.jpg"]),
      (.byteCount(2...4), ["b.mp4", "c.jpg", "draft.jpg"]), (.init(albums: [home], minByteCount: 4), []),
      (.any([.all([.albums([home])]), .all([.byteCount(1...1)])]), ["a.jpg", "c.jpg"]),
      (.albums(["videos"]), ["b.mp4"]), (.albums(["videos", home]), ["b.mp4", "c.jpg"]),
      (.none([.albums(["recents"])]), []), (.albums([]), []), (.mediaTypes([]), []), (.subtypes([]), []),
      (.albums(["no-such-id"]), []), (.createdBefore(Instant(microseconds: 0)), []),
      (.createdAfter(Instant(microseconds: 0)), all), (.subtypes([.raw]), []),
      (.none([.subtypes([.raw])]), all),
    ] as [(Filter, [String])] {
      #expect(try names(owner, filter) == found, "\(filter)")
    }
    // Together with the other parameters, which hold as well.
    let both = LibraryInterface.FetchAssets.Parameters(
      albums: [trip], mediaTypes: [.image], matching: .none([.nameContains("draft")]))
    #expect(try owner.assets(both).map(\.filename) == ["a.jpg"])
    for filter in [Filter.mediaTypes([.video]), .all([.mediaTypes([.video])])] {
      #expect(try owner.assets(.init(mediaTypes: [.image], matching: filter)).isEmpty)
      #expect(try owner.assets(.init(albums: ["videos"], matching: filter)).map(\.filename) == ["b.mp4"])
    }
    #expect(try owner.assets(.init(albums: ["videos"], mediaTypes: [.image])).isEmpty)
  }

  @Test(
    "S16, S92: who sees a part finds what it sees, and an album that it does not see is as one that there is not"
  )
  func limited() throws {
    let host = try host()
    let owner = try host.owner()
    let trip = try owner.album("Trip").id
    let app = try host.app().connect()
    try host.limit(
      app, assets: [try owner.asset("a.jpg").id, try owner.asset("e.jpg").id, try owner.asset("c.jpg").id])
    #expect(try names(app, .init()) == ["a.jpg", "c.jpg"])
    #expect(try names(app, .none([.nameContains("c.")])) == ["a.jpg"])
    for id in [trip, "no-such-id", try owner.album("Family").id] {
      #expect(try names(app, .albums([id])).isEmpty)
      #expect(try names(app, .none([.albums([id])])) == ["a.jpg", "c.jpg"])
      #expect(try names(app, .any([.albums([id]), .nameContains("c.")])) == ["c.jpg"])
    }
    #expect(try names(app, .albums(["recents"])) == ["a.jpg", "c.jpg"])
  }

  private func deep(_ depth: Int) -> Filter { (1..<depth).reduce(Filter()) { filter, _ in .none([filter]) } }

  @Test("S92: as much as there may be of a filter is taken, and more is an InvalidParameter that says where")
  func bounds() throws {
    let host = try host()
    let owner = try host.owner()
    let ids = (0..<10_001).map { "\($0)" }
    for filter in [
      deep(8), .all(Array(repeating: .init(), count: 63)),
      .init(any: [.init(albums: Array(ids.prefix(10_000)))]),
      .nameContains(String(repeating: "x", count: 255)),
    ] as [Filter] {
      _ = try owner.assets(.init(matching: filter))
    }
    let inner = String(repeating: ".none[0]", count: 8)
    for (filter, place) in [
      (deep(9), "matching\(inner)"), (.all(Array(repeating: .init(), count: 64)), "matching.all[63]"),
      (.init(albums: ids), "matching.albums"),
      (
        .any([.init(albums: Array(ids.prefix(5000))), .init(albums: Array(ids.suffix(5001)))]),
        "matching.any[1].albums"
      ),
      (.none([.nameContains(String(repeating: "é", count: 128))]), "matching.none[0].nameContains"),
    ] as [(Filter, String)] {
      let refusals = [
        try failure { _ = try owner.assets(.init(matching: filter)) },
        try failure {
          try owner.call(LibraryInterface.FetchMoments.self, .init(unit: .day, matching: filter))
        },
      ]
      for refusal in refusals { #expect(refusal.typed(InvalidParameter.self)?.parameter == place) }
    }
  }

  @Test("S92: what is no filter is refused before it is one, however deep, and the connection serves on")
  func malformed() throws {
    let host = try host()
    let owner = try host.owner()
    func refusal(_ filter: JSON) throws -> String? {
      try owner.send(LibraryInterface.FetchAssets.name, ["matching": filter])
      return try owner.receive().reply.parameters["parameter"]?.string
    }
    #expect(try refusal(["unknown": 1]) == "matching.unknown")
    #expect(try refusal(["any": [["mediaTypes": ["film"]]]]) == "matching.any[0].mediaTypes[0]")
    #expect(try refusal(["none": ["x"]]) == "matching.none[0]")
    #expect(try refusal(["createdAfter": "yesterday"])?.hasPrefix("matching") == true)
    let filter = (0..<50).reduce(JSON.object([:])) { filter, _ in ["all": [filter]] }
    #expect(try refusal(filter)?.hasPrefix("matching.all[0]") == true)
    try owner.roundTrip()
  }

  @Test(
    "an offset leaves out the first, before a page and a stream; of no effect with a cursor, and none beyond the end"
  )
  func offset() throws {
    let host = try host()
    let owner = try host.owner()
    func page(_ parameters: LibraryInterface.FetchAssets.Parameters) throws
      -> LibraryInterface.FetchAssets.Reply
    {
      try owner.call(LibraryInterface.FetchAssets.self, parameters)
    }
    let second = try page(.init(sort: .filename, limit: 2, offset: 1))
    #expect(second.assets.map(\.filename) == ["b.mp4", "c.jpg"] && second.total == 5)
    let last = try page(.init(sort: .filename, limit: 2, cursor: second.cursor, offset: 4))
    #expect(last.assets.map(\.filename) == ["draft.jpg", "e.jpg"])
    for offset in [5, 6, .max] {
      let none = try page(.init(offset: offset))
      #expect(none.assets.isEmpty && none.total == 5 && none.cursor == nil)
    }
    try owner.begin(
      LibraryInterface.FetchAssets.self, .init(sort: .filename, limit: 1, offset: 2), more: true)
    var streamed: [String] = []
    while true {
      let answer = try owner.receive()
      streamed += try answer.decoded(LibraryInterface.FetchAssets.self).assets.map(\.filename)
      if !answer.reply.continues { break }
    }
    #expect(streamed == ["c.jpg", "draft.jpg", "e.jpg"])
    let error = try failure { _ = try page(.init(offset: -1)) }
    #expect(error.typed(InvalidParameter.self)?.parameter == "offset")
    let times = try page(.init()).assets.map(\.created)
    let from = LibraryInterface.TakenIn(from: try #require(times.first))
    #expect(
      try page(.init(takenIn: from, offset: 2)).assets.map(\.id)
        == page(.init()).assets.dropFirst(2).map(\.id))
  }

  @Test("S92: albumctl takes a filter in JSON, and says what is wrong with one")
  func command() throws {
    let host = try host()
    func list(_ arguments: String...) throws -> CommandOutcome {
      try host.albumctl(
        ["assets", "--owner", "--sort", "filename"] + arguments, environment: ["LANG=C.UTF-8"])
    }
    let found = try list("--matching", #"{"any": [{"mediaTypes": ["video"]}, {"nameContains": "draft"}]}"#)
    #expect(found.status == 0 && found.output.contains("b.mp4") && found.output.contains("draft.jpg"))
    #expect(!found.output.contains("a.jpg"))
    for wrong in ["{", "[]", #"{"any": [{"x": 1}]}"#] {
      let refused = try list("--matching", wrong)
      #expect(refused.status == 2 && refused.output.contains("--matching: this is wrong: "), "\(refused)")
    }
    let rest = try list("--offset", "3", "--limit", "1")
    #expect(rest.status == 0 && rest.output.contains("draft.jpg") && !rest.output.contains("e.jpg"))
  }
}
