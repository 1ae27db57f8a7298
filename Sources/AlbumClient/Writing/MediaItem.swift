public import AlbumAPI

/// A photo, video or live photo to add.
public struct MediaItem: Sendable {
  /// Its bytes.
  public var source: MediaSource
  /// The name to give it. One without an extension of what it holds gets that, and one that exists a number.
  public var filename: String
  /// The video of a live photo.
  public var pairedVideo: MediaSource?
  /// When the picture came to be, where that was before its content last changed. PhotoKit: `creationDate` of a
  /// creation request.
  public var created: Instant?
  /// When its content last changed; as the file says when nil.
  public var modified: Instant?

  /// - Parameter filename: the source's own when nil; bytes are called `Photo`.
  public init(
    _ source: MediaSource, named filename: String? = nil, pairedVideo: MediaSource? = nil,
    created: Instant? = nil, modified: Instant? = nil
  ) {
    self.source = source
    self.filename = filename ?? source.filename ?? "Photo"
    self.pairedVideo = pairedVideo
    self.created = created
    self.modified = modified
  }
}

extension MediaItem {
  /// How many bytes its files have, as far as that is known before they are read.
  var byteCount: Int64 { source.byteCount + (pairedVideo?.byteCount ?? 0) }
}
