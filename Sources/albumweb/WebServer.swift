internal import AlbumWeb
internal import HummingbirdCore
internal import HTTPTypes
internal import Linux
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import ServiceLifecycle
internal import UnixSignals

/// The HTTP side of the page: what is accepted, how much of it, and for how long.
///
/// No Hummingbird `Application`: that one wakes up every second to know the date.
struct WebServer {
  let address: ListenAddress
  /// Whether another port will do where this one is taken.
  let gives: Bool
  /// How the page is called, where that does not follow from the address.
  let names: SiteNames?
  let entryPath: String?
  let site: Site

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
      case .loopback(let host, let port): .hostname(host, port: port)
      }
    // A browser opens six to a host; pages that are live keep one of them each.
    let configuration = ServerConfiguration(
      address: bind, backlog: 64, availableConnectionsDelegate: MaximumAvailableConnections(128))
    let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
      maxHeaderFieldSize: 8 << 10, maxHeaderListSize: 32 << 10, maxHeaderFieldCount: 64)
    let site = site
    let service = try HTTPServerBuilder.http1(
      configuration: .init(idleTimeout: .seconds(30), httpDecoderConfiguration: decoder)
    ).buildServer(
      configuration: configuration, eventLoopGroup: MultiThreadedEventLoopGroup.singleton, logger: logger
    ) { request, writer, channel in
      // Another user of this computer, whatever he has come by.
      if case .loopback = address, !LoopbackPeer.isOwn(channel.remoteAddress, channel.localAddress) {
        Log.warning("Another user's process asked for the page.")
        try await writer.write(response: Response.plain(.forbidden).head, body: .init())
        throw Closed()
      }
      let response = await site.respond(to: request)
      let head = response.head
      if request.method == .head {
        try await writer.writeResponse(head)
      } else {
        try await writer.write(response: head, body: response.body)
      }
      // The rest of a body that nobody wants is not waited for.
      if head.headerFields[.connection] == "close" { throw Closed() }
    } onServerRunning: { channel in
      await running(channel)
    }
    try await ServiceGroup(
      configuration: .init(
        services: [service], gracefulShutdownSignals: [], cancellationSignals: [.sigterm, .sigint],
        logger: logger)
    ).run()
  }

  private func running(_ channel: any Channel) async {
    let port = channel.localAddress?.port ?? 0
    let names: SiteNames =
      switch (self.names, address) {
      case (let names?, _): names
      case (nil, .loopback(let host, _)): SiteNames(host: host, port: port)
      case (nil, .unix): SiteNames(host: "127.0.0.1", port: port)
      }
    site.open(as: names)
    Log.note("The page is at \(names.address). Get in with: albumctl page")
    guard let entryPath else { return Log.warning("There is no place for the socket of albumctl page.") }
    do throws(SystemError) {
      let site = site
      try EntrySocket(path: entryPath) {
        "\(names.address)/enter?code=\(await site.desk.issueCode().text)"
      }.start()
    } catch { Log.warning("albumctl page cannot ask at \(entryPath): \(error)") }
  }
}

/// A connection that is of no use any more.
private struct Closed: Error {}
