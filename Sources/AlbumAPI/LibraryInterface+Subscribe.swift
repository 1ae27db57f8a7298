public import Varlink

extension LibraryInterface {
  /// Changes as a stream (S24–S28).
  public enum Subscribe: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.Subscribe"
    /// About what, and since when.
    public struct Parameters: Codable, Hashable, Sendable {
      /// About these assets.
      public var assets: AssetScope?
      /// About the list of albums instead.
      public var albums: Bool?
      /// The token to go on from.
      public var since: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(assets: AssetScope? = nil, albums: Bool? = nil, since: String? = nil) {
        self.assets = assets
        self.albums = albums
        self.since = since
      }
    }
    /// One delivery. `Item` is ``Asset`` or ``Album``, by what the subscription is about.
    public struct Delivery<Item: Codable & Hashable & Sendable>: Codable, Hashable, Sendable {
      /// The place after these changes.
      public var token: String
      /// False when changes were lost, or what may be seen is another altogether: fetch anew.
      public var hasIncrementalChanges: Bool
      /// Visible now and not before.
      public var inserted: [Item]
      /// Visible before and not now.
      public var removed: [String]
      /// Changed.
      public var changed: [ItemChange]
      /// Went from one album to another.
      public var moved: [ItemMove]

      /// Every field by name; absent optionals stay off the wire.
      public init(
        token: String, hasIncrementalChanges: Bool, inserted: [Item], removed: [String],
        changed: [ItemChange], moved: [ItemMove]
      ) {
        self.token = token
        self.hasIncrementalChanges = hasIncrementalChanges
        self.inserted = inserted
        self.removed = removed
        self.changed = changed
        self.moved = moved
      }
    }
    /// A delivery whose items' type is not known yet.
    public typealias Reply = Delivery<JSON>
  }

  /// Which assets a subscription is about.
  public struct AssetScope: Codable, Hashable, Sendable {
    /// Those of these albums.
    public var albums: [String]?
    /// These.
    public var ids: [String]?

    /// Every field by name; absent optionals stay off the wire.
    public init(albums: [String]? = nil, ids: [String]? = nil) {
      self.albums = albums
      self.ids = ids
    }
  }

  /// An asset or album that changed (S25).
  public struct ItemChange: Codable, Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Whether its content changed.
    public var contentChanged: Bool
    /// The asset as it is now.
    public var asset: Asset?
    /// The album as it is now.
    public var album: Album?

    /// Every field by name; absent optionals stay off the wire.
    public init(id: String, contentChanged: Bool, asset: Asset? = nil, album: Album? = nil) {
      self.id = id
      self.contentChanged = contentChanged
      self.asset = asset
      self.album = album
    }
  }

  /// An asset or album that went elsewhere.
  public struct ItemMove: Codable, Hashable, Sendable {
    /// Its id.
    public var id: String
    /// Whether the content of the asset changed as well; nil for an album.
    public var contentChanged: Bool?
    /// What held it before.
    public var from: [String]
    /// What holds it now.
    public var to: [String]
    /// The asset as it is now.
    public var asset: Asset?
    /// The album as it is now.
    public var album: Album?

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String, contentChanged: Bool? = nil, from: [String], to: [String], asset: Asset? = nil,
      album: Album? = nil
    ) {
      self.id = id
      self.contentChanged = contentChanged
      self.from = from
      self.to = to
      self.asset = asset
      self.album = album
    }
  }
}
