public import Varlink

extension ManagerInterface {
  /// An asset that was deleted and can be restored (S33).
  public struct DeletedAsset: Codable, Hashable, Sendable {
    /// Its id, that of the asset it was and will be again.
    public var id: String
    /// Its file's name.
    public var filename: String
    /// The name without loss, when it is not UTF-8: the bytes that are not, and `%`, as `%XX`.
    public var percentEncodedFilename: String?
    /// The albums it was in that are still there.
    public var albums: [String]
    /// What it is.
    public var mediaType: LibraryInterface.MediaType
    /// The size of its file.
    public var byteCount: Int64
    /// When it was deleted.
    public var deleted: Instant
    /// When it is removed for good.
    public var purge: Instant
    /// The app that deleted it; absent for an owner.
    public var appId: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String, filename: String, percentEncodedFilename: String? = nil, albums: [String],
      mediaType: LibraryInterface.MediaType, byteCount: Int64, deleted: Instant, purge: Instant,
      appId: String? = nil
    ) {
      self.id = id
      self.filename = filename
      self.percentEncodedFilename = percentEncodedFilename
      self.albums = albums
      self.mediaType = mediaType
      self.byteCount = byteCount
      self.deleted = deleted
      self.purge = purge
      self.appId = appId
    }
  }

  /// What was deleted and can be restored.
  public enum ListDeleted: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.ListDeleted"
    /// No parameters.
    public typealias Parameters = Empty
    /// Some of it.
    public struct Reply: Codable, Hashable, Sendable {
      /// The assets.
      public var assets: [DeletedAsset]

      /// Every field by name; absent optionals stay off the wire.
      public init(assets: [DeletedAsset]) {
        self.assets = assets
      }
    }
  }

  /// Restores deleted assets.
  public enum RestoreDeleted: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.RestoreDeleted"
    /// Which.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The assets.
      public var ids: [String]

      /// Every field by name; absent optionals stay off the wire.
      public init(ids: [String]) {
        self.ids = ids
      }
    }
    /// What was restored.
    public struct Reply: Codable, Hashable, Sendable {
      /// The ids of what was restored.
      public var restored: [String]

      /// Every field by name; absent optionals stay off the wire.
      public init(restored: [String]) {
        self.restored = restored
      }
    }
  }

  /// Removes deleted assets for good.
  public enum PurgeDeleted: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Manager.PurgeDeleted"
    /// Which.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The assets; all when absent.
      public var ids: [String]?

      /// Every field by name; absent optionals stay off the wire.
      public init(ids: [String]? = nil) {
        self.ids = ids
      }
    }
    /// How many.
    public struct Reply: Codable, Hashable, Sendable {
      /// How many were removed.
      public var count: Int
      /// Why not all were; nil when nothing was in the way.
      public var problem: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(count: Int, problem: String? = nil) {
        self.count = count
        self.problem = problem
      }
    }
  }

  /// No deleted asset of this id.
  public struct NoSuchDeletedAsset: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Manager.NoSuchDeletedAsset"
    /// The id.
    public var id: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String) {
      self.id = id
    }
  }

  /// A deleted asset cannot be put back, or be removed (S33).
  public struct CannotRestore: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Manager.CannotRestore"
    /// The id.
    public var id: String
    /// Why.
    public var reason: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String, reason: String) {
      self.id = id
      self.reason = reason
    }
  }
}
