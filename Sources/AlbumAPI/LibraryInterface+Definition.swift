extension LibraryInterface {
  /// What `org.varlink.service.GetInterfaceDescription` answers.
  public static let definition = """
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
      # What is the matter, when it is not ready.
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
      # Albums by id.
      albums: ?[]string,
      # Assets by id.
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
      # The name to give it. A name that exists gets a number.
      filename: string,
      # The index of the paired video's descriptor, for a live photo.
      pairedVideoFileDescriptor: ?int
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

    # The state of the library, and how much of it the caller may see.
    method GetInfo() -> (
      # The place in the changes that this shows; empty for a caller that may see nothing. For a limited app it is
      # spelled differently every time.
      token: string,
      # Assets that the caller may see.
      assetCount: int,
      # Albums that the caller may see.
      albumCount: int,
      # The state of the whole.
      state: LibraryState,
      # The roots, in the order of the configuration.
      roots: []Root
    )

    # Albums that the caller may see.
    method FetchAlbums(
      # Only those directly in this album.
      parent: ?string,
      # Only these; unknown ids are left out.
      ids: ?[]string
    ) -> (
      # The albums, by title.
      albums: []Album,
      # The place in the changes that this shows.
      token: string
    )

    # Assets that the caller may see. With "more" all pages come as a stream; else one page, and a cursor
    # when there is another.
    # [Supports 'more' flag]
    method FetchAssets(
      # Only those in one of these albums.
      albums: ?[]string,
      # Only these; unknown ids are left out.
      ids: ?[]string,
      # Only those of these kinds.
      mediaTypes: ?[]MediaType,
      # Only those created at this time (RFC 3339) or later.
      createdAfter: ?string,
      # Only those created before this time (RFC 3339).
      createdBefore: ?string,
      # Only those whose filename contains this, whatever the case of ASCII letters.
      nameContains: ?string,
      # The order; created when absent.
      sort: ?SortKey,
      # The other way round.
      descending: ?bool,
      # The most assets in a page, at most 1000.
      limit: ?int,
      # Where the page before ended.
      cursor: ?string
    ) -> (
      # One page.
      assets: []Asset,
      # How many assets match in all.
      total: int,
      # The place in the changes that this shows.
      token: string,
      # Where to go on; absent at the end.
      cursor: ?string
    )

    # Changes, from now on or from a place on. The first reply holds the token of where the stream begins;
    # each further one what changed, and the token to come back with: whoever stores it and subscribes
    # again with it receives everything since, once, in order. A reply names each asset or album once.
    # [Requires 'more' flag]
    method Subscribe(
      # About these assets; about all when this and albums are absent.
      assets: ?AssetScope,
      # About the list of albums instead.
      albums: ?bool,
      # The token to go on from; now when absent.
      since: ?string
    ) -> (
      # The place after these changes.
      token: string,
      # False when changes were lost to this subscriber, or what it may see is another altogether: fetch
      # anew, then go on from this token. A changed selection is told as inserted and removed instead.
      hasIncrementalChanges: bool,
      # The assets (in a subscription to albums: the albums) that are visible now and were not before.
      inserted: []object,
      # The ids of those that were visible and are not any more.
      removed: []string,
      # Those that changed.
      changed: []ItemChange,
      # Those that went from one album to another.
      moved: []ItemMove
    )

    # Opens a file of an asset for reading.
    method OpenAsset(
      # The asset.
      id: string,
      # Which of its files; the photo or video itself when absent.
      resource: ?ResourceType
    ) -> (
      # The asset.
      asset: Asset,
      # The index of a read-only descriptor.
      fileDescriptor: int
    )

    # Adds files. Each appears under its name only when it is whole and on disk.
    # [Supports 'more' flag]
    method AddAssets(
      # The files.
      items: []AddItem,
      # The album to add to; the directory that the configuration names when absent.
      album: ?string,
      # What it is saved for: the reply then says what to show the person.
      purpose: ?SavePurpose,
      # The language of that, such as "en" or "zh-Hans".
      language: ?string
    ) -> (
      # The ids of what was added, in the order of the items. An app that may only add gets receipts,
      # which it cannot read back. Before the last reply: of what was added so far; a limited app is told of
      # none before the last.
      ids: []string,
      # What was not added. A call of which nothing could be added fails with the first item's error.
      failures: []AddFailure,
      # How many items are done.
      completed: int,
      # What to show the person, where a purpose was given.
      guide: ?Guide
    )

    # Makes an album. The caller needs readWrite; a limited app sees the albums that it has made, and no
    # others.
    method CreateAlbum(
      # Its title, which is the name of a directory: not empty, no "/", no dot at its beginning, at most 255
      # bytes. One that exists gets a number.
      title: string,
      # The album it shall lie in; directly beneath the first root when absent.
      parent: ?string
    ) -> (
      # The album.
      album: Album
    )

    # Puts assets into another album, where they keep their names as long as those are free. They stay in the
    # albums they are in. The caller needs readWrite.
    method AddToAlbum(
      # The assets, at most 1000. Those that are in the album stay as they are.
      ids: []string,
      # The album.
      album: string
    ) -> ()

    # Takes assets out of an album. Each must be somewhere else as well: what shall go altogether is deleted.
    # When an error comes, those before it in the list have been taken out. The caller needs readWrite.
    method RemoveFromAlbum(
      # The assets, at most 1000. Those that are not in the album stay as they are.
      ids: []string,
      # The album.
      album: string
    ) -> ()

    # Overwrites an asset's photo or video; its id, its name and its albums stay. The owner is asked each
    # time. What it was before can be restored, as an asset of its own. The caller needs readWrite.
    method ReplaceAsset(
      # The asset.
      id: string,
      # The index of a readable descriptor of a regular file of the same kind: a photo for a photo.
      fileDescriptor: int
    ) -> (
      # The asset as it is now.
      asset: Asset
    )

    # Deletes assets, from all their albums. The owner is asked each time, and can restore them for some
    # days. The caller needs readWrite.
    method DeleteAssets(
      # The assets, at most 1000.
      ids: []string
    ) -> (
      # The ids of what was deleted. A call that could delete nothing fails with the first error.
      deleted: []string
    )

    # The caller may not do this.
    error NotAuthorized (
      # The level that it needs.
      accessLevel: AccessLevel,
      # Its status.
      status: AuthorizationStatus,
      # What to show the person.
      guide: Guide
    )

    # No asset of this id, as far as the caller may see.
    error NoSuchAsset (
      # The id.
      id: string
    )

    # No album of this id, as far as the caller may see.
    error NoSuchAlbum (
      # The id.
      id: string
    )

    # The token is of another journal, or older than the changes that are kept. Fetch anew.
    error TokenExpired ()

    # The root cannot be reached at present.
    error Offline (
      # Its name.
      root: string
    )

    # The file is neither a photo nor a video, by its content; or, to overwrite an asset, not of its kind.
    error NotMedia (
      # Its index among the items.
      item: int
    )

    # A file to add is larger than the configuration allows.
    error TooLarge (
      # Its index among the items.
      item: int,
      # The most bytes.
      limit: int
    )

    # The file system of the library is full. Nothing half-made was left.
    error NoSpace ()

    # The owner was asked and did not agree. Nothing was changed.
    error UserRefused ()

    # The asset is in no other place: to remove it altogether, delete it.
    error LastAlbum (
      # The asset.
      id: string
    )

    # The asset cannot be in that album as well.
    error CannotLink (
      # The asset.
      id: string,
      # Why, for a person to read; such as that the album is on another file system.
      reason: string
    )

    # The app has created as many albums as the configuration allows (limits.albumsPerApp).
    error TooManyAlbums (
      # The most that may be there.
      limit: int
    )

    # The album would lie inside more others than the configuration allows (limits.albumDepth).
    error TooDeep (
      # The most albums inside one another, the new one counted.
      limit: int
    )

    # A descriptor cannot be read, is not a regular file, or is missing.
    error InvalidFileDescriptor (
      # The index of the item.
      item: int,
      # What is the matter.
      reason: string
    )

    """
}
