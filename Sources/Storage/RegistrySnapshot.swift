public import Authorization

/// All that the registry holds: read once, at the start. The daemon keeps it in memory (rule S5).
public struct RegistrySnapshot: Hashable, Sendable {
  /// An app that was here.
  public struct App: Hashable, Sendable {
    /// Its user.
    public let uid: UInt32
    /// Its id.
    public let appID: String
    /// What it was last recognized by.
    public let evidence: IdentityBinding
    /// When it first asked for anything.
    public let firstSeen: Timestamp
    /// When it was last noted.
    public let lastSeen: Timestamp
    /// The language that it named last.
    public var language: String?
  }

  /// What owners decided, by key.
  public internal(set) var records: [AuthorizationRecord] = []
  /// When a decision was last made use of.
  public internal(set) var lastUsed: [RecordKey: Timestamp] = [:]
  /// What limited apps may see. Kept when the access changes, until it is reset.
  public internal(set) var selections: [RecordKey: Selection] = [:]
  /// The counts of "not now".
  public internal(set) var refusals: [RecordKey: RefusalRecord] = [:]
  /// Every app that was here, by user and id.
  public internal(set) var apps: [App] = []
}
