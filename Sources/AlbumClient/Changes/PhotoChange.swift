public import AlbumAPI

/// Something happened to the library. PhotoKit: `PHChange`, and `PHPersistentChange` for its token.
public struct PhotoChange: Sendable {
  /// What happened to assets.
  public let assets: ObjectChanges<Asset>
  /// What happened to the list of albums.
  public let albums: ObjectChanges<Album>
  /// The place after this change: whoever comes back with it is told everything since (S26).
  public let token: PersistentChangeToken
  /// What the app may do from now on, where that is what changed: access was granted, and everything is to be fetched;
  /// or it was taken away, and there is nothing to show (S70). Nil for what happened in the library. PhotoKit has none:
  /// there, the app is started anew.
  public let authorizationStatus: AuthorizationStatus?
  let lanes: CallLanes

  init(
    _ lanes: CallLanes, assets: ObjectChanges<Asset> = .init(), albums: ObjectChanges<Album> = .init(),
    token: PersistentChangeToken, authorizationStatus: AuthorizationStatus? = nil
  ) {
    self.lanes = lanes
    self.assets = assets
    self.albums = albums
    self.token = token
    self.authorizationStatus = authorizationStatus
  }

  /// Access was taken away.
  init(_ lanes: CallLanes, withoutAccess status: AuthorizationStatus, token: PersistentChangeToken) {
    self.init(
      lanes, assets: .init(hasIncrementalChanges: false), albums: .init(hasIncrementalChanges: false),
      token: token, authorizationStatus: status)
  }

  /// How a result is after this change; nil when it is as it was. PhotoKit: `changeDetails(for:)`;
  /// **differs**: it waits, for a fetch is needed where changes were lost or came up from beyond the
  /// result's limit. Then the details have no incremental changes.
  ///
  /// A result that is of a later state than the change, such as one that was fetched anew, is taken back to
  /// what the change tells: what went since may come again, until the changes that follow are applied as well.
  /// Apply them all, and it ends where a fetch does.
  ///
  /// Without access any more, nothing is left of it, and nothing is fetched.
  ///
  /// - Throws: ``AlbumError`` of that fetch.
  public func changeDetails<Object: PhotoObject>(
    for result: FetchResult<Object>
  ) async throws -> FetchResultChangeDetails<Object>? {
    if let authorizationStatus, !authorizationStatus.isUsable {
      let nothing = FetchResult<Object>(result.fetch, sorted: [], token: token)
      return result.isEmpty ? nil : FetchResultChangeDetails(before: result, fetchedAnew: nothing)
    }
    if result.fetch.isFetchedAnew(after: albums) {
      return FetchResultChangeDetails(before: result, fetchedAnew: try await lanes.fetch(result.fetch))
    }
    switch result.consequence(of: Object.changes(in: self), token: token) {
    case .none: return nil
    case .details(let details): return details
    case .fetchAnew:
      return FetchResultChangeDetails(before: result, fetchedAnew: try await lanes.fetch(result.fetch))
    }
  }
}

/// What happened to assets, or to albums. PhotoKit: `PHPersistentObjectChangeDetails`; **differs**: it has
/// the objects, not only their ids.
public struct ObjectChanges<Object: PhotoObject>: Hashable, Sendable {
  /// Visible now and not before.
  public let inserted: [Object]
  /// Visible and different, as they are now; what went from one album to another is among them.
  public let updated: [Object]
  /// The ids of those that were visible and are not any more.
  public let removed: [String]
  /// The ids of updated ones whose content changed (S25).
  public let contentChanged: Set<String>
  /// False when changes were lost: fetch anew. PhotoKit: error 3210.
  public let hasIncrementalChanges: Bool

  init(
    inserted: [Object] = [], updated: [Object] = [], removed: [String] = [],
    contentChanged: Set<String> = [], hasIncrementalChanges: Bool = true
  ) {
    self.inserted = inserted
    self.updated = updated
    self.removed = removed
    self.contentChanged = contentChanged
    self.hasIncrementalChanges = hasIncrementalChanges
  }

  /// Whether nothing happened.
  public var isEmpty: Bool {
    hasIncrementalChanges && inserted.isEmpty && updated.isEmpty && removed.isEmpty
  }

  /// Each object that it is about by its id, as it is now: nil in a value when it is gone.
  var latest: [String: Object?] {
    var latest: [String: Object?] = [:]
    for object in inserted + updated { latest[object.localIdentifier] = .some(object) }
    for id in removed { latest[id] = .some(nil) }
    return latest
  }
}

extension ObjectChanges<Asset> {
  init(_ delivery: LibraryInterface.Subscribe.Delivery<Asset>) {
    self.init(delivery, \.asset, \.asset)
  }
}

extension ObjectChanges<Album> {
  init(_ delivery: LibraryInterface.Subscribe.Delivery<Album>) {
    self.init(delivery, \.album, \.album)
  }
}

extension ObjectChanges {
  fileprivate init(
    _ delivery: LibraryInterface.Subscribe.Delivery<Object>,
    _ changed: (LibraryInterface.ItemChange) -> Object?, _ moved: (LibraryInterface.ItemMove) -> Object?
  ) where Object: Codable {
    self.init(
      inserted: delivery.inserted,
      updated: delivery.changed.compactMap(changed) + delivery.moved.compactMap(moved),
      removed: delivery.removed,
      contentChanged: Set(
        delivery.changed.filter(\.contentChanged).map(\.id)
          + delivery.moved.filter { $0.contentChanged ?? false }.map(\.id)),
      hasIncrementalChanges: delivery.hasIncrementalChanges)
  }
}
