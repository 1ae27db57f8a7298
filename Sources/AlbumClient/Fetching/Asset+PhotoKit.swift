public import AlbumAPI

// What a picture says of itself, as PhotoKit names it. `pixelWidth`, `pixelHeight` and `location` are the asset's own fields;
// **differs**: each is nil where it is not known, or not yet (S49, S50).
extension LibraryInterface.Asset {
  /// When it was taken, where its file says so; else when its file came to be (S48). PhotoKit: `creationDate`.
  public var creationDate: Instant { created }

  /// How many seconds it plays: 0 for a photo. PhotoKit: `duration`.
  public var duration: Double { durationSeconds ?? 0 }

  /// What kind of picture it is. PhotoKit: `mediaSubtypes`; **differs**: other kinds.
  public var mediaSubtypes: Set<LibraryInterface.Subtype> { Set(subtypes ?? []) }

  /// Whether the camera said when it was taken (S48).
  public var isDated: Bool { createdFrom == .capture }
}
