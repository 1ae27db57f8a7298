import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("The automatic picker (S21)", .blocking)
struct AutomaticPickerTests {
  private func host(picksAutomatically: Bool = true) throws -> Host {
    var app = AppDescription.wallpapers
    app.picksAutomatically = picksAutomatically
    return try Host {
      try $0.describe(app)
      try $0.add("one.jpg", Photo.jpeg("one"))
    }
  }

  @Test("S21: it comes once per process, at the first access while limited, which it does not block")
  func once() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let agent = try host.agent()
    let app = try host.app()
    let connection = try app.connect()
    #expect(throws: RemoteError.self) { _ = try connection.assets() }
    #expect(try agent.isQuiet)
    try host.set(.wallpapers, .limited)
    let subscriber = try app.connect().subscribe()
    #expect(try connection.assets().isEmpty)
    let prompt = try agent.prompt()
    #expect(prompt.kind == .limitedPicker && prompt.app.id == AppDescription.wallpapers.id)
    try agent.answer(prompt, .init(decision: .limited, assets: [one]))
    #expect(try subscriber.next().inserted.map(\.id) == [one])
    // Not again, on whichever connection.
    #expect(try app.connect().assets().count == 1)
    #expect(try agent.isQuiet)
    // The app's next process is another life.
    try app.end()
    #expect(try host.app().connect().info().assetCount == 1)
    #expect(try agent.prompt().kind == .limitedPicker)
  }

  @Test("S12, S21: where nobody is there to ask, the app is served, and its next process is asked about")
  func withoutAgent() throws {
    let host = try host()
    try host.set(.wallpapers, .limited)
    let app = try host.app()
    #expect(try app.connect().assets().isEmpty)
    #expect(try app.connect().assets().isEmpty)
    let agent = try host.agent()
    try app.end()
    #expect(try host.app().connect().assets().isEmpty)
    #expect(try agent.prompt().kind == .limitedPicker)
    #expect(host.daemon.isRunning)
  }

  @Test("S21: a process that ends takes its picker along")
  func ends() throws {
    let host = try host()
    let agent = try host.agent()
    let app = try host.app()
    try host.set(.wallpapers, .limited)
    #expect(try app.connect().assets().isEmpty)
    let prompt = try agent.prompt()
    try app.end()
    #expect(try agent.withdrawal().id == prompt.id)
  }

  @Test("S13, S21: put off in one process after the other, it does not make the app wait when it asks itself")
  func putOff() throws {
    let host = try host()
    let agent = try host.agent()
    try host.set(.wallpapers, .limited)
    for _ in 0..<3 {
      let app = try host.app()
      #expect(try app.connect().assets().isEmpty)
      try agent.answer(agent.prompt(), .notNow)
      try app.end()
    }
    // Its first call is no look into the library: this picker is the one that it asks for.
    let app = try host.app()
    let connection = try app.connect()
    try connection.begin(AuthorizationInterface.PresentLimitedPicker.self, .init())
    try agent.answer(agent.prompt(), .notNow)
    #expect(try connection.receive(AuthorizationInterface.PresentLimitedPicker.self).addedAssets == [])
    try app.end()
  }

  @Test("S21: it is off unless the manifest asks, and for an app with full access")
  func off() throws {
    let silent = try host(picksAutomatically: false)
    var agent = try silent.agent()
    try silent.set(.wallpapers, .limited)
    #expect(try silent.app().connect().assets().isEmpty)
    #expect(try agent.isQuiet)

    let full = try host()
    agent = try full.agent()
    try full.set(.wallpapers, .authorized)
    #expect(try full.app().connect().assets().count == 1)
    #expect(try agent.isQuiet)
  }
}
