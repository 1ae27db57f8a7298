import AlbumAPI
import Foundation
import TestSupport
import Testing
import Varlink

@Suite("How long a grant holds", .blocking)
struct DurationTests {
  private func grant(_ host: Host, _ app: Connection, _ answer: AgentInterface.Answer) throws {
    let agent = try host.agent()
    try app.beginRequest()
    try agent.answer(agent.prompt(), answer)
    #expect(try app.requestReply().status == .authorized)
  }

  private func now() -> Instant {
    Instant(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000))
  }

  @Test("S10: until exit ends with the process, for others of the app at once")
  func untilExit() throws {
    let host = try Host()
    let (granted, other) = (try host.app(), try host.app())
    let monitor = try other.connect()
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in 1...2 {
      #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .notDetermined)
    }
    try grant(host, granted.connect(), .init(decision: .allow, duration: .untilExit))
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .authorized)
    try granted.end()
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .notDetermined)
    #expect(try other.connect().status() == .notDetermined)
  }

  @Test("S10: until exit holds through a restart of the daemon while the process lives")
  func untilExitRestart() throws {
    let host = try Host()
    let app = try host.app()
    try grant(host, app.connect(), .init(decision: .allow, duration: .untilExit))
    try host.daemon.restart()
    #expect(try app.connect().status() == .authorized)
    try host.daemon.kill()
    try app.end()
    try host.daemon.start()
    #expect(try host.app().connect().status() == .notDetermined)
  }

  @Test("S10: a grant until a time says when it ends")
  func saysWhen() throws {
    let host = try Host()
    let app = try host.app().connect()
    let end = Instant(microseconds: now().microseconds + 3_600_000_000)
    try grant(host, app, .init(decision: .allow, duration: .until, expires: end))
    let reply = try app.call(AuthorizationInterface.GetStatus.self, .init(accessLevel: .readWrite))
    #expect(reply.status == .authorized && reply.expires == end)
  }

  @Test("S4, S10: a grant until a time ends then, and who watches is told")
  func untilTime() throws {
    let host = try Host()
    let process = try host.app()
    let (app, monitor) = (try process.connect(), try process.connect())
    // From before the grant on: nothing that is told of it is missed, however late that is.
    try monitor.begin(AuthorizationInterface.Monitor.self, .init(), more: true)
    for _ in 1...2 { _ = try monitor.receive(AuthorizationInterface.Monitor.self) }
    try host.set(.wallpapers, .authorized)
    #expect(try monitor.receive(AuthorizationInterface.Monitor.self).status == .authorized)
    let end = Instant(microseconds: now().microseconds + 1_500_000)
    try host.set(.wallpapers, .authorized, expires: end)
    var told = AuthorizationInterface.AuthorizationStatus.authorized
    while told == .authorized { told = try monitor.receive(AuthorizationInterface.Monitor.self).status }
    #expect(told == .notDetermined && now() >= end)
    #expect(try app.status() == .notDetermined)
  }

  @Test("S10: a time that has passed, or contradicts the duration, is no answer")
  func invalid() throws {
    let host = try Host()
    let agent = try host.agent()
    let app = try host.app().connect()
    try app.beginRequest()
    let prompt = try agent.prompt()
    let past = Instant(microseconds: 1)
    let future = Instant(microseconds: now().microseconds + 3_600_000_000)
    for answer in [
      AgentInterface.Answer(decision: .allow, duration: .until),
      .init(decision: .allow, duration: .until, expires: past),
      .init(decision: .allow, duration: .always, expires: future),
      .init(decision: .notNow, duration: .always),
      .init(decision: .allow, assets: []),
    ] {
      let error = try failure { try agent.answer(prompt, answer) }
      #expect(error.name == AgentInterface.InvalidAnswer.name, "\(answer)")
    }
    try agent.answer(prompt, .init(decision: .allow, expires: future))
    #expect(try app.requestReply().status == .authorized)
  }
}
