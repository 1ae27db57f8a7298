public import AlbumAPI

/// What became of pictures that were saved.
public struct SavedPhotos: Sendable {
  /// For each item its id, or why it was not saved (S31). An app that may only add has receipts here, which it cannot
  /// read back (S32).
  public let results: [Result<String, AlbumError>]
  /// What to show the person: that it is saved and where, and for a wallpaper how to set it. Nil where nothing was
  /// saved.
  public let guide: Guide?

  /// The ids of those that were saved.
  public var identifiers: [String] { results.compactMap { try? $0.get() } }

  /// Why the first was not saved that was not.
  public var firstError: AlbumError? {
    for case .failure(let error) in results { return error }
    return nil
  }
}

/// How far a call has come that saves many. PhotoKit has none for adding.
public struct SaveProgress: Hashable, Sendable {
  /// So many are done, saved or not.
  public let completed: Int
  /// Of so many.
  public let total: Int
  /// The bytes of those that are done.
  public let completedBytes: Int64
  /// Of so many, as far as that is known before.
  public let totalBytes: Int64

  /// From 0 to 1.
  public var fraction: Double {
    if totalBytes > 0 { return Double(completedBytes) / Double(totalBytes) }
    return total > 0 ? Double(completed) / Double(total) : 1
  }
}
