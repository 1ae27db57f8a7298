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

  /// Whether an album belongs to the result.
  public func includes(_ album: Album) -> Bool {
    if let parent, album.parent != parent { return false }
    if let identifiers, !identifiers.contains(album.id) { return false }
    return true
  }

  /// Whether one album comes before another: by the bytes of its title, then by id.
  public func areInOrder(_ one: Album, _ other: Album) -> Bool {
    let (a, b) = (one.nameBytes, other.nameBytes)
    return a == b ? one.id < other.id : a.lexicographicallyPrecedes(b)
  }

  /// Fetches.
  public func fetch(on connection: AlbumConnection) throws(AlbumError) -> FetchResult<Album> {
    let reply = try connection.albums(in: parent, ids: identifiers.map { $0.sorted() })
    return FetchResult(self, fetched: reply.albums, token: PersistentChangeToken(both: reply.token))
  }
}
