internal import AlbumAPI
internal import AlbumWeb
internal import Varlink

// What a terminal may see and do of sessions: what the page may (S60).
extension Desk {
  /// The answer to a line that is a ``AlbumAPI/PageRequest``; nothing to what is none.
  func answer(_ line: String) -> String {
    let records: [SessionRecord]
    switch PageRequest(line) {
    case .list?: records = allSessions
    case .end(let name)?: records = end(name).map { [$0] } ?? []
    case nil: return ""
    }
    let text = try? JSONEncoding.encode(PageSessions(sessions: records.map(\.told)))
    return String(decoding: text ?? [], as: UTF8.self)
  }
}

extension SessionRecord {
  fileprivate var told: PageSessions.Session {
    func instant(_ seconds: Int64) -> Instant { Instant(microseconds: seconds * 1_000_000) }
    return .init(
      name: name, browser: browser, title: BrowserName(browser).description, began: instant(began),
      seen: instant(seen), ends: instant(ends))
  }
}
