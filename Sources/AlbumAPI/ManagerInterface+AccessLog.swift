public import Varlink

extension ManagerInterface {
  /// What was done.
  public enum AccessKind: String, Codable, CaseIterable, Hashable, Sendable {
    /// An app asked for access.
    case request
    /// Access was granted, refused, put off or taken back.
    case decision
    /// Something else about an app was changed.
    case settings
    /// A file was opened.
    case open
    /// Files were added.
    case add
    /// Assets were deleted.
    case delete
    /// An asset was overwritten.
    case replace
    /// An album was created.
    case createAlbum
    /// Assets were put into another album.
    case addToAlbum
    /// Assets were taken out of an album.
    case removeFromAlbum
    /// Deleted assets were restored.
    case restore
    /// Deleted assets were removed for good.
    case purge
    /// The owner picked photos.
    case pick
    /// A connection took the owner's view (S45).
    case owner
    /// An agent registered.
    case agent
    /// A call was refused.
    case refused
  }

  /// Who decided, in which role.
  public enum AccessAuthor: String, Codable, CaseIterable, Hashable, Sendable {
    /// An owner, answering a prompt.
    case agent
    /// An owner, in settings.
    case settings
    /// The administrator.
    case policy
    /// A policy decides no longer: what holds without it does.
    case policyEnd
    /// The time of the grant is over.
    case expiry
    /// The process of the grant has ended.
    case exit
    /// The grant was not used for long.
    case disuse
  }

  /// One line of the access log: the same thing, done once or often within a minute.
  public struct AccessLogEntry: Codable, Hashable, Sendable {
    /// The line. An entry that comes again with more to count has the same.
    public var id: Int
    /// When it happened first.
    public var time: Instant
    /// When it happened last, if more than once.
    public var lastTime: Instant?
    /// How often.
    public var count: Int
    /// How many assets it was about, all times together.
    public var assets: Int?
    /// The app; `*` where a user's apps were too many to be told apart.
    public var appId: String
    /// Who runs it.
    public var uid: Int
    /// That user's login name.
    public var user: String?
    /// What was done.
    public var kind: AccessKind
    /// The level that it is about; absent for what a connection did as the owner (S45).
    public var accessLevel: AccessLevel?
    /// What came of it: a status, or an error's name.
    public var outcome: String?
    /// Who decided.
    public var by: AccessAuthor?
    /// The user who decided.
    public var byUid: Int?
    /// More, for a person.
    public var detail: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: Int, time: Instant, lastTime: Instant? = nil, count: Int, assets: Int? = nil, appId: String,
      uid: Int, user: String? = nil, kind: AccessKind, accessLevel: AccessLevel? = nil,
      outcome: String? = nil, by: AccessAuthor? = nil, byUid: Int? = nil, detail: String? = nil
    ) {
      self.id = id
      self.time = time
      self.lastTime = lastTime
      self.count = count
      self.assets = assets
      self.appId = appId
      self.uid = uid
      self.user = user
      self.kind = kind
      self.accessLevel = accessLevel
      self.outcome = outcome
      self.by = by
      self.byUid = byUid
      self.detail = detail
    }
  }

  /// Who did what, and when.
  public enum ListAccessLog: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.ListAccessLog"
    /// Which entries.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Of this app only.
      public var appId: String?
      /// Not older than this.
      public var since: Instant?
      /// Go on with what happens.
      public var follow: Bool?

      /// Every field by name; absent optionals stay off the wire.
      public init(appId: String? = nil, since: Instant? = nil, follow: Bool? = nil) {
        self.appId = appId
        self.since = since
        self.follow = follow
      }
    }
    /// Some of them, the oldest first.
    public struct Reply: Codable, Hashable, Sendable {
      /// The entries.
      public var entries: [AccessLogEntry]

      /// Every field by name; absent optionals stay off the wire.
      public init(entries: [AccessLogEntry]) {
        self.entries = entries
      }
    }
  }
}
