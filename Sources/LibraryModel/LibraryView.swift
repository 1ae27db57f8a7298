/// What one caller may see of the library (S16, S19).
public struct LibraryView: Hashable, Sendable {
  /// How much.
  public enum Scope: Hashable, Sendable {
    /// All of it.
    case everything
    /// These assets, and whatever is in these albums: also what is added to them later (S17).
    case selection(assets: Set<AssetID>, albums: Set<AlbumID>)
  }

  /// How much.
  public let scope: Scope
  /// Albums whose assets are not seen through anything: those that are shared, for a limited app.
  public let hiddenAlbums: Set<AlbumID>

  /// The whole library.
  public static let everything = LibraryView(scope: .everything, hiddenAlbums: [])

  /// A view.
  public init(scope: Scope, hiddenAlbums: Set<AlbumID>) {
    self.scope = scope
    self.hiddenAlbums = hiddenAlbums
  }

  /// Whether an asset that is in these albums is seen.
  public func sees(_ asset: AssetID, in albums: [AlbumID]) -> Bool {
    switch scope {
    case .everything: true
    case .selection(let assets, let selected):
      (assets.contains(asset) || albums.contains { selected.contains($0) })
        && !albums.contains { hiddenAlbums.contains($0) }
    }
  }

  /// Whether an album itself is seen. A limited app sees its selected assets, not the owner's albums.
  public func sees(_ album: AlbumID) -> Bool {
    switch scope {
    case .everything: true
    case .selection: false
    }
  }

  /// Narrows a query to what is seen.
  public func narrow(_ query: AssetQuery) -> AssetQuery {
    guard case .selection(let assets, let albums) = scope else { return query }
    var query = query
    query.memberships.append(.init(ids: assets.sorted(), albums: albums.sorted()))
    query.excludedAlbums += hiddenAlbums.sorted()
    return query
  }
}
