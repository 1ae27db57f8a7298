public import Varlink

extension AuthorizationInterface {
  /// No agent is there to show the prompt (S12).
  public struct NoAgent: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Authorization.NoAgent"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }

  /// The app does not say why it needs access (S14).
  public struct UsageDescriptionMissing: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Authorization.UsageDescriptionMissing"
    /// The caller's app id.
    public var appId: String
    /// The level without a description.
    public var accessLevel: AccessLevel
    /// The file to write, and the key in it.
    public var manifest: String

    /// Every field by name; absent optionals stay off the wire.
    public init(appId: String, accessLevel: AccessLevel, manifest: String) {
      self.appId = appId
      self.accessLevel = accessLevel
      self.manifest = manifest
    }
  }

  /// The owner put it off too often (S13).
  public struct Throttled: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Authorization.Throttled"
    /// Seconds until a request is shown again.
    public var retryAfterSeconds: Int

    /// Every field by name; absent optionals stay off the wire.
    public init(retryAfterSeconds: Int) {
      self.retryAfterSeconds = retryAfterSeconds
    }
  }

  /// Too many prompts (S13).
  public struct Busy: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Authorization.Busy"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }

  /// Nobody can tell who the caller is (S36).
  public struct UnidentifiedPeer: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Authorization.UnidentifiedPeer"
    /// What could not be read.
    public var reason: String

    /// Every field by name; absent optionals stay off the wire.
    public init(reason: String) {
      self.reason = reason
    }
  }
}
