import AlbumAPI
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("A broken configuration (S38)", .blocking)
struct ConfigurationTests {
  /// A file of the configuration directory, its text, and the line that must be named.
  struct Broken: CustomTestStringConvertible, Sendable {
    let file: String
    let text: String
    let line: Int
    var testDescription: String { "\(file): \(text)" }
  }

  private static let broken = [
    Broken(file: "albumd.yaml", text: "roots:\n  - path: /srv/photos\nowner: {}\n", line: 3),
    Broken(file: "albumd.yaml", text: "roots: /srv/photos\n", line: 1),
    Broken(file: "albumd.yaml", text: "roots:\n  - path: photos\n", line: 2),
    Broken(
      file: "albumd.yaml", text: "roots:\n  - path: /srv/photos\nlimits: {messageBytes: many}\n", line: 3),
    Broken(file: "albumd.yaml", text: "roots:\n  - path: /a\n  - path: [\n", line: 4),
    Broken(
      file: "apps.d/org.example.X.yaml", text: "name: {en: X}\nidentity: {executible: /bin/x}\n", line: 2),
    Broken(file: "apps.d/org.example.X.yaml", text: "name: {en: X}\n", line: 1),
    Broken(file: "policies.d/p.yaml", text: "effect: forbid\napps: [\"*\"]\n", line: 1),
    Broken(
      file: "policies.d/p.yaml", text: "effect: restrict\napps: [\"*\"]\nusers: [no-such-user]\n", line: 3),
  ]

  private func run(_ broken: Broken, _ arguments: [String]) throws -> (ChildProcess.Exit, String) {
    let library = try TemporaryLibrary()
    try library.configure()
    try library.write("\(library.directory)/\(broken.file)", broken.text)
    let exit = try DaemonProcess.spawn(library, arguments).wait()
    let place = "\(library.directory)/\(broken.file):\(broken.line):"
    return (exit, library.logText.contains(place) ? "" : "expected \(place) in\n\(library.logText)")
  }

  @Test("S38: --check-config names file and line, and exits 1", arguments: broken)
  func check(broken: Broken) throws {
    let (exit, problem) = try run(broken, ["--check-config"])
    #expect(exit == .status(1))
    #expect(problem.isEmpty, "\(problem)")
  }

  @Test(
    "S38: at start the daemon refuses to run, likewise, where it is not a manifest",
    arguments: broken.filter { !$0.file.hasPrefix("apps.d") })
  func start(broken: Broken) throws {
    let (exit, problem) = try run(broken, [])
    #expect(exit == .status(1))
    #expect(problem.isEmpty, "\(problem)")
  }

  @Test("S38: a bad manifest costs that app alone, at start and at reload, and everybody is told")
  func badManifest() throws {
    let bad = "name: {en: X}\nidentity: {executible: /bin/x}\n"
    let host = try Host { try $0.write("\($0.directory)/apps.d/org.example.X.yaml", bad) }
    let file = "\(host.library.directory)/apps.d/org.example.X.yaml"
    #expect(host.daemon.log.contains("\(file):2:"))
    let app = try host.app().connect()
    let owner = try host.connect()
    let found = try owner.call(ManagerInterface.Check.self, .init()).findings
    #expect(found.contains { $0.severity == .error && $0.subject.hasPrefix("\(file):2:") })
    // Of a reload, its former text counts: the app is who it was.
    let wallpapers = "\(host.library.directory)/apps.d/\(AppDescription.wallpapers.id).yaml"
    try host.library.write(wallpapers, "name: {en: Broken}\n")
    try owner.call(ManagerInterface.Reload.self, .init())
    #expect(host.daemon.log.contains("\(wallpapers):1:"))
    #expect(try app.call(AuthorizationInterface.WhoAmI.self, .init()).identity.manifest == wallpapers)
    // At the next start there is no former text.
    try host.daemon.restart()
    #expect(
      try host.app().connect().call(AuthorizationInterface.WhoAmI.self, .init()).identity.manifest == nil)
  }

  @Test("--check-config of a right configuration exits 0 and says nothing")
  func right() throws {
    let library = try TemporaryLibrary()
    try library.configure()
    #expect(try DaemonProcess.spawn(library, ["--check-config"]).wait() == .status(0))
    #expect(library.logText.isEmpty)
  }

  @Test("a configuration that is not there is named")
  func missing() throws {
    let library = try TemporaryLibrary()
    #expect(try DaemonProcess.spawn(library, ["--check-config"]).wait() == .status(1))
    #expect(library.logText.contains(library.configuration))
  }

  @Test("S38: SIGHUP keeps the running configuration and says so")
  func hangup() throws {
    let host = try Host { try $0.policy("children", "effect: restrict\napps: [\"*\"]\n") }
    let app = try host.app().connect()
    #expect(try app.status() == .restricted)
    try host.library.policy("children", "effect: restrict\napps: [\"*\"]\nreasons: {}\n")
    try host.daemon.reload()
    #expect(host.daemon.log.contains("\(host.library.directory)/policies.d/children.yaml:3:"))
    #expect(host.daemon.log.contains("the running configuration is kept"))
    #expect(try app.status() == .restricted)
    try host.library.removePolicy("children")
    try host.daemon.reload()
    #expect(try app.status() == .notDetermined)
  }

  @Test("S38: a file that cannot be read is an error, at start and at reload")
  func unreadable() throws {
    let library = try TemporaryLibrary()
    try library.configure()
    let file = "\(library.directory)/policies.d/x.yaml"
    #expect(mkfifo(file, 0o600) == 0)
    #expect(try DaemonProcess.spawn(library, []).wait() == .status(1))
    #expect(library.logText.contains("\(file):1:"))

    let host = try Host()
    let app = try host.app().connect()
    let late = "\(host.library.directory)/policies.d/late.yaml"
    #expect(mkfifo(late, 0o600) == 0)
    let error = try failure { try host.connect().call(ManagerInterface.Reload.self, .init()) }
    let errors = try #require(error.typed(ManagerInterface.InvalidConfiguration.self)).errors
    #expect(errors.count == 1 && errors[0].contains("\(late):1:"), "\(errors)")
    #expect(try app.status() == .notDetermined)
  }

  @Test("S38: Reload answers with every error")
  func reload() throws {
    let host = try Host()
    let owner = try host.connect()
    try owner.call(ManagerInterface.Reload.self, .init())
    try host.library.policy("a", "effect: x\napps: [\"*\"]\n")
    try host.library.policy("b", "effect: y\napps: [\"*\"]\n")
    let error = try failure { try owner.call(ManagerInterface.Reload.self, .init()) }
    let errors = try #require(error.typed(ManagerInterface.InvalidConfiguration.self)).errors
    #expect(errors.count == 2)
    #expect(errors.contains { $0.contains("policies.d/a.yaml:1:") })
    #expect(errors.contains { $0.contains("policies.d/b.yaml:1:") })
    try owner.roundTrip()
  }
}
