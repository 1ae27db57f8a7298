/// Who was let in: a browser, for thirty days, until that is taken back (S61).
package struct Session: Hashable, Sendable {
  /// What its cookie holds. It is kept nowhere.
  package let cookie: Secret
  /// What is known of it without its cookie.
  package let record: SessionRecord

  /// What every request that changes something holds as well, which no other page can know.
  package var token: Secret { cookie.derived(for: "token") }
  /// A name for it that opens nothing.
  package var name: String { record.name }
}

/// All sessions.
package struct Sessions: Sendable {
  /// How long one lasts, in seconds.
  package static let lifetime: Int64 = 30 * 86_400
  /// The most there are: one more ends the one that was not here for longest.
  static let limit = 32

  /// By what follows from their cookies: from this nobody gets back to one.
  private var byKey: [Secret: SessionRecord] = [:]
  /// In which order they were here since this began: the hour of a record is too coarse to tell who is in use. Of those
  /// that were not here since, it is all there is.
  private var uses: [Secret: UInt64] = [:]
  private var useCount: UInt64 = 0

  /// Nobody.
  package init() {}

  /// Those of a file (``file``), as far as they still count. Lines that are none are left out.
  package init(file: String, now: Int64) {
    for line in file.split(separator: "\n").prefix(Self.limit) {
      guard let (key, record) = SessionRecord.read(line), record.ends > now else { continue }
      byKey[key] = record
    }
  }

  /// All of them for a file that only the owner reads: a line each. Whoever reads it all the same gets in by none of it.
  package var file: String {
    byKey.sorted { ($0.value.began, $0.value.name) > ($1.value.began, $1.value.name) }
      .map { $1.line(key: $0) + "\n" }.joined()
  }

  /// The one that was let in last comes first.
  package var all: [SessionRecord] { byKey.values.sorted { ($0.began, $0.name) > ($1.began, $1.name) } }

  /// Lets a browser in.
  ///
  /// - Parameters:
  ///   - browser: what it calls itself.
  ///   - now: seconds since 1970.
  package mutating func begin(
    browser: String, now: Int64, using source: inout some RandomNumberGenerator
  ) -> Session {
    forget(now)
    if byKey.count >= Self.limit, let idle = byKey.min(by: { place($0) < place($1) }) { remove(idle.key) }
    let name = Secret(using: &source).text.prefix(12)
    let session = Session(
      cookie: Secret(using: &source),
      record: SessionRecord(
        name: String(name), browser: SessionRecord.plain(browser), began: now, seen: now))
    let key = Self.key(session.cookie)
    byKey[key] = session.record
    note(key)
    return session
  }

  /// The session of a cookie, if it still counts.
  package mutating func find(_ cookie: Secret, now: Int64) -> Session? {
    let key = Self.key(cookie)
    guard let record = byKey[key] else { return nil }
    guard record.ends > now else {
      remove(key)
      return nil
    }
    byKey[key]?.seen = now - now % 3600
    note(key)
    return Session(cookie: cookie, record: record)
  }

  /// Whether the session of a name is one and still counts.
  package func has(_ name: String, now: Int64) -> Bool {
    byKey.values.contains { $0.name == name && $0.ends > now }
  }

  /// Ends a session.
  ///
  /// - Returns: what was known of it, if it was there.
  package mutating func end(named name: String) -> SessionRecord? {
    guard let key = byKey.first(where: { $0.value.name == name })?.key else { return nil }
    return remove(key)
  }

  /// When it was here, among the others.
  private func place(_ session: (key: Secret, value: SessionRecord)) -> (UInt64, Int64) {
    (uses[session.key] ?? 0, session.value.seen)
  }

  private mutating func note(_ key: Secret) {
    useCount += 1
    uses[key] = useCount
  }

  @discardableResult
  private mutating func remove(_ key: Secret) -> SessionRecord? {
    uses[key] = nil
    return byKey.removeValue(forKey: key)
  }

  private static func key(_ cookie: Secret) -> Secret { cookie.derived(for: "kept") }

  private mutating func forget(_ now: Int64) {
    for (key, record) in byKey where record.ends <= now { remove(key) }
  }
}
