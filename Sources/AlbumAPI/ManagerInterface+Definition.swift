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
      policy: ?string,
      # When the app last made use of it, to the day (RFC 3339, UTC). Time under a policy counts as use where the
      # configuration takes back what is not used.
      lastUsed: ?string,
      # How many assets and albums are selected, when limited.
      selectionCount: ?int
    )

    # An app that has called, or was decided about.
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
    method ListApps(
      # The language of their names, such as "zh-Hans"; English when left out.
      language: ?string
    ) -> (
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
    ) -> (
      # False where the change takes something away, counts, and is not on disk yet, which is tried again until it is;
      # absent when it is on disk.
      stored: ?bool,
      # Why it is not on disk.
      reason: ?string
    )

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
    ) -> (
      # False where the change takes something away, counts, and is not on disk yet, which is tried again until it is;
      # absent when it is on disk.
      stored: ?bool,
      # Why it is not on disk.
      reason: ?string
    )

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

    # Forgets decisions, and what was selected, so that the app may be prompted for again. A pause after answers of
    # "notNow" ends.
    method Reset(
      # The app; every app when absent.
      appId: ?string,
      # Whose app; every user's when absent.
      uid: ?int,
      # The level; both when absent.
      accessLevel: ?AccessLevel
    ) -> (
      # Of how many apps and levels something was forgotten: a decision, a selection, or a count of "notNow".
      count: int,
      # False where the change takes something away, counts, and is not on disk yet, which is tried again until it is;
      # absent when it is on disk.
      stored: ?bool,
      # Why it is not on disk.
      reason: ?string
    )

    # What was done. request: an app asked for access. decision: access was granted, refused, put off or taken
    # back. settings: something else about an app was changed. pick: the owner picked photos for an app. owner:
    # a connection took the owner's view. agent: an agent registered. refused: a call was refused for want of
    # access.
    type AccessKind (
      request, decision, settings, open, add, delete, replace, createAlbum, addToAlbum, removeFromAlbum,
      restore, purge, pick, owner, agent, refused
    )

    # Who decided: an owner answering a prompt, an owner in settings, the administrator's policy, a policy deciding
    # no longer (what holds without it does), the time of the grant being over, the process of the grant
    # having ended, or the grant not having been used for long.
    type AccessAuthor (agent, settings, policy, policyEnd, expiry, exit, disuse)

    # One line of the access log: the same thing, done once or often within a minute.
    type AccessLogEntry (
      # The line. While it is followed, an entry comes again when there is more to count.
      id: int,
      # When it happened first (RFC 3339, UTC).
      time: string,
      # When it happened last, if more than once.
      lastTime: ?string,
      # How often.
      count: int,
      # How many assets it was about, all times together; one that was meant twice counts twice. Absent where
      # they are not counted.
      assets: ?int,
      # The app. "*": several apps of one user, too many to be told apart.
      appId: string,
      # Who runs it.
      uid: int,
      # That user's login name.
      user: ?string,
      # What was done.
      kind: AccessKind,
      # The level that it is about. Absent for what a connection did to the library as the owner.
      accessLevel: ?AccessLevel,
      # What came of it: a status, or the name of an error. Absent where it simply happened, and for a decision
      # that ended while a policy decides.
      outcome: ?string,
      # Who decided.
      by: ?AccessAuthor,
      # The user who decided, for agent and settings.
      byUid: ?int,
      # More, for a person: the policy's name, the method that was refused.
      detail: ?string
    )

    # Who did what, and when, the oldest first. Kept for as long as the configuration says. The list ends,
    # unless it is followed. [Requires 'more' flag]
    method ListAccessLog(
      # Of this app only: NoSuchApp where nobody knows it and nothing is told, unless it is followed.
      appId: ?string,
      # What happened at this time (RFC 3339) or later.
      since: ?string,
      # Stay, and tell what happens from now on. The first reply comes at once, even when it is empty.
      follow: ?bool
    ) -> (
      # Some of the entries.
      entries: []AccessLogEntry
    )

    # restrict: refuses, and beats everything. authorize: grants.
    type PolicyEffect (restrict, authorize)

    # What the administrator decided, instead of the owner.
    type Policy (
      # The file's name without its ending.
      name: string,
      # The file.
      file: string,
      # What it does.
      effect: PolicyEffect,
      # Patterns of app ids; "*" stands for anything.
      apps: []string,
      # The users it is about; everybody when there are neither users nor groups.
      users: ?[]string,
      # The groups it is about.
      groups: ?[]string,
      # The levels it is about.
      accessLevels: []AccessLevel,
      # Why, for a person.
      reason: ?string,
      # How many known apps it decides about now.
      appCount: int
    )

    # The policies in force, those first that decide first.
    method ListPolicies(
      # The language of the reasons, such as "en" or "zh-Hans".
      language: ?string
    ) -> (
      # All of them.
      policies: []Policy
    )

    # What the daemon counts.
    method GetStatistics() -> (
      # When the daemon started (RFC 3339, UTC).
      started: string,
      # Open connections.
      connections: int,
      # Subscriptions to changes.
      subscriptions: int,
      # Registered agents.
      agents: int,
      # Prompts that wait for an answer.
      promptsWaiting: int,
      # Assets of the library.
      assets: int,
      # Albums of the library.
      albums: int,
      # The oldest change in the journal, by its number; absent while there is none.
      journalFirst: ?int,
      # The newest change.
      journalLast: int,
      # Watched directories.
      watches: int,
      # Directories that are compared now and then instead, for lack of watches.
      polledDirectories: int,
      # Resident memory, in bytes.
      memoryBytes: int,
      # Calls served since the start.
      calls: int,
      # Connections taken since the start.
      connectionsAccepted: int,
      # Connections refused since the start, because their user had too many.
      connectionsRefused: int,
      # Peers that broke the protocol since the start, or left a stream unread.
      protocolViolations: int,
      # File events since the start.
      fileEvents: int,
      # Overflows of the kernel's queue since the start; each was made good by a scan.
      queueOverflows: int,
      # Scans of the whole library since the start.
      scans: int,
      # Changes published since the start.
      changes: int,
      # Rows of the access log that could not be written since the start.
      accessLogLost: int
    )

    # ok: as it should be. warning: works, and should be looked at. error: does not work.
    type Severity (ok, warning, error)

    # One thing that was looked at.
    type Finding (
      # How bad it is.
      severity: Severity,
      # What it is about: a file, a directory, a part of the daemon.
      subject: string,
      # What was found.
      message: string,
      # What to do about it.
      advice: ?string
    )

    # Looks for what is wrong with the daemon and its surroundings: files of the configuration as they are on
    # the disk now, directories, limits of the kernel, agents, translations.
    method Check(
      # The language of messages and advice, such as "zh-Hans"; English when left out. What they quote stays as it is.
      language: ?string
    ) -> (
      # Everything that was looked at.
      findings: []Finding
    )

    # An asset that was deleted and can be restored: what io.albumd.Library.DeleteAssets has deleted, and what
    # an asset was before ReplaceAsset.
    type DeletedAsset (
      # Its id: the asset that it was, and is again when it is restored.
      id: string,
      # The name of its file.
      filename: string,
      # The name without loss, when it is not UTF-8: the bytes that are not, and "%", as "%XX".
      percentEncodedFilename: ?string,
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
      # How many were removed. A call that could remove nothing fails with the first error.
      count: int,
      # Why the rest could not be removed, for a person to read; absent when nothing was in the way.
      problem: ?string
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
    method Rescan(
      # Paths of roots that are offline because something else than the library is mounted there, or nothing:
      # what is there is the library from now on, and what it does not hold is removed.
      acceptRoots: ?[]string
    ) -> ()

    # Reads the configuration again. A configuration with errors changes nothing.
    method Reload() -> (
      # The keys of albumd.yaml that have changed and count only from the next start; absent when none has.
      needsRestart: ?[]string
    )

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
