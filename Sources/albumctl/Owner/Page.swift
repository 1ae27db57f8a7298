internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Linux
internal import VarlinkTransport
internal import Words

struct Page: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "page",
    abstract: "Print a link that lets a browser into the owner's page.",
    discussion: """
      The link works once, and for two minutes. Where there is a desktop, it is opened in its browser. The page is \
      albumweb's; its socket is --entry PATH, else $XDG_RUNTIME_DIR/albumweb/entry if it exists, else \
      /run/albumweb/entry.
      """)

  @Flag(help: "Show the link as a QR code, for a phone.")
  var qr = false

  @Flag(help: "Only print the link.")
  var print = false

  @Flag(help: "Only open the link in the desktop's browser, and print nothing: for what has no terminal.")
  var open = false

  @Option(help: ArgumentHelp("The socket of albumweb.", valueName: "path"))
  var entry: String?

  @Argument(
    help: ArgumentHelp(
      "Where it leads: albumd:settings, or albumd:settings/APP, as guides of apps have it.",
      valueName: "address"))
  var address: String?

  func validate() throws {
    if open, print || qr { throw ValidationError("--open prints nothing.") }
    // Whoever makes a link of it has a desktop start this: it opens settings, and nothing else.
    if let address, SettingsURI(address) == nil {
      throw ValidationError("The address is albumd:settings or albumd:settings/APP.")
    }
  }

  func run() throws {
    let path = entry ?? Self.usualPath
    let links = try Self.ask(path)
    let words = Person.words
    // Not every program knows what browsers know: that each name beneath localhost is this computer.
    let isForBrowser = open || isatty(STDOUT_FILENO) == 1
    let link = (isForBrowser ? links.forBrowsers : links.forPrograms) + place
    // What a desktop starts writes to its log, where the link is not to be.
    if open { return try BrowserLaunch.open(link) }
    if isatty(STDOUT_FILENO) == 1 { Report.note(words[.pageLinkFor]) }
    try Output.line("\(SafeText(link))")
    if qr, let code = QRCode(link) {
      for line in code.lines(isColoured: isatty(STDOUT_FILENO) == 1) { try Output.line(line) }
    } else if !print, isatty(STDOUT_FILENO) == 1, getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    {
      // No harm if there is no browser: the link was printed.
      try? BrowserLaunch.open(link)
    }
  }

  /// Where the link leads, as the page takes it.
  private var place: String {
    guard let path = address.flatMap({ SettingsURI($0) })?.path(uid: geteuid()) else { return "" }
    return "&next=\(path.replacing("%", with: "%25"))"
  }

  /// The XDG Base Directory Specification: a relative path is to be ignored.
  private static var usualPath: String {
    if let runtime = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), runtime.hasPrefix("/") {
      let path = runtime + "/albumweb/entry"
      if access(path, F_OK) == 0 { return path }
    }
    return "/run/albumweb/entry"
  }

  /// Asks albumweb, if it is this user's or the system's own.
  private static func ask(_ path: String) throws -> (forPrograms: String, forBrowsers: String) {
    let socket = try connect(path)
    // What it says is opened in a browser: not from anybody.
    let peer = try PeerCredentials(of: socket.number)
    var status = stat()
    let isSystems =
      path.hasPrefix("/run/albumweb/") && lstat("/run/albumweb", &status) == 0 && status.st_uid == peer.uid
    guard peer.uid == geteuid() || peer.uid == 0 || isSystems else {
      throw CommandFailure(.failed, Person.words[.pageNotOurs, ["path": path]])
    }
    var bytes: [UInt8] = []
    while bytes.count < 4096 {
      var request = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
      guard poll(&request, 1, 10_000) > 0 else { break }
      let more = [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
        count = max(0, read(socket.number, buffer.baseAddress, buffer.count))
      }
      if more.isEmpty { break }
      bytes += more
    }
    let links = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    guard let first = links.first, links.allSatisfy(isLink) else {
      throw CommandFailure(.failed, Person.words[.pageNotRunning, ["path": path]])
    }
    return (first, links.dropFirst().first ?? first)
  }

  private static func isLink(_ text: String) -> Bool {
    (text.hasPrefix("http://") || text.hasPrefix("https://")) && text.utf8.allSatisfy { 0x21..<0x7F ~= $0 }
  }

  private static func connect(_ path: String) throws -> OwnedDescriptor {
    do { return try UnixSocket.connect(to: path) } catch {
      let words = Person.words
      throw CommandFailure(
        .failed, words[.pageNotRunning, ["path": path]] + " (\(error.reason)) " + words[.pageStart])
    }
  }
}
