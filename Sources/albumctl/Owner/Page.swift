internal import AlbumAPI
internal import AlbumClient
internal import AlbumTerminal
internal import ArgumentParser
internal import Glibc
internal import Varlink
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

  @Flag(help: "List the browsers that may open the page.")
  var sessions = false

  @Option(help: ArgumentHelp("Sign a browser out, by its name in that list.", valueName: "name"))
  var end: String?

  @Flag(help: "Print JSON, one object per line.")
  var json = false

  @Option(help: ArgumentHelp("The socket of albumweb.", valueName: "path"))
  var entry: String?

  @Argument(
    help: ArgumentHelp(
      "Where it leads: albumd:settings, or albumd:settings/APP, as guides of apps have it.",
      valueName: "address"))
  var address: String?

  func validate() throws {
    if open, print || qr { throw ValidationError("--open prints nothing.") }
    if sessions || end != nil {
      guard !open, !print, !qr, address == nil, !(sessions && end != nil) else {
        throw ValidationError("--sessions and --end make no link, and go one by one.")
      }
    }
    // Whoever makes a link of it has a desktop start this: it opens settings, and nothing else.
    if let address, SettingsURI(address) == nil {
      throw ValidationError("The address is albumd:settings or albumd:settings/APP.")
    }
  }

  func run() throws {
    let words = json ? Words.english : Person.words
    let socket = PageSocket(entry: entry, words: words)
    if sessions || end != nil {
      return try PageBrowsers(socket: socket, words: words, asJSON: json).run(end.map { .end($0) } ?? .list)
    }
    let links = open ? try startedLinks(socket) : try socket.links()
    // Not every program knows what browsers know: that each name beneath localhost is this computer.
    let isForBrowser = open || isatty(STDOUT_FILENO) == 1
    let link = (isForBrowser ? links.forBrowsers : links.forPrograms) + place
    // What a desktop starts writes to its log, where the link is not to be.
    if open {
      try BrowserLaunch.open(link)
      if json { try Output.json(Empty()) }
      return
    }
    // No code for a phone: whoever reads it makes one of the link.
    if json { return try Output.json(PageLink(link: link)) }
    if isatty(STDOUT_FILENO) == 1 { Report.note(words[.pageLinkFor]) }
    try Output.line("\(SafeText(link))")
    if qr, Self.isHere(link) { Report.note(words[.pageLinkHere]) }
    if qr, let code = QRCode(link) {
      for line in code.lines(isColoured: isatty(STDOUT_FILENO) == 1) { try Output.line(line) }
    } else if !print, isatty(STDOUT_FILENO) == 1, getenv("DISPLAY") != nil || getenv("WAYLAND_DISPLAY") != nil
    {
      // No harm if there is no browser: the link was printed.
      try? BrowserLaunch.open(link)
    }
  }

  /// What a desktop starts has no terminal: what is the matter is shown where the page would be.
  private func startedLinks(_ socket: PageSocket) throws -> (forPrograms: String, forBrowsers: String) {
    do { return try socket.linksOfStarted() } catch let failure as CommandFailure {
      try? BrowserLaunch.say(failure.message ?? "")
      throw failure
    }
  }

  /// Whether a link leads to an address of this computer alone.
  static func isHere(_ link: String) -> Bool {
    let host = link.split(separator: "/", maxSplits: 2).dropFirst().first ?? ""
    let name = host.hasPrefix("[") ? host.prefix { $0 != "]" } + "]" : host.prefix { $0 != ":" }
    return name.hasPrefix("127.") || name == "[::1]" || name == "localhost" || name.hasSuffix(".localhost")
  }

  /// Where the link leads, as the page takes it.
  private var place: String {
    guard let path = address.flatMap({ SettingsURI($0) })?.path(uid: geteuid()) else { return "" }
    return "&next=\(path.replacing("%", with: "%25"))"
  }
}

/// What lets a browser in.
private struct PageLink: Encodable {
  let link: String
}
