public import AlbumAPI

/// Something of the library that can be fetched: an ``Asset`` or an ``Album``. PhotoKit: `PHObject`.
public protocol PhotoObject: Hashable, Sendable {
  /// What a fetch of such objects asks for.
  associatedtype Fetch: PhotoFetch where Fetch.Object == Self

  /// Keeps for the object's life (S39). PhotoKit: `localIdentifier`.
  var localIdentifier: String { get }

  /// What a change says about such objects.
  static func changes(in change: PhotoChange) -> ObjectChanges<Self>
}

/// Which objects a fetch asks for, and in which order: what it takes to say how a change alters its result.
public protocol PhotoFetch: Hashable, Sendable {
  /// What is fetched.
  associatedtype Object: PhotoObject where Object.Fetch == Self

  /// The most objects; all when nil.
  var limit: Int? { get }

  /// Whether the youngest of equal ones comes last.
  var ascending: Bool { get }

  /// Whether an object belongs to the result.
  func includes(_ object: Object) -> Bool

  /// Whether one object comes before another, by what the fetch sorts by. Where neither does, the daemon knows
  /// the order, and finer.
  func areInOrder(_ one: Object, _ other: Object) -> Bool

  /// Whether what changes does not tell how its result is then, so that it is fetched anew at each change; false unless it says
  /// otherwise.
  var isFetchedAnew: Bool { get }

  /// Whether what happened to albums may make another result of it; false unless it says otherwise.
  func isFetchedAnew(after changes: ObjectChanges<Album>) -> Bool

  /// Fetches, waiting for the replies.
  ///
  /// - Throws: `notAuthorized` with the guide, and what a connection throws.
  func fetch(on connection: AlbumConnection) throws(AlbumError) -> FetchResult<Object>
}

extension PhotoFetch {
  /// Changes tell how the result is then.
  public var isFetchedAnew: Bool { false }

  /// Albums have nothing to do with it, but as its objects.
  public func isFetchedAnew(after changes: ObjectChanges<Album>) -> Bool { false }
}

extension LibraryInterface.Asset: PhotoObject {
  /// What a fetch of assets asks for.
  public typealias Fetch = AssetFetch
  /// Keeps for the asset's life (S39).
  public var localIdentifier: String { id }
  /// What a change says about assets.
  public static func changes(in change: PhotoChange) -> ObjectChanges<Self> { change.assets }
}

extension LibraryInterface.Album: PhotoObject {
  /// What a fetch of albums asks for.
  public typealias Fetch = AlbumFetch
  /// Keeps for the album's life (S47).
  public var localIdentifier: String { id }
  /// What a change says about albums.
  public static func changes(in change: PhotoChange) -> ObjectChanges<Self> { change.albums }
}
