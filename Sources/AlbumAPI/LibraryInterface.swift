public import Varlink

/// `io.albumd.Library`: assets, albums and their changes. The definition explains every field.
public enum LibraryInterface {
  /// What kind of asset it is.
  public enum MediaType: String, Codable, CaseIterable, Hashable, Sendable {
    /// A still.
    case image
    /// A movie.
    case video
    /// A still and its paired video.
    case livePhoto
  }

  /// One file of an asset.
  public enum ResourceType: String, Codable, CaseIterable, Hashable, Sendable {
    /// The still.
    case photo
    /// The video of a live photo.
    case pairedVideo
    /// The movie.
    case video
    /// What an editor wrote beside it.
    case sidecar
  }

  /// How the library or a root is.
  public enum LibraryState: String, Codable, CaseIterable, Hashable, Sendable {
    /// Results come as they are found.
    case scanning
    /// As on disk.
    case ready
    /// Something cannot be read or watched.
    case degraded
    /// Not reachable.
    case offline
  }

  /// What fetched assets are sorted by.
  public enum SortKey: String, Codable, CaseIterable, Hashable, Sendable {
    /// When it came to be.
    case created
    /// When its content last changed.
    case modified
    /// Its name, byte by byte.
    case filename
    /// Its size.
    case byteCount
  }

