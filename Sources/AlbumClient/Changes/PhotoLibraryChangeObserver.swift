/// Wants to hear of changes. PhotoKit: `PHPhotoLibraryChangeObserver`.
public protocol PhotoLibraryChangeObserver: AnyObject, Sendable {
  /// Something happened. PhotoKit: `photoLibraryDidChange(_:)`; **differs**: it may suspend, and the next
  /// change is told when it has returned. What comes meanwhile waits at the daemon.
  ///
  /// Not called on the main actor, as in PhotoKit.
  func photoLibraryDidChange(_ change: PhotoChange) async
}
