/// A photo, video or live photo to add.
public struct MediaItem: Sendable {
  /// Its bytes.
  public var source: MediaSource
  /// The name to give it. One without an extension of what it holds gets that, and one that exists a number.
  public var filename: String
  /// The video of a live photo.
  public var pairedVideo: MediaSource?

  /// - Parameter filename: the source's own when nil; bytes are called `Photo`.
  public init(_ source: MediaSource, named filename: String? = nil, pairedVideo: MediaSource? = nil) {
    self.source = source
    self.filename = filename ?? source.filename ?? "Photo"
    self.pairedVideo = pairedVideo
  }
}
