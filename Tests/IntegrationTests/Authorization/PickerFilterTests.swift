import AlbumAPI
import AlbumClient
import TestSupport
import Testing
import Varlink

@Suite("What a picker shows, and what is picked in it at first (S105)", .blocking, .timeLimit(.minutes(30)))
struct PickerFilterTests {
  typealias Filter = PickerInterface.PickerFilter

  private func host() throws -> Host {
    try Host {
      try $0.describeThisProcess()
      for name in ["one", "two", "three"] { try $0.add("\(name).jpg", Photo.jpeg(name)) }
      try $0.add("film.mp4", Photo.mp4)
      try $0.add("live.jpg", Photo.jpeg("live"))
      try $0.add("live.mov", Photo.mp4)
      try $0.add("Family/secret.jpg", Photo.jpeg("secret"))
      $0.shared = ["Family"]
    }
  }

  private func ids(_ host: Host, _ names: String...) throws -> [String] {
    let owner = try host.owner()
    return try names.map { try owner.asset($0).id }
  }

  /// A picker that is open.
  private func open(
    _ host: Host, _ app: Connection, _ wish: PickerInterface.Pick.Parameters
  ) throws -> (agent: Agent, prompt: AgentInterface.Prompt) {
    let agent = try host.agent()
    try app.begin(PickerInterface.Pick.self, wish)
    return (agent, try agent.prompt())
  }

  /// What is picked at first, as an agent is told it. One that may be picked is, since an app that is refused is to wait.
  private func preselected(
    _ host: Host, _ app: Connection, _ wish: PickerInterface.Pick.Parameters
  ) throws -> [String]? {
    let (agent, prompt) = try open(host, app, wish)
    let found = try host.owner().assets(
      .init(mediaTypes: prompt.mediaTypes, matching: prompt.filter?.asAssetFilter))
    try agent.answer(prompt, .init(decision: .allow, assets: found.prefix(1).map(\.id)))
    #expect(try app.receive(PickerInterface.Pick.self).items.count == 1)
    return prompt.selection
  }

  @Test("S105: an agent is told the filter, and an answer outside of it leaves the prompt open")
  func filter() throws {
    let host = try host()
    let (live, film, one) = try (
      ids(host, "live.jpg")[0], ids(host, "film.mp4")[0], ids(host, "one.jpg")[0]
    )
    let filter = Filter(
      any: [.init(mediaTypes: [.video, .livePhoto])], none: [.init(subtypes: [.screenshot])])
    let app = try host.app().connect()
    let (agent, prompt) = try open(host, app, .init(mediaTypes: [.image, .livePhoto], filter: filter))
    #expect(prompt.filter == filter && prompt.mediaTypes == [.image, .livePhoto])
    #expect(prompt.minimum == nil && prompt.selection == nil)
    // As an agent finds them: the filter and the kinds, both.
    let shown = try host.owner().assets(
      .init(mediaTypes: prompt.mediaTypes, matching: prompt.filter?.asAssetFilter))
    #expect(shown.map(\.id) == [live])
    for wrong in [film, one] {
      let error = try failure { try agent.answer(prompt, .init(decision: .allow, assets: [live, wrong])) }
      let invalid = try #require(error.typed(AgentInterface.InvalidAnswer.self))
      #expect(invalid.reason.contains("asks for"))
    }
    try agent.answer(prompt, .init(decision: .allow, assets: [live]))
    #expect(try app.receive(PickerInterface.Pick.self).items.map(\.filename) == ["live.jpg"])
  }

  @Test("S105: fewer than the minimum are refused, so many are taken, and so is none at all")
  func minimum() throws {
    let host = try host()
    let all = try ids(host, "one.jpg", "two.jpg", "three.jpg")
    let app = try host.app().connect()
    let (agent, prompt) = try open(host, app, .init(selectionLimit: 3, minimum: 2))
    #expect(prompt.minimum == 2 && prompt.selectionLimit == 3)
    // Twice in the answer is once picked.
    for few in [[all[0]], [all[0], all[0]], []] {
      let error = try failure { try agent.answer(prompt, .init(decision: .allow, assets: few)) }
      #expect(error.name == AgentInterface.InvalidAnswer.name)
    }
    try agent.answer(prompt, .init(decision: .allow, assets: [all[1], all[0]]))
    #expect(try app.receive(PickerInterface.Pick.self).items.map(\.filename) == ["two.jpg", "one.jpg"])
    let (again, other) = try open(host, app, .init(minimum: 2))
    try again.answer(other, .notNow)
    #expect(try app.receive(PickerInterface.Pick.self) == .init(items: [], inaccessibleCount: 0))
  }

