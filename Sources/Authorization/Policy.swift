/// What the administrator decided for apps and users, in a file of `policies.d` (rule S37).
package struct Policy: Hashable, Sendable {
  /// What a policy does.
  package enum Effect: String, Hashable, Sendable, CaseIterable {
    /// Refuses; beats everything.
    case restrict
    /// Grants; beats what the owner decided.
    case authorize

    /// The status it gives.
    package var status: AuthorizationStatus {
      switch self {
      case .restrict: .restricted
      case .authorize: .authorized
      }
    }
  }

  /// Whom it is about. Names are kept to be shown; matching goes by the ids they were resolved to.
  package struct Users: Hashable, Sendable {
    /// User names as written.
    package let names: [String]
    /// Group names as written.
    package let groups: [String]
    /// The ids of all of them, resolved when the file was read.
    package let uids: Set<UInt32>

    /// These users and the members of these groups.
    package init(names: [String], groups: [String], uids: Set<UInt32>) {
      self.names = names
      self.groups = groups
      self.uids = uids
    }
  }

  /// The file's name without `.yaml`.
  package let name: String
  /// Restrict or authorize.
  package let effect: Effect
  /// Patterns of app ids: `*`, `org.example.*`.
  package let apps: [Glob]
  /// The users it is about; everybody when nil.
  package let users: Users?
  /// The levels it is about.
  package let accessLevels: Set<AccessLevel>
  /// Whether what it grants includes where pictures were taken (rule S55).
  package let includesLocation: Bool
  /// Why, for the owner and the app.
  package let reason: LocalizedText?
  /// The file that says so.
  package let file: String

  /// A policy as its file states it.
  package init(
    name: String, effect: Effect, apps: [Glob], users: Users?, accessLevels: Set<AccessLevel>,
    includesLocation: Bool = false, reason: LocalizedText?, file: String
  ) {
    self.name = name
    self.effect = effect
    self.apps = apps
    self.users = users
    self.accessLevels = accessLevels
    self.includesLocation = includesLocation
    self.reason = reason
    self.file = file
  }

  /// Whether it is about this record.
  package func applies(to key: RecordKey) -> Bool {
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
package struct PolicySet: Hashable, Sendable {
  /// Those that restrict first, then by name: the first that applies decides.
  package let policies: [Policy]

  /// Takes policies in any order.
  package init(_ policies: [Policy] = []) {
    self.policies = policies.sorted { left, right in
      left.effect == right.effect ? left.name < right.name : left.effect == .restrict
    }
  }

  /// The policy that decides this record: one that restricts, before any that authorizes (rule S37).
  package func policy(for key: RecordKey) -> Policy? {
    policies.first { $0.applies(to: key) }
  }
}
