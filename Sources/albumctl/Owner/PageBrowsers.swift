internal import AlbumAPI
internal import AlbumTerminal
internal import Words

/// `albumctl page --sessions` and `--end`: which browsers may open the page, as the page itself shows them (S60).
struct PageBrowsers {
  let socket: PageSocket
  let words: Words
  let asJSON: Bool

  func run(_ request: PageRequest) throws {
    // What is no request is nobody's name.
    let sessions = PageRequest(request.line) == request ? try socket.sessions(request) : []
    if case .end(let name) = request, sessions.isEmpty {
      throw CommandFailure(.failed, words[.pageNoSession, ["name": name]])
    }
    if asJSON {
      for session in sessions { try Output.json(session) }
      return
    }
    if case .end = request {
      for session in sessions {
        try Output.line(words[.pageEnded, ["browser": "\(SafeText(session.title))"]])
      }
      return
    }
    if sessions.isEmpty { Report.note(words[.pageNoSessions]) }
    var table = Table(
      .init(words[.columnName]), .init(words[.columnBrowser]), .init(words[.columnBegan]),
      .init(words[.columnSeen]), .init(words[.columnUntil]))
    try Output.write(
      table.lines(
        of: sessions.map {
          [$0.name, $0.title, "\(LocalTime($0.began))", "\(LocalTime($0.seen))", "\(LocalTime($0.ends))"]
        }))
  }
}
