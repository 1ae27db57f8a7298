extension LibraryInterface {
  /// The methods of ``definition``.
  static let definedMethods = """
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
      # Only these, at most 10000; unknown ids are left out.
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
      # Only those in one of these albums, at most 10000.
      albums: ?[]string,
      # Only these, at most 10000; unknown ids are left out.
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
      fileDescriptor: int,
      # Of a paired video: the extension of its file, such as MOV. The rest of its name is the asset's.
      pairedVideoExtension: ?string
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
    # time. What it was before can be restored, as an asset of its own. The caller needs readWrite. Where the owner
    # cannot be asked it fails as DeleteAssets does.
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
    # days. The caller needs readWrite. Fails with io.albumd.Authorization.NoAgent when no agent of an owner is
    # there, with io.albumd.Authorization.Busy while another prompt of the app is open, and with
    # io.albumd.Authorization.Throttled for a while after three that the owner refused or put off.
    method DeleteAssets(
      # The assets, at most 1000.
      ids: []string
    ) -> (
      # The ids of what was deleted. A call that could delete nothing fails with the first error.
      deleted: []string
    )

    """
}
