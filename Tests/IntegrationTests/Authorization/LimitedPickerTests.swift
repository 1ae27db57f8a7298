import AlbumAPI
import TestSupport
import Testing
import Varlink

@Suite("The limited picker (S20)", .blocking)
struct LimitedPickerTests {
  private func host() throws -> Host {
    try Host {
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("two.jpg", Photo.jpeg("two"))
    }
  }

  private typealias Picker = AuthorizationInterface.PresentLimitedPicker

  @Test("S20: it shows the selection, and answers with what is newly selected")
  func newSelection() throws {
    let host = try host()
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let agent = try host.agent()
    try app.begin(Picker.self, .init())
    let prompt = try agent.prompt()
    #expect(prompt.kind == .limitedPicker)
    #expect(prompt.selection == [one])
    #expect(prompt.choices == [.limited, .allow, .notNow])
    try agent.answer(prompt, .init(decision: .limited, assets: [one, two]))
    #expect(try app.receive(Picker.self).addedAssets == [two])
    #expect(try app.status() == .limited)
    #expect(Set(try app.assets().map(\.id)) == [one, two])
  }

  @Test("S20: it offers full access as well")
  func fullAccess() throws {
    let host = try host()
    let app = try host.app().connect()
    try host.limit(app, assets: [])
    let agent = try host.agent()
    try app.begin(Picker.self, .init())
    try agent.answer(agent.prompt(), .allow)
    #expect(try app.receive(Picker.self).addedAssets == [])
    #expect(try app.status() == .authorized)
    #expect(try app.assets().count == 2)
  }

  @Test("S11, S20: left alone, it changes nothing; an answer that does not fit leaves it open")
  func notNow() throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let app = try host.app().connect()
    try host.limit(app, assets: [one])
    let agent = try host.agent()
    try app.begin(Picker.self, .init())
    let prompt = try agent.prompt()
    #expect(throws: (any Error).self) { try agent.answer(prompt, .deny) }
    #expect(throws: (any Error).self) { try agent.answer(prompt, .init(decision: .limited)) }
    try agent.answer(prompt, .notNow)
    let reply = try app.receive(Picker.self)
    #expect(reply.addedAssets == [] && reply.putOff == true)
    #expect(try app.assets().map(\.id) == [one])
    // Of a choice that changes nothing it is not said.
    try app.begin(Picker.self, .init())
    try agent.answer(agent.prompt(), .init(decision: .limited, assets: [one]))
    #expect(try app.receive(Picker.self).putOff == nil)
  }

  @Test(
    "S20, S29: what is answered after the owner took the access back in settings grants nothing",
    arguments: [true, false])
  func takenBackMeanwhile(_ isFull: Bool) throws {
    let host = try host()
    let one = try host.owner().asset("one.jpg").id
    let app = try host.app().connect()
    try host.limit(app, assets: [])
    let agent = try host.agent()
    try app.begin(Picker.self, .init())
    let prompt = try agent.prompt()
    try host.set(.wallpapers, .denied)
    try agent.answer(prompt, .init(decision: isFull ? .allow : .limited, assets: isFull ? nil : [one]))
    #expect(try app.receive(Picker.self).addedAssets == [])
    #expect(try app.status() == .denied)
  }

  @Test(
    "S20: in any other status it does nothing and answers an empty list",
    arguments: [AuthorizationInterface.AuthorizationStatus.notDetermined, .denied, .authorized, .restricted])
  func otherStatus(_ status: AuthorizationInterface.AuthorizationStatus) throws {
    let host = try host()
    try host.bring(.wallpapers, to: status)
    let agent = try host.agent()
    let app = try host.app().connect()
    #expect(try app.call(Picker.self, .init()).addedAssets == [])
    #expect(try agent.isQuiet)
    #expect(try app.status() == status)
  }

  @Test("S14, S36: for an app that does not say what for, no prompt widens what settings let it see")
  func noDescription() throws {
    let host = try Host {
      var app = AppDescription.wallpapers
      app.describesReading = false
      try $0.describe(app)
      try $0.add("one.jpg", Photo.jpeg("one"))
    }
    try host.set(.wallpapers, .limited)
    let agent = try host.agent()
    let app = try host.app().connect()
    let error = try failure { _ = try app.call(Picker.self, .init()) }
    #expect(error.name == AuthorizationInterface.UsageDescriptionMissing.name)
    #expect(try agent.isQuiet)
  }

  @Test("S20: a new selection survives a kill of the daemon")
  func survives() throws {
    let host = try host()
    let two = try host.owner().asset("two.jpg").id
    let app = try host.app().connect()
    try host.limit(app, assets: [])
    let agent = try host.agent()
    try app.begin(Picker.self, .init())
    try agent.answer(agent.prompt(), .init(decision: .limited, assets: [two]))
    #expect(try app.receive(Picker.self).addedAssets == [two])
    try host.daemon.kill()
    try host.daemon.start()
    #expect(try host.app().connect().assets().map(\.id) == [two])
  }

  @Test(
    "S19, S22: a shared album's photo is not told as added; that an agent changed the selection is in the log"
  )
  func shared() throws {
    let host = try Host {
      $0.shared = ["Family"]
      try $0.add("one.jpg", Photo.jpeg("one"))
      try $0.add("Family/two.jpg", Photo.jpeg("two"))
    }
    let owner = try host.owner()
    let (one, two) = (try owner.asset("one.jpg").id, try owner.asset("two.jpg").id)
    let app = try host.app().connect()
    try host.limit(app, assets: [])
    let agent = try host.agent()
    try app.begin(Picker.self, .init())
    try agent.answer(agent.prompt(), .init(decision: .limited, assets: [one, two]))
    #expect(try app.receive(Picker.self).addedAssets == [one])
    try owner.begin(
      ManagerInterface.ListAccessLog.self, .init(appId: AppDescription.wallpapers.id), more: true)
    let log = try owner.receive(ManagerInterface.ListAccessLog.self)
    let told = log.entries.filter { $0.kind == .settings }
    #expect(told.map(\.detail) == ["selection"] && told.map(\.by) == [.agent])
  }
}