  @Test(
    "S105: what the app sees is picked at first, in its order, each once, up to the limit, within the filter"
  )
  func preselected() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let all = try ids(host, "three.jpg", "film.mp4", "one.jpg", "two.jpg", "live.jpg")
    let app = try host.app().connect()
    #expect(try preselected(host, app, .init(preselected: all + all)) == all)
    #expect(try preselected(host, app, .init(selectionLimit: 2, preselected: all)) == [all[0], all[1]])
    #expect(
      try preselected(host, app, .init(selectionLimit: 2, filter: .images, preselected: all))
        == [all[0], all[2]])
    #expect(try preselected(host, app, .init(mediaTypes: [.video], preselected: all)) == [all[1]])
    let live = Filter.livePhotos
    #expect(
      try preselected(host, app, .init(mediaTypes: [.image, .livePhoto], filter: live, preselected: all))
        == [all[4]])
    #expect(try preselected(host, app, .init(preselected: [])) == nil)
    // The owner takes one away.
    let (agent, prompt) = try open(host, app, .init(preselected: [all[3], all[2]]))
    #expect(prompt.selection == [all[3], all[2]])
    try agent.answer(prompt, .init(decision: .allow, assets: [all[2]]))
    #expect(try app.receive(PickerInterface.Pick.self).items.map(\.id) == [all[2]])
  }

  @Test("S16, S105: what the app does not see is left out as what there is not, and so is what is hidden")
  func unseen() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two, secret) = try (
      ids(host, "one.jpg")[0], ids(host, "two.jpg")[0], ids(host, "secret.jpg")[0]
    )
    let named = [secret, "no-such-id", two, "", String(repeating: "f", count: 16), one]
    let app = try host.app().connect()
    // Who sees nothing has picked nothing.
    #expect(try preselected(host, app, .init(preselected: named)) == nil)
    try host.limit(app, assets: [one, secret])
    #expect(try preselected(host, app, .init(preselected: named)) == [one])
    try owner.call(LibraryInterface.SetHidden.self, .init(ids: [one], hidden: true))
    #expect(try preselected(host, app, .init(preselected: named)) == nil)
    try host.set(.wallpapers, .authorized)
    #expect(try preselected(host, app, .init(preselected: named)) == [secret, two])
    try host.set(.wallpapers, .denied)
    #expect(try preselected(host, app, .init(preselected: named)) == nil)
  }

  @Test("S105: what was picked at first and has gone can still be answered, and is not counted")
  func gone() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let all = try ids(host, "one.jpg", "two.jpg", "three.jpg")
    let app = try host.app().connect()
    let (agent, prompt) = try open(host, app, .init(preselected: [all[0], all[1]], minimum: 2))
    let subscriber = try host.owner().subscribe()
    try host.library.remove("one.jpg")
    #expect(try subscriber.next().removed == [all[0]])
    let error = try failure {
      try agent.answer(prompt, .init(decision: .allow, assets: [all[0], all[1]]))
    }
    #expect(error.typed(AgentInterface.InvalidAnswer.self)?.reason.hasPrefix("1 assets are picked") == true)
    try agent.answer(prompt, .init(decision: .allow, assets: all))
    #expect(try app.receive(PickerInterface.Pick.self).items.map(\.id) == [all[1], all[2]])
  }

  @Test("S105: what no app should send is an InvalidParameter, and nobody is asked")
  func bounds() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app().connect()
    let deep = (0..<8).reduce(Filter()) { filter, _ in .init(none: [filter]) }
    for (wish, parameter) in [
      (.init(filter: deep), "filter" + String(repeating: ".none[0]", count: 8)),
      (.init(selectionLimit: 2, minimum: 3), "minimum"), (.init(minimum: -1), "minimum"),
      (.init(minimum: PickerInterface.mostItems + 1), "minimum"),
      (.init(preselected: Array(repeating: "x", count: PickerInterface.mostPreselected + 1)), "preselected"),
    ] as [(PickerInterface.Pick.Parameters, String)] {
      let error = try failure { try app.call(PickerInterface.Pick.self, wish) }
      #expect(error.typed(InvalidParameter.self)?.parameter == parameter)
    }
    for (filter, parameter) in [
      (["isFavorite": true], "filter.isFavorite"), (["albums": ["x"]], "filter.albums"),
      (["any": [["subtypes": ["film"]]]], "filter.any[0].subtypes[0]"),
    ] as [(JSON, String)] {
      try app.send(PickerInterface.Pick.name, ["filter": filter])
      #expect(try app.receive().reply.parameters["parameter"]?.string == parameter)
    }
    #expect(try agent.isQuiet)
  }

  @Test("S105: the client library says it as PhotoKit does")
  func client() async throws {
    let host = try host()
    try host.set(.client, .authorized)
    let all = try ids(host, "live.jpg", "one.jpg", "film.mp4")
    let library = PhotoLibrary(socketPath: host.library.socket)
    let agent = try host.agent()
    async let picking = library.pick(
      filter: .any(of: [.videos, .all(of: [.images, .not(.livePhotos), .not(.screenshots)])]),
      preselected: all, minimum: 2)
    let prompt = try agent.prompt()
    #expect(prompt.selection == [all[1], all[2]] && prompt.minimum == 2)
    try agent.answer(prompt, .init(decision: .allow, assets: [all[2], all[1]]))
    #expect(try await picking.map(\.localIdentifier) == [all[2], all[1]])
    let error = await #expect(throws: AlbumError.self) {
      try await library.pick(selectionLimit: 1, minimum: 2)
    }
    #expect(error?.code == .invalidParameter)
  }

  @Test("S105: albumctl pick takes a filter in JSON, a minimum and what is picked at first")
  func command() throws {
    let host = try host()
    try host.set(.wallpapers, .authorized)
    let all = try ids(host, "two.jpg", "one.jpg")
    let agent = try host.agent()
    let command = try host.begin(
      [
        "pick", "--filter", #"{"none": [{"mediaTypes": ["video"]}]}"#, "--minimum", "2", "--preselect",
        all[0], "--preselect", all[1],
      ], as: .wallpapers)
    let prompt = try agent.prompt()
    #expect(prompt.filter == .init(none: [.init(mediaTypes: [.video])]))
    #expect(prompt.minimum == 2 && prompt.selection == all)
    try agent.answer(prompt, .init(decision: .allow, assets: all))
    let picked = try command.outcome()
    #expect(picked.status == 0 && picked.lines == ["\(all[0])  two.jpg", "\(all[1])  one.jpg"])
    let refused = try host.albumctl("pick", "--filter", #"{"albums": ["x"]}"#)
    #expect(refused.status == 2 && refused.output.contains("--filter: this is wrong: "))
  }
}
