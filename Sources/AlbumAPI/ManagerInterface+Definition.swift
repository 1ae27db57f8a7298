extension ManagerInterface {
  /// What `org.varlink.service.GetInterfaceDescription` answers.
  public static let definition = """
    # For the library's owners: who has which access, and settings. Only an unsandboxed process of an owner
    # may call it.
    interface io.albumd.Manager

    # addOnly: may add assets, never read. readWrite: may read, and add.
    type AccessLevel (addOnly, readWrite)

    # See io.albumd.Authorization.
    type AuthorizationStatus (notDetermined, restricted, denied, authorized, limited)

    # What an app may do, at one level.
    type Grant (
      # The level.
      accessLevel: AccessLevel,
      # The status that holds now.
      status: AuthorizationStatus,
      # When it was decided (RFC 3339, UTC).
      decided: ?string,
      # When the grant ends, if it does.
      expires: ?string,
      # Whether the grant ends with the app's process.
      untilExit: ?bool,
      # The policy file that decides instead of the owner.
      policy: ?string
    )

    # An app that has asked for something, or has a manifest.
    type App (
      # Its id.
      id: string,
      # Its name.
      name: string,
      # Who runs it.
      uid: int,
      # That user's login name.
      user: ?string,
      # Where its manifest is.
      manifest: ?string,
      # When it was first seen (RFC 3339, UTC).
      firstSeen: ?string,
      # When it was last seen (RFC 3339, UTC).
      lastSeen: ?string,
      # Its access.
      grants: []Grant
    )

    # What becomes of a selection: these join it, leave it, or take its place.
    type SelectionOperation (add, remove, replace)

    # From now on, this connection's calls of io.albumd.Library see the whole library, with no prompts.
    method ActAsOwner() -> ()

    # Every app that is known. Comes in one reply or more, the last without "continues".
    # [Supports 'more' flag]
    method ListApps() -> (
      # Some of them.
      apps: []App
    )

    # Decides for an app, as its prompt would have.
    method SetAuthorization(
      # The app.
      appId: string,
      # Whose app. When absent: the users who are known to run it, else the caller.
      uid: ?int,
      # The level.
      accessLevel: AccessLevel,
      # authorized, limited or denied.
      status: AuthorizationStatus,
      # When the grant ends (RFC 3339).
      expires: ?string
    ) -> ()

    # Changes what an app may see when it is limited. Its status stays as it is, and its subscriptions are told
    # what came into sight and what went out of it.
    method SetSelection(
      # The app.
      appId: string,
      # Whose app. When absent: the users who are known to run it, else the caller.
      uid: ?int,
      # Ids of single assets.
      assets: []string,
      # Ids of whole albums, which bring what is added to them later.
      albums: []string,
      # What becomes of the selection.
      operation: SelectionOperation
    ) -> ()

    # What an app may see when it is limited.
    method GetSelection(
      # The app.
      appId: string,
      # Whose app. When absent: of all the users who are known to run it, else the caller.
      uid: ?int
    ) -> (
      # Ids of single assets, also of those that have left the library and may return.
      assets: []string,
      # Ids of whole albums, likewise.
      albums: []string
    )

    # Forgets decisions, so that the app may be prompted for again.
    method Reset(
      # The app; every app when absent.
      appId: ?string,
      # Whose app; every user's when absent.
      uid: ?int,
      # The level; both when absent.
      accessLevel: ?AccessLevel
    ) -> (
      # How many decisions were forgotten.
      count: int
    )

    # An asset that was deleted and can be restored: what io.albumd.Library.DeleteAssets has deleted, and what
    # an asset was before ReplaceAsset.
    type DeletedAsset (
      # Its id: the asset that it was, and is again when it is restored.
      id: string,
      # The name of its file.
      filename: string,
      # The albums that it was in, as far as they are still there.
      albums: []string,
      # image, video or livePhoto.
      mediaType: MediaType,
      # The size of its file.
      byteCount: int,
      # When it was deleted (RFC 3339, UTC).
      deleted: string,
      # When it is removed for good (RFC 3339, UTC).
      purge: string,
      # The app that deleted it; absent for an owner.
      appId: ?string
    )

    # See io.albumd.Library.
    type MediaType (image, video, livePhoto)

    # What was deleted and can be restored, oldest first. Comes in one reply or more, the last without
    # "continues".
    # [Supports 'more' flag]
    method ListDeleted() -> (
      # Some of it.
      assets: []DeletedAsset
    )

    # Puts deleted assets back where they were, with the ids that they had: into their albums, as far as they
    # are there. A name that is taken gets a number.
    method RestoreDeleted(
      # The assets.
      ids: []string
    ) -> (
      # The ids of what was restored. A call that could restore nothing fails with the first error.
      restored: []string
    )

    # Removes deleted assets for good, now.
    method PurgeDeleted(
      # The assets; everything that was deleted, when absent.
      ids: ?[]string
    ) -> (
      # How many were removed.
      count: int
    )

    # No asset of this id was deleted, or it is no longer kept.
    error NoSuchDeletedAsset (
      # The id.
      id: string
    )

    # A deleted asset cannot be put back, or not be removed.
    error CannotRestore (
      # The id.
      id: string,
      # Why, for a person to read; such as that its root is offline.
      reason: string
    )

    # Compares the library with the disk again.
    method Rescan() -> ()

    # Reads the configuration again. A configuration with errors changes nothing.
    method Reload() -> ()

    # The caller is not an owner of this library, or is an app.
    error NotAnOwner ()

    # No app of this id is known.
    error NoSuchApp (
      # The id.
      id: string
    )

    # A policy decides about this app; the owner cannot.
    error LockedByPolicy (
      # The policy file.
      policy: string
    )

    # The configuration has errors; the running one was kept.
    error InvalidConfiguration (
      # One line per error: file, line, column, what was expected.
      errors: []string
    )

    """
}
