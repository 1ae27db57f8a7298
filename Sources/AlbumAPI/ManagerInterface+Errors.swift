public import Varlink

extension ManagerInterface {
  /// The caller may not act as an owner (S44).
  public struct NotAnOwner: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Manager.NotAnOwner"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }

  /// No app of this id.
  public struct NoSuchApp: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Manager.NoSuchApp"
    /// The id.
    public var id: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String) {
      self.id = id
    }
  }

  /// A policy decides (S37).
  public struct LockedByPolicy: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Manager.LockedByPolicy"
    /// The policy file.
    public var policy: String

    /// Every field by name; absent optionals stay off the wire.
    public init(policy: String) {
      self.policy = policy
    }
  }

  /// The configuration has errors (S38).
  public struct InvalidConfiguration: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Manager.InvalidConfiguration"
    /// One line per error.
    public var errors: [String]

    /// Every field by name; absent optionals stay off the wire.
    public init(errors: [String]) {
      self.errors = errors
    }
  }
}
