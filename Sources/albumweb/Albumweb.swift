internal import AlbumWeb
internal import ArgumentParser
internal import Glibc
internal import Linux
internal import Logging
internal import Notifications

/// The owner's page (S60): prompts, pickers and settings in a browser.
@main
struct Albumweb: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albumweb",
    abstract: "Serve the owner's page: prompts, pickers and settings in a browser.",
    discussion: """
      Runs as an owner of the photo library and speaks to the daemon as albumctl does. `albumctl page` prints the \
      link that lets a browser in.
      """)

  @Option(help: ArgumentHelp("The daemon's socket.", valueName: "path"))
  var socket: String?

  @Option(
    help: ArgumentHelp(
      """
      Where to listen: 127.0.0.1:PORT, [::1]:PORT or unix:PATH, and with a certificate any address of this computer. Port 0 \
      is any free one, and the usual one gives way to it.
      """,
      valueName: "address"))
  var listen: String?

  @Option(
    help: ArgumentHelp(
      "How browsers call the page, or the web server before it, such as https://photos.example.org.",
      valueName: "address"))
  var origin: String?

  @Option(
    help: ArgumentHelp(
      "As whom that web server runs: with --listen unix:PATH it may connect, besides this user and root.",
      valueName: "user"))
  var webServer: String?

  @Option(
    help: ArgumentHelp(
      "The certificate of --origin and what it follows from (PEM): with one, the page may listen where others reach it.",
      valueName: "path"))
  var certificate: String?

  @Option(help: ArgumentHelp("The key of --certificate (PEM, without a passphrase).", valueName: "path"))
  var key: String?

  @Option(help: ArgumentHelp("Where sessions are kept.", valueName: "directory"))
  var state: String?

  @Option(help: ArgumentHelp("The socket at which albumctl page asks.", valueName: "path"))
  var entry: String?

  func run() throws {
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)
    // This thread alone waits for what ends the program; those that it starts are not sent it.
    var ends = sigset_t()
    sigemptyset(&ends)
    for number in [SIGTERM, SIGINT] { sigaddset(&ends, number) }
    pthread_sigmask(SIG_BLOCK, &ends, nil)
    let serve = try service()
    Task.onLoops {
      do {
        try await serve()
        Self.exit()
      } catch { Self.exit(withError: error) }
    }
    var number: CInt = 0
    sigwait(&ends, &number)
    // Nothing is left to be done: what is under way ends with the program.
    Self.exit()
  }

  /// What the command line asks for, not begun yet.
  private func service() throws -> @Sendable () async throws -> Void {
    let address: ListenAddress
    do throws(ListenAddress.Problem) {
      address = try ListenAddress(listen ?? "127.0.0.1:7575", hasCertificate: certificate != nil)
    } catch { throw ValidationError(error.description) }
    var names: SiteNames?
    if let origin {
      names = SiteNames(origin: origin)
      if names == nil { throw ValidationError("\(origin) is no address such as https://photos.example.org.") }
    } else if case .unix = address {
      throw ValidationError("A page at a Unix socket needs --origin: how the web server before it is called.")
    }
    let certified = try readCertificate(for: address, names)
    var webServerUser: UInt32?
    if let webServer {
      guard case .unix = address else { throw ValidationError("--web-server is for --listen unix:PATH.") }
      guard let entry = getpwnam(webServer) else { throw ValidationError("There is no user \(webServer).") }
      webServerUser = entry.pointee.pw_uid
    }
    let places = Places(state: state, entry: entry)
    return { [socket, names, webServerUser, certified, gives = listen == nil] in
      let kept = SessionFile(directory: places.state)
      let desk = Desk(sessions: kept)
      let daemon = Daemon(socket: socket)
      // One after the other, in their order.
      let (news, line) = AsyncStream.makeStream(of: AgentLink.News.self)
      let agent = try AgentLink(socket: socket) { line.yield($0) }
      Task.onLoops { for await one in news { await desk.take(one) } }
      let log = try LogLink(socket: socket) { Task.onLoops { await desk.logChanged() } }
      let settings = try SettingsLink(socket: socket)
      await desk.start(agent, log, settings)
      try await Self.start(desk, entry: places.entry)
      let server = WebServer(
        address: address, gives: gives, names: names, label: kept.hostLabel(), entryPath: places.entry,
        webServer: webServerUser, certificate: certified, settings: settings,
        isEntryUsual: places.isEntryUsual,
        site: Site(desk: desk, daemon: daemon))
      try await server.run()
    }
  }

  private func readCertificate(for address: ListenAddress, _ names: SiteNames?) throws -> ServerCertificate? {
    guard let certificate, let key else {
      if certificate == nil, key == nil { return nil }
      throw ValidationError("--certificate and --key belong together.")
    }
    if case .unix = address {
      throw ValidationError(
        "--certificate is for an address: at a Unix socket the web server before the page has it.")
    }
    guard names?.isSecure == true else {
      throw ValidationError(
        "A page with a certificate needs --origin: the address that it is for, such as https://photos.example.org:7575."
      )
    }
    do throws(ServerCertificate.Problem) { return try ServerCertificate(chain: certificate, key: key) } catch
    {
      throw ValidationError(error.description)
    }
  }

  /// Prompts on the desktop as well, where there is one.
  private static func start(_ desk: Desk, entry: String?) async throws {
    guard let address = SessionBus.address else { return }
    let (news, line) = AsyncStream.makeStream(of: Notifications.News.self)
    let desktop = try Notifications(address: address) { line.yield($0) }
    Task.onLoops { for await one in news { await desk.take(one, entry: entry) } }
    await desk.start(desktop)
  }
}

/// Where the page keeps what it keeps.
struct Places: Sendable {
  /// A directory for the sessions; nil where there is none, and they end with the program.
  let state: String?
  /// The socket at which albumctl asks for a link.
  let entry: String?
  /// Whether that is where albumctl, started by the desktop of this user, looks by itself.
  let isEntryUsual: Bool

  /// What was said, else what systemd says (systemd.exec(5)), else what the XDG Base Directory Specification says.
  init(state: String?, entry: String?) {
    func variable(_ name: String) -> String? {
      getenv(name).map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    self.state =
      state ?? variable("STATE_DIRECTORY") ?? variable("XDG_STATE_HOME").map { $0 + "/albumweb" }
      ?? variable("HOME").map { $0 + "/.local/state/albumweb" }
    self.entry =
      entry ?? variable("RUNTIME_DIRECTORY").map { $0 + "/entry" }
      ?? variable("XDG_RUNTIME_DIR").map { $0 + "/albumweb/entry" }
    isEntryUsual =
      self.entry != nil && self.entry == variable("XDG_RUNTIME_DIR").map { $0 + "/albumweb/entry" }
  }
}
