public import Varlink

/// `io.albumd.Authorization`: what a peer may do, asked by itself. The definition explains every field.
public enum AuthorizationInterface {
  /// `addOnly` or `readWrite`.
  public enum AccessLevel: String, Codable, CaseIterable, Hashable, Sendable {
    /// May add, never read.
    case addOnly
    /// May read, and add.
    case readWrite
  }

  /// The five statuses (S1).
  public enum AuthorizationStatus: String, Codable, CaseIterable, Hashable, Sendable {
    /// Nobody was asked yet.
    case notDetermined
    /// A policy forbids it.
    case restricted
    /// The owner refused.
    case denied
    /// Granted.
    case authorized
    /// Granted for a selection.
    case limited
  }

  /// How the daemon sees a peer (S35, S36).
  public struct Identity: Codable, Hashable, Sendable {
    /// The app's id.
    public var appId: String
    /// The user id of the process.
    public var uid: Int
    /// What the id was derived from, for a person to read.
    public var evidence: String
    /// Whether the peer's user could not have forged the evidence.
    public var verified: Bool
    /// The manifest's path.
    public var manifest: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(appId: String, uid: Int, evidence: String, verified: Bool, manifest: String? = nil) {
      self.appId = appId
      self.uid = uid
      self.evidence = evidence
      self.verified = verified
      self.manifest = manifest
    }
  }

  /// What to show a person whose app was refused (S15).
  public struct Guide: Codable, Hashable, Sendable {
    /// A headline.
    public var title: String
    /// What is the matter.
    public var message: String
    /// What to do, in order.
    public var steps: [String]
    /// The command that opens the app's settings.
    public var settingsCommand: String?
    /// The address of a settings page.
    public var settingsAddress: String?
    /// What the button says that closes the guide.
    public var later: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      title: String, message: String, steps: [String], settingsCommand: String? = nil,
      settingsAddress: String? = nil, later: String? = nil
    ) {
      self.title = title
      self.message = message
      self.steps = steps
      self.settingsCommand = settingsCommand
      self.settingsAddress = settingsAddress
      self.later = later
    }
  }

  /// Who the caller is.
  public enum WhoAmI: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Authorization.WhoAmI"
    /// No parameters.
    public typealias Parameters = Empty
    /// The identity.
    public struct Reply: Codable, Hashable, Sendable {
      /// The caller's identity.
      public var identity: Identity

      /// Every field by name; absent optionals stay off the wire.
      public init(identity: Identity) {
        self.identity = identity
      }
    }
  }

  /// The caller's status (S5).
  public enum GetStatus: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Authorization.GetStatus"
    /// Which level.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The level asked about.
      public var accessLevel: AccessLevel
      /// The language for a guide; none is wanted when nil.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(accessLevel: AccessLevel, language: String? = nil) {
        self.accessLevel = accessLevel
        self.language = language
      }
    }
    /// The status.
    public struct Reply: Codable, Hashable, Sendable {
      /// The status now.
      public var status: AuthorizationStatus
      /// When the grant ends.
      public var expires: Instant?
      /// How much is selected that is there and not hidden from the caller, when limited.
      public var selectionCount: Int?
      /// What to show where access is not there, in the language that was named.
      public var guide: Guide?

      /// Every field by name; absent optionals stay off the wire.
      public init(
        status: AuthorizationStatus, expires: Instant? = nil, selectionCount: Int? = nil, guide: Guide? = nil
      ) {
        self.status = status
        self.expires = expires
        self.selectionCount = selectionCount
        self.guide = guide
      }
    }
  }

  /// Asks the owner (S7–S15).
  public enum Request: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Authorization.Request"
    /// What is wanted.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The level wanted.
      public var accessLevel: AccessLevel
      /// Wait for an agent (S12).
      public var waitForAgent: Bool?
      /// The language for the guide.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(accessLevel: AccessLevel, waitForAgent: Bool? = nil, language: String? = nil) {
        self.accessLevel = accessLevel
        self.waitForAgent = waitForAgent
        self.language = language
      }
    }
    /// The outcome.
    public struct Reply: Codable, Hashable, Sendable {
      /// The status now.
      public var status: AuthorizationStatus
      /// What to show when refused.
      public var guide: Guide?

      /// Every field by name; absent optionals stay off the wire.
      public init(status: AuthorizationStatus, guide: Guide? = nil) {
        self.status = status
        self.guide = guide
      }
    }
  }

  /// The caller's statuses and every change of them (S29).
  public enum Monitor: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Authorization.Monitor"
    /// No parameters.
    public typealias Parameters = Empty
    /// One status.
    public struct Reply: Codable, Hashable, Sendable {
      /// The level that this is about.
      public var accessLevel: AccessLevel
      /// Its status.
      public var status: AuthorizationStatus
      /// How much is selected that is there and not hidden from the caller, when limited.
      public var selectionCount: Int?

      /// Every field by name; absent optionals stay off the wire.
      public init(accessLevel: AccessLevel, status: AuthorizationStatus, selectionCount: Int? = nil) {
        self.accessLevel = accessLevel
        self.status = status
        self.selectionCount = selectionCount
      }
    }
  }

  /// Has the owner change a selection (S20).
  public enum PresentLimitedPicker: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Authorization.PresentLimitedPicker"
    /// No parameters.
    public typealias Parameters = Empty
    /// What was added.
    public struct Reply: Codable, Hashable, Sendable {
      /// Selected now and not before.
      public var addedAssets: [String]

      /// Every field by name; absent optionals stay off the wire.
      public init(addedAssets: [String]) {
        self.addedAssets = addedAssets
      }
    }
  }
}
