extension PhotoChangeRequest {
  /// Marks assets as favourites, or as none any more (S90): their files say so for other programs. Needs `readWrite`. PhotoKit:
  /// `isFavorite` of `PHAssetChangeRequest`.
  public mutating func setFavorite(_ favorite: Bool, of assets: [any PhotoReference]) {
    append(.favorite(assets, favorite))
  }

  /// Hides assets, or shows them again (S91). Needs `readWrite`, and to see the whole library: `permissionDenied` otherwise.
  /// PhotoKit: `isHidden` of `PHAssetChangeRequest`.
  public mutating func setHidden(_ hidden: Bool, of assets: [any PhotoReference]) {
    append(.hide(assets, hidden))
  }
}