  /// A photo, a video or a live photo.
  public struct Asset: Codable, Hashable, Sendable {
    /// Keeps for the asset's life (S39).
    public var id: String
    /// The file's name.
    public var filename: String
    /// The name without loss, when it is not UTF-8.
    public var percentEncodedFilename: String?
    /// The albums that hold it.
    public var albums: [String]
    /// What kind it is.
    public var mediaType: MediaType
    /// The size of the file.
    public var byteCount: Int64
    /// When it came to be.
    public var created: Instant
    /// When its content last changed.
    public var modified: Instant
    /// The files that can be opened.
    public var resources: [ResourceType]
    /// Width of the picture.
    public var pixelWidth: Int?
    /// Height of the picture.
    public var pixelHeight: Int?
    /// Length of the video.
    public var durationSeconds: Double?
    /// Whether it tells where it was taken.
    public var hasLocation: Bool?
    /// Whether its root cannot be reached.
    public var offline: Bool

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String, filename: String, percentEncodedFilename: String? = nil, albums: [String],
      mediaType: MediaType, byteCount: Int64, created: Instant, modified: Instant, resources: [ResourceType],
      pixelWidth: Int? = nil, pixelHeight: Int? = nil, durationSeconds: Double? = nil,
      hasLocation: Bool? = nil, offline: Bool
    ) {
      self.id = id
      self.filename = filename
      self.percentEncodedFilename = percentEncodedFilename
      self.albums = albums
      self.mediaType = mediaType
      self.byteCount = byteCount
      self.created = created
      self.modified = modified
      self.resources = resources
      self.pixelWidth = pixelWidth
      self.pixelHeight = pixelHeight
      self.durationSeconds = durationSeconds
      self.hasLocation = hasLocation
      self.offline = offline
    }
  }

  /// A directory of the library.
  public struct Album: Codable, Hashable, Sendable {
    /// Keeps for the album's life (S47).
    public var id: String
    /// The directory's name.
    public var title: String
    /// The name without loss, when it is not UTF-8.
    public var percentEncodedTitle: String?
    /// The album that it lies in.
    public var parent: String?
    /// How many assets the caller sees in it.
    public var assetCount: Int
    /// Whether limited apps never see it (S19).
    public var shared: Bool
    /// Whether the calling app created it (S19).
    public var createdByCaller: Bool

    /// Every field by name; absent optionals stay off the wire.
    public init(
      id: String, title: String, percentEncodedTitle: String? = nil, parent: String? = nil, assetCount: Int,
      shared: Bool, createdByCaller: Bool
    ) {
      self.id = id
      self.title = title
      self.percentEncodedTitle = percentEncodedTitle
      self.parent = parent
      self.assetCount = assetCount
      self.shared = shared
      self.createdByCaller = createdByCaller
    }
  }

  /// A directory tree of the library.
  public struct Root: Codable, Hashable, Sendable {
    /// Where it is.
    public var path: String?
    /// How it is.
    public var state: LibraryState
    /// What is the matter.
    public var problem: String?

    /// Every field by name; absent optionals stay off the wire.
    public init(path: String? = nil, state: LibraryState, problem: String? = nil) {
      self.path = path
      self.state = state
      self.problem = problem
    }
  }

  /// The state of the library.
  public enum GetInfo: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.GetInfo"
    /// No parameters.
    public typealias Parameters = Empty
    /// The state.
    public struct Reply: Codable, Hashable, Sendable {
      /// The place in the changes that this shows.
      public var token: String
      /// Assets that the caller may see.
      public var assetCount: Int
      /// Albums that the caller may see.
      public var albumCount: Int
      /// The state of the whole.
      public var state: LibraryState
      /// The roots.
      public var roots: [Root]

      /// Every field by name; absent optionals stay off the wire.
      public init(token: String, assetCount: Int, albumCount: Int, state: LibraryState, roots: [Root]) {
        self.token = token
        self.assetCount = assetCount
        self.albumCount = albumCount
        self.state = state
        self.roots = roots
      }
    }
  }

  /// Albums that the caller may see.
  public enum FetchAlbums: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.FetchAlbums"
    /// Which.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Only those directly in this album.
      public var parent: String?
      /// Only these.
      public var ids: [String]?

      /// Every field by name; absent optionals stay off the wire.
      public init(parent: String? = nil, ids: [String]? = nil) {
        self.parent = parent
        self.ids = ids
      }
    }
    /// The albums.
    public struct Reply: Codable, Hashable, Sendable {
      /// By title.
      public var albums: [Album]
      /// The place in the changes that this shows.
      public var token: String

      /// Every field by name; absent optionals stay off the wire.
      public init(albums: [Album], token: String) {
        self.albums = albums
        self.token = token
      }
    }
  }

  /// Assets that the caller may see.
  public enum FetchAssets: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.FetchAssets"
    /// Which, and in which order.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Only those in one of these albums.
      public var albums: [String]?
      /// Only these.
      public var ids: [String]?
      /// Only those of these kinds.
      public var mediaTypes: [MediaType]?
      /// Only those created at this time or later.
      public var createdAfter: Instant?
      /// Only those created before this time.
      public var createdBefore: Instant?
      /// Only those whose filename contains this.
      public var nameContains: String?
      /// The order.
      public var sort: SortKey?
      /// The other way round.
      public var descending: Bool?
      /// The most assets in a page.
      public var limit: Int?
      /// Where the page before ended.
      public var cursor: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(
        albums: [String]? = nil, ids: [String]? = nil, mediaTypes: [MediaType]? = nil,
        createdAfter: Instant? = nil, createdBefore: Instant? = nil, nameContains: String? = nil,
        sort: SortKey? = nil, descending: Bool? = nil, limit: Int? = nil, cursor: String? = nil
      ) {
        self.albums = albums
        self.ids = ids
        self.mediaTypes = mediaTypes
        self.createdAfter = createdAfter
        self.createdBefore = createdBefore
        self.nameContains = nameContains
        self.sort = sort
        self.descending = descending
        self.limit = limit
        self.cursor = cursor
      }
    }
    /// One page.
    public struct Reply: Codable, Hashable, Sendable {
      /// The page.
      public var assets: [Asset]
      /// How many match in all.
      public var total: Int
      /// The place in the changes that this shows.
      public var token: String
      /// Where to go on.
      public var cursor: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(assets: [Asset], total: Int, token: String, cursor: String? = nil) {
        self.assets = assets
        self.total = total
        self.token = token
        self.cursor = cursor
      }
    }
  }

  /// Opens a file of an asset (S43).
  public enum OpenAsset: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "io.albumd.Library.OpenAsset"
    /// Which.
    public struct Parameters: Codable, Hashable, Sendable {
      /// The asset.
      public var id: String
      /// Which of its files.
      public var resource: ResourceType?

      /// Every field by name; absent optionals stay off the wire.
      public init(id: String, resource: ResourceType? = nil) {
        self.id = id
        self.resource = resource
      }
    }
    /// The open file.
    public struct Reply: Codable, Hashable, Sendable {
      /// The asset.
      public var asset: Asset
      /// The index of a read-only descriptor.
      public var fileDescriptor: Int
      /// The extension of that file, if it is a paired video.
      public var pairedVideoExtension: String?

      /// Every field by name; absent optionals stay off the wire.
      public init(asset: Asset, fileDescriptor: Int, pairedVideoExtension: String? = nil) {
        self.asset = asset
        self.fileDescriptor = fileDescriptor
        self.pairedVideoExtension = pairedVideoExtension
      }
    }
  }
}
