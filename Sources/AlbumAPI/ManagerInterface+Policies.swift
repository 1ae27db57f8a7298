public import Varlink

extension ManagerInterface {
  /// What a policy does (S37).
  public enum PolicyEffect: String, Codable, CaseIterable, Hashable, Sendable {
    /// Refuses.
    case restrict
    /// Grants.
    case authorize
  }

  /// What the administrator decided (S37).
  public struct Policy: Codable, Hashable, Sendable {
    /// The file's name without its ending.
    public var name: String
    /// The file.
    public var file: String
    /// What it does.
    public var effect: PolicyEffect
    /// Patterns of app ids.
    public var apps: [String]
    /// The users it is about; everybody when there are neither users nor groups.
    public var users: [String]?
    /// The groups it is about.
    public var groups: [String]?
    /// The levels it is about.
    public var accessLevels: [AccessLevel]
    /// Why.
    public var reason: String?
    /// How many known apps it decides about now.
    public var appCount: Int

    /// Every field by name; absent optionals stay off the wire.
    public init(
      name: String, file: String, effect: PolicyEffect, apps: [String], users: [String]? = nil,
      groups: [String]? = nil, accessLevels: [AccessLevel], reason: String? = nil, appCount: Int
    ) {
      self.name = name
      self.file = file
      self.effect = effect
      self.apps = apps
      self.users = users
      self.groups = groups
      self.accessLevels = accessLevels
      self.reason = reason
      self.appCount = appCount
    }
  }

  /// The policies in force.
  public enum ListPolicies: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.ListPolicies"
    /// For whom.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The language of the reasons.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(language: String? = nil) {
        self.language = language
      }
    }
    /// All of them, those first that decide first.
    public struct Reply: Codable, Hashable, Sendable {
      /// The policies.
      public var policies: [Policy]

      /// Every field by name; absent optionals stay off the wire.
      public init(policies: [Policy]) {
        self.policies = policies
      }
    }
  }
}
