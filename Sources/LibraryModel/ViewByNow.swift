/// What a caller may see at the time when it is told of what was before (S29, S91).
package struct ViewByNow {
  /// What it may see of the library.
  package let view: LibraryView
  /// Whether an asset is hidden.
  package let hides: (AssetID) -> Bool

  /// It.
  package init(_ view: LibraryView, hides: @escaping (AssetID) -> Bool) {
    self.view = view
    self.hides = hides
  }
}
