extension PickerInterface.PickerFilter {
  /// The same as `matching` of `FetchAssets` says it: how an agent finds what may be picked (S105).
  public var asAssetFilter: LibraryInterface.AssetFilter {
    .init(
      all: all?.map(\.asAssetFilter), any: any?.map(\.asAssetFilter), none: none?.map(\.asAssetFilter),
      mediaTypes: mediaTypes, subtypes: subtypes)
  }
}
