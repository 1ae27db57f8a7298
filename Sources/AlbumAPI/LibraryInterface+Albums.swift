public import Varlink

extension LibraryInterface {
  /// Makes an album (S19).
  public enum CreateAlbum: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.CreateAlbum"
    /// What, and where.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Its title.
      public var title: String
      /// The album it shall lie in.
      public var parent: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(title: String, parent: String? = nil) {
        self.title = title
        self.parent = parent
      }
    }
    /// The album.
    public struct Reply: Codable, Hashable, Sendable {
      /// The album.
      public var album: Album

      /// Every field by name; absent optionals stay off the wire.
      public init(album: Album) {
        self.album = album
      }
    }
  }

  /// Puts assets into another album (S34).
  public enum AddToAlbum: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.AddToAlbum"
    /// Which, and where to.
    public typealias Parameters = AlbumMembership
    /// Nothing.
    public typealias Reply = Empty
  }

  /// Takes assets out of an album (S25).
  public enum RemoveFromAlbum: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.RemoveFromAlbum"
    /// Which, and of which.
    public typealias Parameters = AlbumMembership
    /// Nothing.
    public typealias Reply = Empty
  }

  /// Assets and an album.
  public struct AlbumMembership: Codable, Hashable, Sendable {
    /// The assets.
    public var ids: [String]
    /// The album.
    public var album: String

    /// Every field by name; absent optionals stay off the wire.
    public init(ids: [String], album: String) {
      self.ids = ids
      self.album = album
    }
  }

  /// The app has created as many albums as the configuration allows.
  public struct TooManyAlbums: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.TooManyAlbums"
    /// The most that may be there.
    public var limit: Int

    /// Every field by name; absent optionals stay off the wire.
    public init(limit: Int) {
      self.limit = limit
    }
  }

  /// The album would lie inside more others than the configuration allows.
  public struct TooDeep: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.TooDeep"
    /// The most albums inside one another, the new one counted.
    public var limit: Int

    /// Every field by name; absent optionals stay off the wire.
    public init(limit: Int) {
      self.limit = limit
    }
  }

  /// The asset is in no other album (S34).
  public struct LastAlbum: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.LastAlbum"
    /// The asset.
    public var id: String

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String) {
      self.id = id
    }
  }

  /// The asset cannot be in that album as well (S34).
  public struct CannotLink: VarlinkError, Hashable {
    /// The error's name on the wire.
    public static let name = "io.albumd.Library.CannotLink"
    /// The asset.
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
