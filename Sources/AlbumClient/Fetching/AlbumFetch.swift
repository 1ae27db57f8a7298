public import AlbumAPI

/// A fetch of albums, which come by title.
public struct AlbumFetch: PhotoFetch {
  /// Only those directly in this album; in any or none when nil.
  public var parent: String?
  /// Only these; any when nil.
  public var identifiers: Set<String>?

  /// All albums, unless said otherwise.
  public init(parent: String? = nil, identifiers: Set<String>? = nil) {
    self.parent = parent
    self.identifiers = identifiers
  }

  /// None: albums come all at once.
  public var limit: Int? { nil }

  /// Always.
  public var ascending: Bool { true }

  /// Whether an album belongs to the result.
  public func includes(_ album: Album) -> Bool {
    if let parent, album.parent != parent { return false }
    if let identifiers, !identifiers.contains(album.id) { return false }
    return true
  }

  /// Whether one album comes before another: by the bytes of its title.
  public func areInOrder(_ one: Album, _ other: Album) -> Bool {
    one.nameBytes.lexicographicallyPrecedes(other.nameBytes)
  }

  /// Fetches.
  public func fetch(on connection: AlbumConnection) throws(AlbumError) -> FetchResult<Album> {
    var albums: [Album] = []
    var token: String?
    for identifiers in IdentifierBatches(identifiers) {
      let reply = try connection.albums(in: parent, ids: identifiers)
      albums += reply.albums
      token = token ?? reply.token
    }
    return FetchResult(self, fetched: albums, token: PersistentChangeToken(both: token ?? ""))
  }
}
