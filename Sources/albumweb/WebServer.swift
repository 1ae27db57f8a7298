internal import AlbumAPI
internal import AlbumWeb
internal import Glibc
internal import HummingbirdCore
internal import HTTPTypes
internal import Linux
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle

/// The HTTP side of the page: what is accepted, how much of it, and for how long.
///
/// No Hummingbird `Application`: that one wakes up every second to know the date.
struct WebServer {
  let address: ListenAddress
  /// Whether another port will do where this one is taken.
  let gives: Bool
  /// How the page is called, where that does not follow from the address.
  let names: SiteNames?
  /// A part of its name that nobody guesses, where that does.
  let label: HostLabel
  let entryPath: String?
  /// As whom the web server before the page runs; nil where there is none.
  let webServer: UInt32?
  /// What is shown to browsers; nil where they come by HTTP alone.
  let certificate: ServerCertificate?
  /// Tells the daemon where settings are opened.
  let settings: SettingsLink
  /// Whether the desktop's albumctl finds the entry socket by itself.
  let isEntryUsual: Bool
  let site: Site
  /// How long a request's head may take to arrive, and a connection may have none.
  private static let patience = TimeAmount.seconds(15)
  /// How long whoever asked may take to read the answer.
  private static let readingPatience = TimeAmount.seconds(60)

  func run() async throws {
    do { try await serve(address) } catch let error as IOError where error.errnoCode == EADDRINUSE && gives {
      guard case .loopback(let host, _) = address else { throw error }
      try await serve(.loopback(host: host, port: 0))
    }
  }

  private func serve(_ address: ListenAddress) async throws {
    var logger = Logger(label: "albumweb") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let bind: BindAddress =
      switch address {
      case .unix(let path): .unixDomainSocket(path: path)
      case .loopback(let host, let port), .network(let host, let port): .hostname(host, port: port)
      }
    var isOpen = false
    if case .network = address { isOpen = true }
    // More wait to be looked at than have a place (``ConnectionSlots``): who gets none is sent away at once.
    let configuration = ServerConfiguration(
      address: bind, backlog: 1024, availableConnectionsDelegate: MaximumAvailableConnections(256))
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 64)
    let site = site
    let door = Door(webServer: webServer, isOpen: isOpen)
    let service = try HTTPServerBuilder { responder in
      GuardedChannel(
        door: door, certificate: certificate,
        channel: HTTP1Channel(
          responder: responder,
          configuration: .init(idleTimeout: Self.patience, httpDecoderConfiguration: decoder)))
    }.buildServer(
      configuration: configuration, eventLoopGroup: LoopTasks.loops, logger: logger
    ) { request, writer, channel in
      try await Self.answer(request, by: site, door, writer, channel)
    } onServerRunning: { channel in
      await running(channel)
    }
    try await service.run()
  }

  private static func answer(
    _ request: Request, by site: Site, _ door: Door, _ writer: consuming ResponseWriter,
    _ channel: any Channel
  ) async throws {
    let response = await site.respond(to: request) { door.know(channel) }
    var head = response.head
    // What is left of a body is not waited for: it may have no end.
    let hasBody =
      request.headers[.transferEncoding] != nil || (request.headers[.contentLength] ?? "0") != "0"
    if hasBody { head.headerFields[.connection] = "close" }
    // A live page's answer ends with the page; who does not read another one is sent away.
    var deadline: Scheduled<Void>?
    if response.headers[.contentType] != "text/event-stream" {
      deadline = channel.eventLoop.scheduleTask(in: readingPatience) { channel.close(promise: nil) }
    }
    defer { deadline?.cancel() }
    if request.method == .head {
      try await writer.writeResponse(head)
    } else {
      try await writer.write(response: head, body: response.body)
    }
    if head.headerFields[.connection] == "close" { throw Closed() }
  }

  private func running(_ channel: any Channel) async {
    let port = channel.localAddress?.port ?? 0
    let names: SiteNames =
      switch (self.names, address) {
      case (let names?, _): names
      case (nil, .loopback(let host, _)), (nil, .network(let host, _)):
        SiteNames(host: host, port: port, label: label)
      case (nil, .unix): SiteNames(host: "127.0.0.1", port: port, label: label)
      }
    site.open(as: names)
    // The web server is another user: who else comes is sent away by the door.
    if webServer != nil, case .unix(let path) = address { chmod(path, 0o666) }
    Log.note("The page is at \(names.address). Get in with: albumctl page")
    if names.isSecure { settings.start(origin: names.address) }
    guard let entryPath else { return Log.warning("There is no place for the socket of albumctl page.") }
    do throws(SystemError) {
      let site = site
      // For programs, by the loopback address, and for browsers, by the name that nobody guesses.
      try OwnerSocket(path: entryPath) { _ in
        let way = "/enter?code=\(await site.desk.issueCode().text)"
        return "\(names.address)\(way)\n\(names.ownAddress)\(way)\n"
      }.start()
      // Never the address of a loopback port: who knows it could have it opened with a session's cookie (0127).
      if !names.isSecure, isEntryUsual { settings.start(origin: nil) }
    } catch { Log.warning("albumctl page cannot ask at \(entryPath): \(error)") }
    do throws(SystemError) {
      let site = site
      try OwnerSocket(path: "\(entryPath).sessions", byteLimit: PageRequest.byteLimit) { line in
        await site.desk.answer(line)
      }.start()
    } catch { Log.warning("albumctl page --sessions cannot ask at \(entryPath).sessions: \(error)") }
  }
}

/// A connection that is of no use any more.
private struct Closed: Error {}
