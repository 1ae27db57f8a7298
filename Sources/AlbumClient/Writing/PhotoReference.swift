public import AlbumAPI
internal import Sentences

/// Names an asset or an album in a request: one that was fetched, one that the request itself makes, or an id.
/// PhotoKit: `PHObject` and `PHObjectPlaceholder`, of which its requests take either.
public protocol PhotoReference: Sendable {
  /// The id, as far as it is known.
  var photoIdentifier: String? { get }
}

extension LibraryInterface.Asset: PhotoReference {
  /// Its id.
  public var photoIdentifier: String? { id }
}

extension LibraryInterface.Album: PhotoReference {
  /// Its id.
  public var photoIdentifier: String? { id }
}

extension PhotoObjectPlaceholder: PhotoReference {
  /// Its id, once it was made.
  public var photoIdentifier: String? { localIdentifier }
}

extension String: PhotoReference {
  /// An id as it is.
  public var photoIdentifier: String? { self }
}

extension PhotoReference {
  /// The id of something that is there by now.
  func resolved() throws(AlbumError) -> String {
    if let identifier = photoIdentifier { return identifier }
    throw AlbumError(
      .invalidParameter, "The request uses what it makes only later.", place: "performChanges")
  }

  /// Whether both name the same, before any of it is made.
  func isSame(as other: any PhotoReference) -> Bool {
    if let one = self as? PhotoObjectPlaceholder { return one === other as? PhotoObjectPlaceholder }
    return !(other is PhotoObjectPlaceholder) && photoIdentifier == other.photoIdentifier
  }
}
