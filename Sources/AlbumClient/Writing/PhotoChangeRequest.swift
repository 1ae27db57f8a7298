/// Collects what is to be changed. PhotoKit: `PHAssetCreationRequest`, `PHAssetChangeRequest` and
/// `PHAssetCollectionChangeRequest`, all in one.
public struct PhotoChangeRequest {
  /// A file to add.
  struct Addition {
    let source: MediaSource
    let pairedVideo: MediaSource?
    let filename: String
    let album: String?
    let placeholder: PhotoObjectPlaceholder
  }

  /// One change after another.
  enum Change {
    case add(Addition)
  }

  private(set) var changes: [Change] = []

  /// Adds a photo (S30). PhotoKit: `creationRequestForAssetFromImage(atFileURL:)`.
  ///
  /// - Parameters:
  ///   - filename: the name to give it; a name that exists gets a number. A file has its own when nil;
  ///     bytes are called `Photo`.
  ///   - album: the id of the album to add it to; where the configuration says when nil.
  @discardableResult
  public mutating func addPhoto(
    from source: MediaSource, named filename: String? = nil, to album: String? = nil
  ) -> PhotoObjectPlaceholder {
    add(source, pairedVideo: nil, filename ?? source.filename ?? "Photo", album)
  }

  /// Adds a video (S31). PhotoKit: `creationRequestForAssetFromVideo(atFileURL:)`.
  @discardableResult
  public mutating func addVideo(
    from source: MediaSource, named filename: String? = nil, to album: String? = nil
  ) -> PhotoObjectPlaceholder {
    add(source, pairedVideo: nil, filename ?? source.filename ?? "Video", album)
  }

  /// Adds a live photo: a still and its video (S31). PhotoKit: `addResource(with:fileURL:options:)` with
  /// `.photo` and `.pairedVideo`.
  @discardableResult
  public mutating func addLivePhoto(
    from source: MediaSource, pairedVideo: MediaSource, named filename: String? = nil, to album: String? = nil
  ) -> PhotoObjectPlaceholder {
    add(source, pairedVideo: pairedVideo, filename ?? source.filename ?? "Photo", album)
  }

  private mutating func add(
    _ source: MediaSource, pairedVideo: MediaSource?, _ filename: String, _ album: String?
  ) -> PhotoObjectPlaceholder {
    let placeholder = PhotoObjectPlaceholder()
    changes.append(
      .add(
        Addition(
          source: source, pairedVideo: pairedVideo, filename: filename, album: album,
          placeholder: placeholder)))
    return placeholder
  }
}
