internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage

/// Knows what apps see.
@EventLoopActor
protocol AssetVisibility {
  /// Those of these assets, by their public ids, that an app sees.
  func visible(_ assets: Set<String>, to app: PeerIdentity) -> Set<String>
}

/// By the index, and the app's view of it.
struct VisibleAssets: AssetVisibility {
  let access: LibraryAccess
  let store: any LibraryReading

  func visible(_ assets: Set<String>, to app: PeerIdentity) -> Set<String> {
    guard let view = access.view(of: app) else { return [] }
    return assets.filter { id in
      let asset = store.ids.asset(id).flatMap { try? store.files.asset($0) }
      return asset.map { view.sees($0) } ?? false
    }
  }
}
