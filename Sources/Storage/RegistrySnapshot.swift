package import Authorization

/// All that the registry holds: read once, at the start. The daemon keeps it in memory (rule S5).
package struct RegistrySnapshot: Hashable, Sendable {
  /// An app that was here.
  package struct App: Hashable, Sendable {
    /// The app, and whose it is.
    package let key: AppKey
    /// What it was last recognized by.
    package let evidence: IdentityBinding
    /// When it first asked for anything.
    package let firstSeen: Timestamp
    /// When it was last noted.
    package let lastSeen: Timestamp
    /// The language that it named last.
    package var language: String?
  }

  /// What owners decided, by key.
  package internal(set) var records: [AuthorizationRecord] = []
  /// When a decision was last made use of.
  package internal(set) var lastUsed: [RecordKey: Timestamp] = [:]
  /// What limited apps may see. Kept when the access changes, until it is reset.
  package internal(set) var selections: [RecordKey: Selection] = [:]
  /// The counts of "not now".
  package internal(set) var refusals: [RecordKey: RefusalRecord] = [:]
  /// Every app that was here, by user and id.
  package internal(set) var apps: [App] = []
}
