extension LibraryInterface {
  /// The errors of ``definition``.
  static let definedErrors = """
    # The caller may not do this.
    error NotAuthorized (
      # The level that it needs.
      accessLevel: AccessLevel,
      # Its status.
      status: AuthorizationStatus,
      # What to show the person: in the language that the call names; where it names none, as most cannot, in the
      # one that the app named last (Request, AddAssets, Pick), else in the daemon's.
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
