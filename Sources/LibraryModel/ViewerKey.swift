/// Who a viewer is.
public struct ViewerKey: Hashable, Sendable {
  /// The user.
  public let uid: UInt32
  /// The app's id.
  public let app: String

  /// An app of a user.
  public init(uid: UInt32, app: String) {
    self.uid = uid
    self.app = app
  }
}

/// What a viewer is to see: the registry's word on it.
public enum ViewTarget: Hashable, Sendable {
  /// The whole library.
  case everything
  /// A selection.
  case selection(assets: Set<AssetID>, albums: Set<AlbumID>)
}
