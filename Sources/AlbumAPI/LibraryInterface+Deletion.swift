public import Varlink

extension LibraryInterface {
  /// Deletes assets (S33).
  public enum DeleteAssets: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.DeleteAssets"
    /// Which.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The assets.
      public var ids: [String]

      /// Every field by name; absent optionals stay off the wire.
      public init(ids: [String]) {
        self.ids = ids
      }
    }
    /// What was deleted.
    public struct Reply: Codable, Hashable, Sendable {
      /// The ids of what was deleted.
      public var deleted: [String]

      /// Every field by name; absent optionals stay off the wire.
      public init(deleted: [String]) {
        self.deleted = deleted
      }
    }
  }

  /// Overwrites an asset (S33).
  public enum ReplaceAsset: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.ReplaceAsset"
    /// Which, and with what.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The asset.
      public var id: String
      /// The index of the new content's descriptor.
      public var fileDescriptor: Int

      /// Every field by name; absent optionals stay off the wire.
      public init(id: String, fileDescriptor: Int) {
        self.id = id
        self.fileDescriptor = fileDescriptor
      }
    }
    /// The asset.
    public struct Reply: Codable, Hashable, Sendable {
      /// The asset as it is now.
      public var asset: Asset

      /// Every field by name; absent optionals stay off the wire.
      public init(asset: Asset) {
        self.asset = asset
      }
    }
  }

  /// The owner was asked and did not agree (S33).
  public struct UserRefused: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.UserRefused"

    /// Every field by name; absent optionals stay off the wire.
    public init() {
    }
  }
}
