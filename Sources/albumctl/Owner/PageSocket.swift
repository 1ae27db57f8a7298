internal import AlbumAPI
internal import AlbumTerminal
internal import Glibc
internal import Linux
internal import Varlink
internal import VarlinkTransport
internal import Words

/// Where albumweb answers `albumctl page`, if it is this user's or the system's own.
struct PageSocket {
  private let path: String
  /// Whether it is where it usually is.
  private let isUsual: Bool
  /// What goes wrong is said in these.
  private let words: Words

  /// - Parameter entry: what the command line says; else where it usually is.
  init(entry: String?, words: Words) {
    path = entry ?? Self.usualPath
    isUsual = entry == nil
    self.words = words
  }

  /// As ``links()``, of a page that is started where it is not running: by this user's systemd(1), if it has a unit for it.
  func linksOfStarted() throws -> (forPrograms: String, forBrowsers: String) {
    do { return try links() } catch {
      guard isUsual, UserUnit.start("albumweb.service") else { throw error }
      // The unit is started when its program is, and the program listens a moment later.
      for _ in 0..<Self.startTries {
        if let links = try? PageSocket(entry: nil, words: words).links() { return links }
        _ = poll(nil, 0, Self.startPause)
      }
      return try PageSocket(entry: nil, words: words).links()
    }
  }

  /// Ten seconds, in steps (milliseconds).
  private static let startTries = 100
  private static let startPause: Int32 = 100

  /// A link, for programs and for browsers.
  func links() throws -> (forPrograms: String, forBrowsers: String) {
    let answer = try ask(path, nil)
    let links = String(decoding: answer, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let first = links.first, links.allSatisfy(Self.isLink) else { throw notRunning }
    return (first, links.dropFirst().first ?? first)
  }

  /// What comes of a request about sessions.
  func sessions(_ request: PageRequest) throws -> [PageSessions.Session] {
    let answer = try ask("\(path).sessions", request.line + "\n")
    guard let json = try? JSON(parsing: answer),
      let reply = try? JSONDecoding.decode(PageSessions.self, from: json)
    else { throw notRunning }
    return reply.sessions
  }

  private var notRunning: CommandFailure {
    CommandFailure(.failed, words[.pageNotRunning, ["path": path]])
  }

  /// The XDG Base Directory Specification: a relative path is to be ignored.
  private static var usualPath: String {
    if let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/") {
      let path = runtime + "/albumweb/entry"
      if access(path, F_OK) == 0 { return path }
    }
    return "/run/albumweb/entry"
  }

  private func ask(_ path: String, _ line: String?) throws -> [UInt8] {
    let socket = try connect(path)
    // What it says is opened in a browser: not from anybody.
    let peer = try PeerCredentials(of: socket.number)
    var status = stat()
    let isSystems =
      path.hasPrefix("/run/albumweb/") && lstat("/run/albumweb", &status) == 0 && status.st_uid == peer.uid
    guard peer.uid == geteuid() || peer.uid == 0 || isSystems else {
      throw CommandFailure(.failed, words[.pageNotOurs, ["path": path]])
    }
    // Shorter than any socket's buffer.
    if let line { _ = line.withCString { send(socket.number, $0, strlen($0), Int32(MSG_NOSIGNAL)) } }
    var bytes: [UInt8] = []
    while bytes.count < Self.byteLimit {
      var request = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 10_000) > 0 else { break }
      let more = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, read(socket.number, buffer.baseAddress, buffer.count))
      }
      if more.isEmpty { break }
      bytes += more
    }
    return bytes
  }

  /// More than all sessions that there may be.
  private static let byteLimit = 64 << 10

  private static func isLink(_ text: String) -> Bool {
    (text.hasPrefix("http://") || text.hasPrefix("https://")) && text.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
  }

  private func connect(_ path: String) throws -> OwnedDescriptor {
    do { return try UnixSocket.connect(to: path) } catch {
      throw CommandFailure(
        .failed, words[.pageNotRunning, ["path": path]] + " (\(error.reason)) " + words[.pageStart])
    }
  }
}
