public import AlbumAPI

/// A fetch of albums, which come by title, or of the smart ones, in the order of ``SmartAlbumKind`` (S93).
public struct AlbumFetch: PhotoFetch {
  /// Only those directly in this album; in any or none when nil.
  public var parent: String?
  /// Only these; any when nil.
  public var identifiers: Set<String>?

  /// Whether it is of the smart ones, which lie in none, instead of those that are directories. What is fetched of those is as
  /// of then: no change tells that their counts are others.
  public var isSmart: Bool

  /// All albums that are directories, unless said otherwise.
  public init(parent: String? = nil, identifiers: Set<String>? = nil, isSmart: Bool = false) {
    self.parent = parent
    self.identifiers = identifiers
    self.isSmart = isSmart
  }

  /// None: albums come all at once.
  public var limit: Int? { nil }

  /// Always.
  public var ascending: Bool { true }

  /// Whether an album belongs to the result.
  public func includes(_ album: Album) -> Bool {
    if isSmart != (album.smart != nil) { return false }
    if let parent, album.parent != parent { return false }
    if let identifiers, !identifiers.contains(album.id) { return false }
    return true
  }

  /// Whether one album comes before another: by the bytes of its title; smart ones as their kinds do.
  public func areInOrder(_ one: Album, _ other: Album) -> Bool {
    if let first = one.smart, let second = other.smart {
      return Self.place(of: first) < Self.place(of: second)
    }
    return one.nameBytes.lexicographicallyPrecedes(other.nameBytes)
  }

  private static func place(of kind: SmartAlbumKind) -> Int {
    SmartAlbumKind.allCases.firstIndex(of: kind) ?? 0
  }

  /// Fetches.
  public func fetch(on connection: AlbumConnection) throws(AlbumError) -> FetchResult<Album> {
    var albums: [Album] = []
    var token: String?
    for identifiers in IdentifierBatches(identifiers) {
      let reply = try connection.albums(in: parent, ids: identifiers, smart: isSmart)
      albums += reply.albums
      token = token ?? reply.token
    }
    return FetchResult(self, fetched: albums, token: PersistentChangeToken(both: token ?? ""))
  }
}
