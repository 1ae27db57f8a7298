public import Varlink

extension LibraryInterface {
  /// The caller may not do this (S15).
  public struct NotAuthorized: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.NotAuthorized"
    /// The level that it needs.
    public var accessLevel: AuthorizationInterface.AccessLevel
    /// The caller's status.
    public var status: AuthorizationInterface.AuthorizationStatus
    /// What to show the person.
    public var guide: AuthorizationInterface.Guide

    /// Every field by name; absent optionals stay off the wire.
    public init(
      accessLevel: AuthorizationInterface.AccessLevel, status: AuthorizationInterface.AuthorizationStatus,
      guide: AuthorizationInterface.Guide
    ) {
      self.accessLevel = accessLevel
      self.status = status
      self.guide = guide
    }
  }

  /// No such asset, as far as the caller may see (S16).
  public struct NoSuchAsset: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.NoSuchAsset"
    /// The id.
    public var id: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String) {
      self.id = id
    }
  }

  /// No such album, as far as the caller may see (S16).
  public struct NoSuchAlbum: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.NoSuchAlbum"
    /// The id.
    public var id: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String) {
      self.id = id
    }
  }

  /// The token leads nowhere any more (S27).
  public struct TokenExpired: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.TokenExpired"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }

  /// The root cannot be reached (S41).
  public struct Offline: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.Offline"
    /// Its name.
    public var root: String

    /// Every field by name; absent optionals stay off the wire.
    public init(root: String) {
      self.root = root
    }
  }

  /// Neither a photo nor a video (S31).
  public struct NotMedia: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.NotMedia"
    /// Its index among the items.
    public var item: Int

    /// Every field by name; absent optionals stay off the wire.
    public init(item: Int) {
      self.item = item
    }
  }

  /// Larger than the configuration allows.
  public struct TooLarge: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.TooLarge"
    /// Its index among the items.
    public var item: Int
    /// The most bytes.
    public var limit: Int64

    /// Every field by name; absent optionals stay off the wire.
    public init(item: Int, limit: Int64) {
      self.item = item
      self.limit = limit
    }
  }

  /// The library's file system is full.
  public struct NoSpace: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.NoSpace"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }

  /// A descriptor that is no use.
  public struct InvalidFileDescriptor: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.InvalidFileDescriptor"
    /// The index of the item.
    public var item: Int
    /// What is the matter.
    public var reason: String

    /// Every field by name; absent optionals stay off the wire.
    public init(item: Int, reason: String) {
      self.item = item
      self.reason = reason
    }
  }
}
