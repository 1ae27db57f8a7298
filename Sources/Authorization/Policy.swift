/// What the administrator decided for apps and users, in a file of `policies.d` (rule S37).
public struct Policy: Hashable, Sendable {
  /// What a policy does.
  public enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Refuses; beats everything.
    case restrict
    /// Grants; beats what the owner decided.
    case authorize

    /// The status it gives.
    public var status: AuthorizationStatus {
      switch self {
      case .restrict: .restricted
      case .authorize: .authorized
      }
    }
  }

  /// Whom it is about. Names are kept to be shown; matching goes by the ids they were resolved to.
  public struct Users: Hashable, Sendable {
    /// User names as written.
    public let names: [String]
    /// Group names as written.
    public let groups: [String]
    /// The ids of all of them, resolved when the file was read.
    public let uids: Set<UInt32>

    /// These users and the members of these groups.
    public init(names: [String], groups: [String], uids: Set<UInt32>) {
      self.names = names
      self.groups = groups
      self.uids = uids
    }
  }

  /// The file's name without `.yaml`.
  public let name: String
  /// Restrict or authorize.
  public let effect: Effect
  /// Patterns of app ids: `*`, `org.example.*`.
  public let apps: [Glob]
  /// The users it is about; everybody when nil.
  public let users: Users?
  /// The levels it is about.
  public let accessLevels: Set<AccessLevel>
  /// Why, for the owner and the app.
  public let reason: LocalizedText?
  /// The file that says so.
  public let file: String

  /// A policy as its file states it.
  public init(
    name: String, effect: Effect, apps: [Glob], users: Users?, accessLevels: Set<AccessLevel>,
    reason: LocalizedText?, file: String
  ) {
    self.name = name
    self.effect = effect
    self.apps = apps
    self.users = users
    self.accessLevels = accessLevels
    self.reason = reason
    self.file = file
  }

  /// Whether it is about this record.
  public func applies(to key: RecordKey) -> Bool {
    accessLevels.contains(key.accessLevel) && users?.uids.contains(key.uid) ?? true
      && apps.contains { $0.matches(key.appID) || restricts($0, programOf: key.appID) }
  }

  /// A path is enough to refuse a program that has no manifest, whichever file is there; to grant, its whole id is
  /// to be named.
  private func restricts(_ pattern: Glob, programOf appID: String) -> Bool {
    guard effect == .restrict, let end = appID.utf8.firstIndex(of: UInt8(ascii: "#")) else { return false }
    return pattern.matches(String(appID[..<end]))
  }
}

/// The policies in force.
public struct PolicySet: Hashable, Sendable {
  /// Those that restrict first, then by name: the first that applies decides.
  public let policies: [Policy]

  /// Takes policies in any order.
  public init(_ policies: [Policy] = []) {
    self.policies = policies.sorted { left, right in
      left.effect == right.effect ? left.name < right.name : left.effect == .restrict
    }
  }

  /// The policy that decides this record: one that restricts, before any that authorizes (rule S37).
  public func policy(for key: RecordKey) -> Policy? {
    policies.first { $0.applies(to: key) }
  }
}
