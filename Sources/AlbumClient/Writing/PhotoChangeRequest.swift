/// Collects what is to be changed. PhotoKit: `PHAssetCreationRequest`, `PHAssetChangeRequest` and
/// `PHAssetCollectionChangeRequest`, all in one.
public struct PhotoChangeRequest {
  /// An item to add, and what stands for it.
  struct Addition {
    let item: MediaItem
    let placeholder: PhotoObjectPlaceholder
  }

  /// One change after another.
  enum Change {
    case add(Addition, album: (any PhotoReference)?)
    case createAlbum(String, parent: (any PhotoReference)?, PhotoObjectPlaceholder)
    case renameAlbum(any PhotoReference, String)
    case moveAlbum(any PhotoReference, parent: (any PhotoReference)?)
    case deleteAlbum(any PhotoReference)
    case keyAsset((any PhotoReference)?, of: any PhotoReference)
    case addToAlbum([any PhotoReference], any PhotoReference)
    case removeFromAlbum([any PhotoReference], any PhotoReference)
    case moveToAlbum([any PhotoReference], (any PhotoReference)?)
    case moveInAlbum([any PhotoReference], any PhotoReference, before: (any PhotoReference)?)
    case renameAsset(any PhotoReference, String)
    case favorite([any PhotoReference], Bool)
    case hide([any PhotoReference], Bool)
    case replace(any PhotoReference, MediaSource, PhotoAdjustment?)
    case revert(any PhotoReference)
    case delete([any PhotoReference])
  }

  private(set) var changes: [Change] = []

  /// Adds a photo (S30). PhotoKit: `creationRequestForAssetFromImage(atFileURL:)`.
  ///
  /// - Parameters:
  ///   - filename: the name to give it; a name without an extension of what it holds gets that, and one that
  ///     exists a number. A file has its own when nil; bytes are called `Photo`, such as `Photo.jpg`.
  ///   - album: the album to add it to; where the configuration says when nil.
  @discardableResult
  public mutating func addPhoto(
    from source: MediaSource, named filename: String? = nil, to album: (any PhotoReference)? = nil
  ) -> PhotoObjectPlaceholder {
    add(MediaItem(source, named: filename), to: album)
  }

  /// Adds any item, with its dates where they are not those of its file (S30).
  @discardableResult
  public mutating func add(
    _ item: MediaItem, to album: (any PhotoReference)? = nil
  ) -> PhotoObjectPlaceholder {
    let placeholder = PhotoObjectPlaceholder()
    changes.append(.add(Addition(item: item, placeholder: placeholder), album: album))
    return placeholder
  }

  /// Adds a video (S31). PhotoKit: `creationRequestForAssetFromVideo(atFileURL:)`.
  @discardableResult
  public mutating func addVideo(
    from source: MediaSource, named filename: String? = nil, to album: (any PhotoReference)? = nil
  ) -> PhotoObjectPlaceholder {
    add(MediaItem(source, named: filename ?? source.filename ?? "Video"), to: album)
  }

  /// Adds a live photo: a still and its video (S31). PhotoKit: `addResource(with:fileURL:options:)` with
  /// `.photo` and `.pairedVideo`.
  @discardableResult
  public mutating func addLivePhoto(
    from source: MediaSource, pairedVideo: MediaSource, named filename: String? = nil,
    to album: (any PhotoReference)? = nil
  ) -> PhotoObjectPlaceholder {
    add(MediaItem(source, named: filename, pairedVideo: pairedVideo), to: album)
  }

  mutating func append(_ change: Change) {
    changes.append(change)
  }
}
