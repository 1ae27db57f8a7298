internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage

/// Knows what apps see.
@EventLoopActor
protocol AssetVisibility {
  /// Those of these assets, by their public ids, that an app sees. Others have their turn in between.
  func visible(_ assets: Set<String>, to app: PeerIdentity) async -> Set<String>
}

/// By the index, and the app's view of it.
struct VisibleAssets: AssetVisibility {
  let access: LibraryAccess
  let store: any LibraryReading

  func visible(_ assets: Set<String>, to app: PeerIdentity) async -> Set<String> {
    var visible: Set<String> = []
    var view: LibraryView?
    for (number, id) in assets.enumerated() {
      if number % LibraryService.lookedUpAtOnce == 0 {
        if number > 0 { await EventLoopActor.giveWay() }
        view = access.view(of: app)
      }
      let asset = store.ids.asset(id).flatMap { try? store.files.asset($0) }
      if let view, let asset, view.sees(asset) { visible.insert(id) }
    }
    return visible
  }
}
