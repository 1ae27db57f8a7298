public import Varlink

/// `io.albumd.Manager`: the owner's side. The definition explains every field.
public enum ManagerInterface {
  /// `addOnly` or `readWrite`.
  public typealias AccessLevel = AuthorizationInterface.AccessLevel
  /// The five statuses.
  public typealias AuthorizationStatus = AuthorizationInterface.AuthorizationStatus

  /// What an app may do, at one level.
  public struct Grant: Codable, Hashable, Sendable {
    /// The level.
    public var accessLevel: AccessLevel
    /// The status that holds now.
    public var status: AuthorizationStatus
    /// When it was decided.
    public var decided: Instant?
    /// When the grant ends.
    public var expires: Instant?
    /// Whether the grant ends with the app's process.
    public var untilExit: Bool?
    /// The policy that decides instead.
    public var policy: String?
    /// The day on which the app last made use of it.
    public var lastUsed: Instant?
    /// How many assets and albums are selected, when limited.
    public var selectionCount: Int?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      accessLevel: AccessLevel, status: AuthorizationStatus, decided: Instant? = nil, expires: Instant? = nil,
      untilExit: Bool? = nil, policy: String? = nil, lastUsed: Instant? = nil, selectionCount: Int? = nil
    ) {
      self.accessLevel = accessLevel
      self.status = status
      self.decided = decided
      self.expires = expires
      self.untilExit = untilExit
      self.policy = policy
      self.lastUsed = lastUsed
      self.selectionCount = selectionCount
    }
  }

  /// An app that is known.
  public struct App: Codable, Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Its name.
    public var name: String
    /// Who runs it.
    public var uid: Int
    /// That user's login name.
    public var user: String?
    /// Where its manifest is.
    public var manifest: String?
    /// When it was first seen.
    public var firstSeen: Instant?
    /// When it was last seen.
    public var lastSeen: Instant?
    /// Its access.
    public var grants: [Grant]

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String, name: String, uid: Int, user: String? = nil, manifest: String? = nil,
      firstSeen: Instant? = nil, lastSeen: Instant? = nil, grants: [Grant]
    ) {
      self.id = id
      self.name = name
      self.uid = uid
      self.user = user
      self.manifest = manifest
      self.firstSeen = firstSeen
      self.lastSeen = lastSeen
      self.grants = grants
    }
  }

  /// Sees the whole library from now on (S45).
  public enum ActAsOwner: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.ActAsOwner"
    /// No parameters.
    public typealias Parameters = Empty
    /// Nothing.
    public typealias Reply = Empty
  }

  /// Every app that is known.
  public enum ListApps: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.ListApps"
    /// How they are told.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Of their names.
      public var language: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(language: String? = nil) {
        self.language = language
      }
    }
    /// Some of them.
    public struct Reply: Codable, Hashable, Sendable {
      /// The apps.
      public var apps: [App]

      /// Every field by name; absent optionals stay off the wire.
      public init(apps: [App]) {
        self.apps = apps
      }
    }
  }

  /// Decides for an app (S8).
  public enum SetAuthorization: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.SetAuthorization"
    /// What is decided.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The app.
      public var appId: String
      /// Whose app.
      public var uid: Int?
      /// The level.
      public var accessLevel: AccessLevel
      /// authorized, limited or denied.
      public var status: AuthorizationStatus
      /// When the grant ends.
      public var expires: Instant?

      /// Every field by name; absent optionals stay off the wire.
      public init(
        appId: String, uid: Int? = nil, accessLevel: AccessLevel, status: AuthorizationStatus,
        expires: Instant? = nil
      ) {
        self.appId = appId
        self.uid = uid
        self.accessLevel = accessLevel
        self.status = status
        self.expires = expires
      }
    }
    /// Whether it is on disk.
    public typealias Reply = Storing
  }

  /// What became of a change.
  public struct Storing: Codable, Hashable, Sendable {
    /// False where the change takes something away, counts, and is not on disk yet; absent when it is.
    public var stored: Bool?
    /// Why it is not.
    public var reason: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(stored: Bool? = nil, reason: String? = nil) {
      self.stored = stored
      self.reason = reason
    }
  }

  /// Forgets decisions.
  public enum Reset: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.Reset"
    /// Which.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The app.
      public var appId: String?
      /// Whose app.
      public var uid: Int?
      /// The level.
      public var accessLevel: AccessLevel?

      /// Every field by name; absent optionals stay off the wire.
      public init(appId: String? = nil, uid: Int? = nil, accessLevel: AccessLevel? = nil) {
        self.appId = appId
        self.uid = uid
        self.accessLevel = accessLevel
      }
    }
    /// How many.
    public struct Reply: Codable, Hashable, Sendable {
      /// Of how many apps and levels something was forgotten.
      public var count: Int
      /// False where it counts, and is not on disk yet; absent when it is.
      public var stored: Bool?
      /// Why it is not.
      public var reason: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(count: Int, stored: Bool? = nil, reason: String? = nil) {
        self.count = count
        self.stored = stored
        self.reason = reason
      }
    }
  }

  /// Compares the library with the disk again (S42).
  public enum Rescan: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.Rescan"
    /// What is confirmed.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Roots that are offline because something else is there, which is the library now (S41).
      public var acceptRoots: [String]?

      /// Every field by name; absent optionals stay off the wire.
      public init(acceptRoots: [String]? = nil) {
        self.acceptRoots = acceptRoots
      }
    }
    /// Nothing.
    public typealias Reply = Empty
  }

  /// Reads the configuration again (S38).
  public enum Reload: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.Reload"
    /// No parameters.
    public typealias Parameters = Empty

    /// What does not count yet.
    public struct Reply: Codable, Hashable, Sendable {
      /// The keys of albumd.yaml that have changed and count only from the next start; nil when none has.
      public var needsRestart: [String]?

      /// Every field.
      public init(needsRestart: [String]? = nil) {
        self.needsRestart = needsRestart
      }
    }
  }
}
