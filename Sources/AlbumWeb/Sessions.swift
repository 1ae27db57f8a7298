/// Who was let in: a browser, for thirty days, until that is taken back (S61).
package struct Session: Hashable, Sendable {
  /// What its cookie holds.
  package let cookie: Secret
  /// What every request that changes something holds as well, which no other page can know.
  package let token: Secret
  /// A name for it that opens nothing: for lists.
  package let name: String
  /// What the browser calls itself, as much of it as is kept.
  package let browser: String
  /// When it was let in, in seconds since 1970.
  package let began: Int64
  /// When it was last here, to the hour.
  package internal(set) var seen: Int64

  /// When it ends.
  package var ends: Int64 { began + Sessions.lifetime }
}

/// All sessions.
package struct Sessions: Sendable {
  /// How long one lasts, in seconds.
  package static let lifetime: Int64 = 30 * 86_400
  /// The most there are: one more ends the one that was not here for longest.
  static let limit = 32

  private var byCookie: [Secret: Session] = [:]

  /// Nobody.
  package init() {}

  /// Those of a file (``file``), as far as they still count. Lines that are none are left out.
  package init(file: String, now: Int64) {
    for line in file.split(separator: "\n").prefix(Self.limit) {
      guard let session = Session(line: line), session.ends > now else { continue }
      byCookie[session.cookie] = session
    }
  }

  /// All of them for a file that only the owner reads: a line each.
  package var file: String {
    all.map(\.line).joined(separator: "\n") + (byCookie.isEmpty ? "" : "\n")
  }

  /// The one that was let in last comes first.
  package var all: [Session] { byCookie.values.sorted { ($0.began, $0.name) > ($1.began, $1.name) } }

  /// Lets a browser in.
  ///
  /// - Parameters:
  ///   - browser: what it calls itself.
  ///   - now: seconds since 1970.
  package mutating func begin(
    browser: String, now: Int64, using source: inout some RandomNumberGenerator
  ) -> Session {
    forget(now)
    if byCookie.count >= Self.limit, let idle = byCookie.values.min(by: { $0.seen < $1.seen }) {
      byCookie[idle.cookie] = nil
    }
    let name = Secret(using: &source).text.prefix(12)
    let session = Session(
      cookie: Secret(using: &source), token: Secret(using: &source), name: String(name),
      browser: Session.plain(browser), began: now, seen: now)
    byCookie[session.cookie] = session
    return session
  }

  /// The session of a cookie, if it still counts.
  package mutating func find(_ cookie: Secret, now: Int64) -> Session? {
    guard let session = byCookie[cookie] else { return nil }
    guard session.ends > now else {
      byCookie[cookie] = nil
      return nil
    }
    byCookie[cookie]?.seen = now - now % 3600
    return session
  }

  /// Ends a session.
  ///
  /// - Returns: the session that was there.
  package mutating func end(named name: String) -> Session? {
    guard let session = byCookie.values.first(where: { $0.name == name }) else { return nil }
    return byCookie.removeValue(forKey: session.cookie)
  }

  private mutating func forget(_ now: Int64) { byCookie = byCookie.filter { $0.value.ends > now } }
}

extension Session {
  fileprivate var line: String {
    [cookie.text, token.text, name, "\(began)", "\(seen)", browser].joined(separator: "\t")
  }

  fileprivate init?(line: Substring) {
    let parts = line.split(separator: "\t", maxSplits: 5, omittingEmptySubsequences: false)
    guard parts.count == 6, let cookie = Secret(parts[0]), let token = Secret(parts[1]),
      let began = Int64(parts[3]), let seen = Int64(parts[4])
    else { return nil }
    self.init(
      cookie: cookie, token: token, name: String(parts[2]), browser: Session.plain(String(parts[5])),
      began: began, seen: seen)
  }

  /// Of a text that anybody wrote, what fits on a line.
  fileprivate static func plain(_ text: String) -> String {
    String(text.unicodeScalars.prefix(200).filter { 0x20..<0x7F ~= $0.value }.map(Character.init))
  }
}
