public import AlbumAPI

/// A photo, video or live photo to add.
public struct MediaItem: Sendable {
  /// Its bytes.
  public var source: MediaSource
  /// The name to give it. One without an extension of what it holds gets that, and one that exists a number.
  public var filename: String
  /// The name's bytes where they are not UTF-8, as an asset's `percentEncodedFilename` has them: they count then instead.
  public var percentEncodedFilename: String?
  /// The video of a live photo.
  public var pairedVideo: MediaSource?
  /// The RAW of a photo that is none itself: it must have its extension (S99). PhotoKit: `.alternatePhoto`.
  public var alternatePhoto: MediaSource?
  /// What other programs keep beside it, each with another extension (S31). PhotoKit: `.adjustmentData`.
  public var sidecars: [Sidecar]
  /// When the picture came to be, where that was before its content last changed. PhotoKit: `creationDate` of a
  /// creation request.
  public var created: Instant?
  /// When its content last changed; as the file says when nil.
  public var modified: Instant?

  /// - Parameter filename: the source's own when nil; bytes are called `Photo`.
  public init(
    _ source: MediaSource, named filename: String? = nil, pairedVideo: MediaSource? = nil,
    sidecars: [Sidecar] = [], created: Instant? = nil, modified: Instant? = nil,
    alternatePhoto: MediaSource? = nil
  ) {
    self.source = source
    self.filename = filename ?? source.filename ?? "Photo"
    self.pairedVideo = pairedVideo
    self.sidecars = sidecars
    self.created = created
    self.modified = modified
    self.alternatePhoto = alternatePhoto
  }
}

/// A file that another program keeps beside a photo or film: `.xmp`, `.aae` or `.thm`.
public struct Sidecar: Sendable {
  /// Its bytes: at most 32 MiB.
  public var source: MediaSource
  /// What follows its photo's name without the extension, and a dot, in its own: `xmp`, or `jpg.xmp`, as
  /// ``OpenedAsset/sidecarExtension`` says it.
  public var fileExtension: String

  /// A sidecar with that extension.
  public init(_ source: MediaSource, fileExtension: String) {
    self.source = source
    self.fileExtension = fileExtension
  }
}

extension MediaItem {
  /// All its files: what is to be seen before what is kept beside it.
  var sources: [MediaSource] { media + sidecars.map(\.source) }

  /// Those that are to be seen: photo or video, the movie, RAW.
  var media: [MediaSource] { [source] + [pairedVideo, alternatePhoto].compactMap(\.self) }

  /// How many bytes its files have, as far as that is known before they are read.
  var byteCount: Int64 { sources.reduce(0) { $0 + $1.byteCount } }
}
