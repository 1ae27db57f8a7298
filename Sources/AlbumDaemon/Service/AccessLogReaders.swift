internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Storage
internal import VarlinkServer

/// The callers of `Manager.ListAccessLog`. Each is a place in the log: one that reads slowly is sent more
/// when it has taken what it was sent, from the disk if need be.
@EventLoopActor
final class AccessLogReaders {
  private final class Reader {
    let call: ServerCall
    let appID: String?
    let since: Timestamp
    let follows: Bool
    var place: Int64 = 0
    /// Whether everything up to the place came from the disk, so that memory may go on from there.
    var hasCaughtUp = false
    /// Whether the disk is read for it, or names are looked up: then nothing else is told to it.
    var isBusy = false
    /// Whether it goes on when its peer has read what it was sent before.
    var isWaiting = false
    /// The end of the log when the disk was last asked: what is newer is in memory.
    var end: Int64 = 0
    var hasReplied = false

    init(_ call: ServerCall, appID: String?, since: Timestamp, follows: Bool) {
      self.call = call
      self.appID = appID
      self.since = since
      self.follows = follows
    }

    func wants(_ row: AccessEntry) -> Bool {
      (appID == nil || row.appID == appID) && row.last >= since
    }
  }

  private let log: AccessLog
  private var followers: [ObjectIdentifier: Reader] = [:]
  private let names: UserNames
  private let apps: KnownApps
  private let callers: Callers

  /// Rows in one reply.
  private static let page = 256

  init(log: AccessLog, names: UserNames, apps: KnownApps, callers: Callers) {
    self.apps = apps
    self.log = log
    self.names = names
    self.callers = callers
    log.tell(self)
  }

  /// Rows have changed.
  func logChanged() {
    for reader in followers.values where reader.hasCaughtUp { send(reader) }
  }

  /// Tells what is there, and with `follow` what comes.
  func add(_ call: ServerCall, appID: String?, since: Timestamp?, follow: Bool) {
    let reader = Reader(
      call, appID: appID, since: since ?? Timestamp(microseconds: .min), follows: follow)
    if follow {
      followers[ObjectIdentifier(call)] = reader
      call.onEnd { [weak self] in self?.followers[ObjectIdentifier(call)] = nil }
    }
    send(reader)
  }

  /// The configuration may name other owners: who is none any more is told no more (S29, S44).
  func ownersChanged() {
    for reader in Array(followers.values) { _ = mayRead(reader) }
  }

  private func mayRead(_ reader: Reader) -> Bool {
    guard !reader.call.isOver else { return false }
    do { try callers.checkOwner(reader.call) } catch {
      reader.call.fail(error)
      return false
    }
    return true
  }

  private func send(_ reader: Reader) {
    guard !reader.isBusy, !reader.isWaiting, mayRead(reader) else { return }
    guard reader.call.isDrained else {
      reader.isWaiting = true
      return reader.call.whenDrained { [weak self] in
        reader.isWaiting = false
        self?.send(reader)
      }
    }
    guard reader.hasCaughtUp, let rows = log.book.rows(after: reader.place) else { return read(reader) }
    guard let last = rows.last else { return }
    reader.place = last.revision
    reply(reader, rows.filter(reader.wants))
  }

  private func read(_ reader: Reader) {
    reader.isBusy = true
    reader.hasCaughtUp = false
    log.read(after: reader.place, appID: reader.appID, since: reader.since, limit: Self.page) {
      [weak self] result in
      reader.isBusy = false
      switch result {
      case .success(let rows): self?.take(rows, reader)
      case .failure(let error): reader.call.fail(SystemFailure(message: "\(error)"))
      }
    }
    reader.end = log.book.revision
  }

  private func take(_ rows: [AccessEntry], _ reader: Reader) {
    guard mayRead(reader) else { return }
    // A row that has changed since is told as it is now.
    let unwritten = log.book.unwrittenRows
    let newer = Set(unwritten.map(\.id))
    let older = rows.filter { !newer.contains($0.id) }
    if rows.count == Self.page {
      reader.place = rows[Self.page - 1].revision
      return reply(reader, older)
    }
    let all = older + unwritten.filter(reader.wants)
    // Its log may be longer than the app is known. Who would follow one that is misspelt would wait for ever.
    if all.isEmpty, !reader.hasReplied, let app = reader.appID, app != AccessLogBook.manyApps,
      !apps.isKnown(app)
    {
      return reader.call.fail(ManagerInterface.NoSuchApp(id: app))
    }
    guard reader.follows else {
      return withNames(reader, all) { reader.call.reply(ManagerInterface.ListAccessLog.Reply(entries: $0)) }
    }
    // What could not be written is told from memory, and so is what is newer.
    let kept = unwritten.filter { $0.revision <= reader.end && reader.wants($0) }
    reader.place = reader.end
    reader.hasCaughtUp = true
    reply(reader, older + kept, isFirst: !reader.hasReplied)
  }

  /// Tells rows, then what is next.
  ///
  /// - Parameter isFirst: told even when empty: whoever has it knows that the rest is news.
  private func reply(_ reader: Reader, _ rows: [AccessEntry], isFirst: Bool = false) {
    guard !rows.isEmpty || isFirst else { return send(reader) }
    reader.hasReplied = true
    withNames(reader, rows) { [weak self] entries in
      reader.call.reply(ManagerInterface.ListAccessLog.Reply(entries: entries), continues: true)
      self?.send(reader)
    }
  }

  /// Rows as they are told, when the names of their users are known or take too long.
  private func withNames(
    _ reader: Reader, _ rows: [AccessEntry],
    _ body: @escaping @EventLoopActor ([ManagerInterface.AccessLogEntry]) -> Void
  ) {
    reader.isBusy = true
    names.look(up: rows.flatMap { [$0.uid, $0.event.by?.uid].compactMap(\.self) }) { names in
      reader.isBusy = false
      body(rows.map { Self.entry($0, names) })
    }
  }

  private static func entry(_ row: AccessEntry, _ names: [UInt32: String]) -> ManagerInterface.AccessLogEntry
  {
    let event = row.event
    return ManagerInterface.AccessLogEntry(
      id: Int(row.id), time: Instant(row.first), lastTime: row.count > 1 ? Instant(row.last) : nil,
      count: Int(row.count), assets: row.assets.map { Int($0) }, appId: row.appID, uid: Int(row.uid),
      user: names[row.uid],
      kind: .init(event.kind), accessLevel: event.accessLevel.map { .init($0) }, outcome: event.outcome,
      by: event.by.map { .init($0.role) }, byUid: event.by?.uid.map { Int($0) },
      byUser: event.by?.uid.flatMap { names[$0] }, detail: event.detail)
  }
}
