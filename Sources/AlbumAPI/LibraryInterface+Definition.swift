extension LibraryInterface {
  /// What `org.varlink.service.GetInterfaceDescription` answers.
  public static let definition = [definedTypes, definedMethods, definedErrors].joined(separator: "\n")

  private static let definedTypes = """
    # The photo library, as far as the caller is authorized. What a limited app may not see behaves exactly
    # as what does not exist.
    interface io.albumd.Library

    # image: a still. video: a movie. livePhoto: a still and its paired video.
    type MediaType (image, video, livePhoto)

    # One file of an asset.
    type ResourceType (photo, pairedVideo, video, sidecar)

    # addOnly: may add assets, never read. readWrite: may read, and add.
    type AccessLevel (addOnly, readWrite)

    # See io.albumd.Authorization.
    type AuthorizationStatus (notDetermined, restricted, denied, authorized, limited)

    # scanning: results are visible as they come. ready: the library is as on disk. degraded: something
    # cannot be read or watched. offline: no root is reachable.
    type LibraryState (scanning, ready, degraded, offline)

    # What fetched assets are sorted by.
    type SortKey (created, modified, filename, byteCount)

    # A photo, a video or a live photo.
    type Asset (
      # Keeps for the asset's life, through renames, moves and edits.
      id: string,
      # The file's name. Bytes that are not UTF-8 show as U+FFFD.
      filename: string,
      # The name with every byte that is not printable ASCII, and %, as %XX; present only when the name is
      # not UTF-8.
      percentEncodedFilename: ?string,
      # The albums that hold it. Empty for a file directly in a root.
      albums: []string,
      # What kind of asset it is.
      mediaType: MediaType,
      # The size of the file.
      byteCount: int,
      # When it came to be (RFC 3339, UTC).
      created: string,
      # When its content last changed (RFC 3339, UTC).
      modified: string,
      # The files that can be opened.
      resources: []ResourceType,
      # Width of the picture, where known.
      pixelWidth: ?int,
      # Height of the picture, where known.
      pixelHeight: ?int,
      # Length of the video, where known.
      durationSeconds: ?float,
      # Whether the file tells where it was taken, where known.
      hasLocation: ?bool,
      # Whether its root cannot be reached at present.
      offline: bool
    )

    # A directory of the library.
    type Album (
      # Keeps for the album's life, through renames and moves.
      id: string,
      # The directory's name. Bytes that are not UTF-8 show as U+FFFD.
      title: string,
      # As Asset.percentEncodedFilename.
      percentEncodedTitle: ?string,
      # The album that it lies in; absent directly beneath a root.
      parent: ?string,
      # How many assets it holds that the caller may see.
      assetCount: int,
      # Whether the configuration marks it as shared: limited apps never see it.
      shared: bool,
      # Whether the calling app created it.
      createdByCaller: bool
    )

    # A directory tree of the library.
    type Root (
      # Where it is; for owners only.
      path: ?string,
      # How it is.
      state: LibraryState,
      # What is the matter, when it cannot be reached; for owners only.
      problem: ?string
    )

    # See io.albumd.Authorization.
    type Guide (
      # A headline.
      title: string,
      # What is the matter.
      message: string,
      # What to do, in order.
      steps: []string,
      # The command that opens the app's settings.
      settingsCommand: ?string,
      # The address of a settings page.
      settingsAddress: ?string,
      # What the button says that closes the guide without doing anything.
      later: ?string
    )

    # What pictures are saved for: to be kept, or to be set as the wallpaper.
    type SavePurpose (keep, wallpaper)

    # Which assets a subscription is about: those of the albums, and those named; all when both are absent.
    type AssetScope (
      # Albums by id, at most 10000.
      albums: ?[]string,
      # Assets by id, at most 10000.
      ids: ?[]string
    )

    # An asset or album that changed while staying visible.
    type ItemChange (
      # Its id.
      id: string,
      # Whether its content changed; else only what is known about it.
      contentChanged: bool,
      # The asset as it is now, in a subscription to assets.
      asset: ?Asset,
      # The album as it is now, in a subscription to albums.
      album: ?Album
    )

    # An asset or album that went from one place to another while staying visible.
    type ItemMove (
      # Its id.
      id: string,
      # Whether the content of the asset changed as well; absent for an album.
      contentChanged: ?bool,
      # The albums that held it before (for an album: its parent).
      from: []string,
      # The albums that hold it now (for an album: its parent).
      to: []string,
      # The asset as it is now, in a subscription to assets.
      asset: ?Asset,
      # The album as it is now, in a subscription to albums.
      album: ?Album
    )

    # A file to add.
    type AddItem (
      # The index of a readable descriptor of a regular file; it is read from its beginning.
      fileDescriptor: int,
      # The name to give it. A name without an extension of what the file holds, a photo or a video, gets the usual
      # one of its format after it, and a name that exists a number.
      filename: string,
      # The index of the paired video's descriptor, for a live photo.
      pairedVideoFileDescriptor: ?int,
      # The extension to give that: mov or mp4, in either case. What its content says when absent, or another.
      pairedVideoExtension: ?string
    )

    # A file that was not added.
    type AddFailure (
      # Its index among the items.
      item: int,
      # The full name of the error, such as io.albumd.Library.NotMedia.
      error: string,
      # What is the matter, for a person to read.
      message: string
    )

    """
}
