/// One thing that an app or an owner did, for the record that owners read. Who did it is kept beside it.
package struct AccessEvent: Hashable, Sendable {
  /// What was done.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// An app asked for access; the outcome is what it was told.
    case request
    /// Access was granted, refused, put off or taken back; by whom says who did that.
    case decision
    /// An owner changed something else about an app, such as its selection.
    case settings
    /// What is in the library was listed, or subscribed to.
    case fetch
    /// A file was opened.
    case open
    /// Files were added.
    case add
    /// Assets were deleted.
    case delete
    /// An asset was overwritten.
    case replace
    /// An asset's original was put back.
    case revert
    /// An album was created.
    case createAlbum
    /// Assets were put into another album.
    case addToAlbum
    /// Assets were taken out of an album.
    case removeFromAlbum
    /// An album was renamed or moved.
    case moveAlbum
    /// An album was deleted.
    case deleteAlbum
    /// An album's key photo was chosen.
    case arrangeAlbum
    /// An asset was renamed.
    case renameAsset
    /// Assets were moved into an album.
    case moveAssets
    /// Assets were marked as favourites, or not any more.
    case favorite
    /// Assets were hidden, or shown again.
    case hide
    /// Deleted assets were restored.
    case restore
    /// Deleted assets were removed for good.
    case purge
    /// The owner picked photos for an app.
    case pick
    /// A connection took the owner's view (rule S45).
    case owner
    /// An agent registered.
    case agent
    /// A call was refused for want of access; the outcome is the status, the detail the method.
    case refused
  }

  /// On whose account something was decided.
  package struct Author: Hashable, Sendable {
    /// In which role.
    package enum Role: String, Hashable, Sendable, CaseIterable {
      /// An owner, answering a prompt.
      case agent
      /// An owner, in settings.
      case settings
      /// The administrator.
      case policy
      /// A policy that decides no longer: what holds without it does (rule S6).
      case policyEnd
      /// The time for which it was granted is over.
      case expiry
      /// The process for which it was granted has ended.
      case exit
      /// It was not used for as long as the configuration allows.
      case disuse
    }

    /// In which role.
    package let role: Role
    /// The user, for an agent and for settings.
    package let uid: UInt32?

    /// An author.
    package init(_ role: Role, uid: UInt32? = nil) {
      self.role = role
      self.uid = uid
    }
  }

  /// What was done.
  package let kind: Kind
  /// The level that it is about; nil for what a connection did as the owner (rule S45).
  package let accessLevel: AccessLevel?
  /// What came of it: a status, or the name of an error. Nil where it simply happened, and for a decision that ended
  /// while a policy decides.
  package let outcome: String?
  /// Who decided.
  package let by: Author?
  /// More about it, for a person. Each detail makes a row of its own: not for what differs every time.
  package let detail: String?

  /// The longest detail that is kept, in characters.
  static let detailLimit = 200

  /// Something that was done. A long detail is cut.
  package init(
    _ kind: Kind, accessLevel: AccessLevel? = nil, outcome: String? = nil, by: Author? = nil,
    detail: String? = nil
  ) {
    self.kind = kind
    self.accessLevel = accessLevel
    self.outcome = outcome
    self.by = by
    self.detail = detail.map { String($0.prefix(Self.detailLimit)) }
  }
}

/// A row of the access log: the same thing done once, or often within a short time.
package struct AccessEntry: Hashable, Sendable {
  /// The row. It stays the same while the count grows.
  package let id: Int64
  /// Grows with every change of any row: the row's place in the log.
  package var revision: Int64
  /// When it happened first.
  package let first: Timestamp
  /// When it happened last.
  package var last: Timestamp
  /// How often.
  package var count: Int64
  /// How many assets it was about, all times together; nil where they are not counted.
  package var assets: Int64?
  /// Whose process did it; ``AccessLogBook/manyApps`` of a user where those were too many to be told apart.
  package let app: AppKey
  /// Against whose share of the log it counts: the user, or the one to whom that subordinate id belongs (subuid(5)).
  package let accountable: UInt32
  /// What was done.
  package let event: AccessEvent

  /// A row as it is kept.
  package init(
    id: Int64, revision: Int64, first: Timestamp, last: Timestamp, count: Int64, assets: Int64? = nil,
    app: AppKey, accountable: UInt32, event: AccessEvent
  ) {
    self.id = id
    self.revision = revision
    self.first = first
    self.last = last
    self.count = count
    self.assets = assets
    self.app = app
    self.accountable = accountable
    self.event = event
  }

  /// The user of the process that did it.
  package var uid: UInt32 { app.uid }
  /// Its app.
  package var appID: String { app.appID }
}
