/// Who a viewer is.
package struct ViewerKey: Hashable, Sendable {
  /// The user.
  package let uid: UInt32
  /// The app's id.
  package let app: String

  /// An app of a user.
  package init(uid: UInt32, app: String) {
    self.uid = uid
    self.app = app
  }
}

/// What a viewer is to see: the registry's word on it.
package enum ViewTarget: Hashable, Sendable {
  /// The whole library.
  case everything
  /// A selection.
  case selection(assets: Set<AssetID>, albums: Set<AlbumID>)
  /// The selection that it has, but for this.
  case changed(SelectionDifference)
}
