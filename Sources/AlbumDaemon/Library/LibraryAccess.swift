internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Storage
internal import Varlink
internal import VarlinkServer

/// What a caller may do with the library: authorization on one side, a view on the other.
@EventLoopActor
final class LibraryAccess {
  private let callers: Callers
  private let decisions: Decisions
  private let views: ViewJournal
  /// Where what the callers do is noted.
  let accessLog: AccessLog
  /// What callers' persons are shown.
  let guides: Guides

  init(
    callers: Callers, decisions: Decisions, views: ViewJournal, accessLog: AccessLog, guides: Guides
  ) {
    self.accessLog = accessLog
    self.guides = guides
    self.callers = callers
    self.decisions = decisions
    self.views = views
  }

  /// Who looks, and what they see.
  struct Reader {
    /// Whose connection it is.
    let caller: PeerIdentity
    /// The app; `nil` for a connection that acts as the owner.
    let app: PeerIdentity?
    /// What it sees.
    let view: LibraryView
    /// Whether it is told where pictures were taken (S57).
    let seesLocation: Bool
  }

  /// The caller as a reader.
  ///
  /// - Throws: `NotAuthorized` with the guide (S15).
  func reader(_ call: ServerCall) throws -> Reader {
    guard let reader = try readerIfAuthorized(call) else { throw try refusal(call) }
    return reader
  }

  /// The error for a caller that may not read, with the guide.
  func refusal(_ call: ServerCall) throws -> LibraryInterface.NotAuthorized {
    refusal(of: try callers.identity(of: call), .readWrite, call)
  }

  /// The caller as a reader; `nil` if it may not read, which is no refusal yet.
  func readerIfAuthorized(_ call: ServerCall) throws -> Reader? {
    let app = try callers.identity(of: call)
    if actsAsOwner(call, app) { return Reader(caller: app, app: nil, view: .everything, seesLocation: true) }
    guard let view = view(of: app) else { return nil }
    decisions.use(app.record(.readWrite))
    return Reader(caller: app, app: app, view: view, seesLocation: includesLocation(app))
  }

  /// Whether the caller sees all of the library. Looking is no use of what it was granted (S4).
  func seesEverything(_ call: ServerCall) throws -> Bool {
    let app = try callers.identity(of: call)
    return try actsAsOwner(call) || view(of: app)?.seesEverything ?? false
  }

  /// Whether an app learns where photos were taken (S55).
  func includesLocation(_ app: PeerIdentity) -> Bool {
    decisions.status(of: app.record(.readWrite)).includesLocation(for: app.manifest)
  }

  /// What a reader's subscriptions go on from: its view as of the end of the journal.
  func viewer(_ reader: Reader) throws -> Viewer? {
    guard let app = reader.app else { return nil }
    return try views.viewer(of: app.record(.readWrite))
  }

  /// The views of these, as of the end of the journal.
  func views(of viewers: Set<ViewerID>) -> [ViewerID: LibraryView] { views.views(of: viewers) }

  /// An album that a reader created is its own (S19). Called inside a batch.
  ///
  /// - Parameter title: what it is called for that reader alone; its name when nil.
  /// - Returns: what was written into the journal.
  func noteCreated(
    _ album: Album, as title: FileName?, by reader: Reader, in index: any ViewIndex
  ) throws -> [PlacedChange] {
    try reader.app.map { try views.noteCreated(album, as: title, by: $0, in: index) } ?? []
  }

  /// Who reads albums as their creator, and sees those of others as well: what it created is not in its view.
  func creator(_ reader: Reader, of subject: ChangeFilter.Subject, _ viewer: ViewerID?) -> ViewerKey? {
    guard case .albums = subject, viewer == nil else { return nil }
    return reader.app.map { ViewerKey($0.key) }
  }

  /// Whether the connection asked for the owner's view and may still have it: the configuration may name
  /// other owners by now (S29, S45).
  func actsAsOwner(_ call: ServerCall) throws -> Bool {
    guard call.session.actsAsOwner else { return false }
    return try callers.mayActAsOwner(call)
  }

  /// The same of a call whose caller is known.
  private func actsAsOwner(_ call: ServerCall, _ caller: PeerIdentity) -> Bool {
    call.session.actsAsOwner && callers.owners.mayActAsOwner(caller)
  }

  /// What an app sees; nil when it may not read.
  func view(of app: PeerIdentity) -> LibraryView? {
    let key = app.record(.readWrite)
    switch decisions.status(of: key).status {
    case .authorized: return views.fullView(of: key)
    case .limited: return views.limitedView(of: key)
    case .notDetermined, .denied, .restricted: return nil
    }
  }

  /// How a caller may add (S30, S32).
  enum Adding {
    /// As the owner.
    case owner
    /// And read what was added. Limited is who would be without a policy, too (S6).
    case reader(PeerIdentity, isLimited: Bool)
    /// Without ever reading.
    case receiptsOnly
  }

  /// The caller as one who adds.
  ///
  /// - Parameter language: of the guide.
  /// - Throws: `NotAuthorized` with the guide.
  func adding(_ call: ServerCall, language: String?) throws -> Adding {
    if try actsAsOwner(call) { return .owner }
    let app = try callers.identity(of: call)
    callers.note(language: language, of: app)
    guard let record = decisions.recordForAdding(of: app) else {
      throw refusal(of: app, .addOnly, call, language: language)
    }
    decisions.use(record)
    switch record.accessLevel {
    case .readWrite: return .reader(app, isLimited: decisions.all[record]?.status == .limited)
    case .addOnly: return .receiptsOnly
    }
  }

  /// The caller's identity.
  func identity(of call: ServerCall) throws -> PeerIdentity { try callers.identity(of: call) }

  /// Files were added.
  func noteAdding(_ count: Int, _ call: ServerCall, _ adding: Adding) {
    let level: AccessLevel? =
      switch adding {
      case .owner: nil
      case .reader: .readWrite
      case .receiptsOnly: .addOnly
      }
    guard let app = try? callers.identity(of: call) else { return }
    accessLog.note(AccessEvent(.add, accessLevel: level), assets: count, app: app)
  }

  /// What a reader did. That it did so as the owner is told by there being no level (S45).
  func note(_ kind: AccessEvent.Kind, assets: Int? = nil, by reader: Reader) {
    accessLog.note(
      AccessEvent(kind, accessLevel: reader.app == nil ? nil : .readWrite), assets: assets, app: reader.caller
    )
  }

  /// The error for a caller without access, with what its person can do.
  private func refusal(
    of app: PeerIdentity, _ level: AccessLevel, _ call: ServerCall, language: String? = nil
  ) -> LibraryInterface.NotAuthorized {
    let key = app.record(level)
    let effective = decisions.status(of: key)
    let method = call.call.method.split(separator: ".").last.map(String.init)
    accessLog.note(
      AccessEvent(.refused, accessLevel: level, outcome: effective.status.rawValue, detail: method), app: app)
    return LibraryInterface.NotAuthorized(
      accessLevel: .init(level), status: .init(effective.status),
      guide: guides.noAccess(effective, level, of: app, language: call.language(named: language)))
  }
}
