extension AuthorizationInterface {
  /// What `org.varlink.service.GetInterfaceDescription` answers.
  public static let definition = """
    # What a peer may do with the photo library. Every peer may call this interface, about itself only:
    # who it is is what the daemon finds out, never what it says.
    interface io.albumd.Authorization

    # addOnly: may add assets, never read. readWrite: may read, and add.
    type AccessLevel (addOnly, readWrite)

    # notDetermined: nobody was asked yet. restricted: the administrator's policy forbids it, and nothing
    # in settings can change that. denied: the owner refused. authorized: granted. limited: granted for a
    # selection of assets and albums.
    type AuthorizationStatus (notDetermined, restricted, denied, authorized, limited)

    # How the daemon sees a peer.
    type Identity (
      # The app's id: the name of its manifest, else what the evidence gives.
      appId: string,
      # The user id of the process.
      uid: int,
      # What the id was derived from, for a person to read, such as "flatpak org.example.App".
      evidence: string,
      # Whether the peer's own user could not have forged the evidence.
      verified: bool,
      # The manifest that binds the evidence to the id; absent when there is none, and then nothing can
      # be granted by a prompt.
      manifest: ?string
    )

    # What to show a person whose app was refused. Show it once and let them cancel.
    type Guide (
      # A headline.
      title: string,
      # What is the matter, in one or two sentences.
      message: string,
      # What to do, in order. Empty when nothing can be done.
      steps: []string,
      # The command that opens the app's settings; absent when no setting helps.
      settingsCommand: ?string,
      # The address of a settings page, where one runs.
      settingsAddress: ?string,
      # What the button says that closes the guide without doing anything.
      later: ?string
    )

    # Who the caller is.
    method WhoAmI() -> (
      # The caller's identity.
      identity: Identity
    )

    # The caller's status. Never prompts, never waits.
    method GetStatus(
      # The level asked about.
      accessLevel: AccessLevel,
      # The language for a guide, such as "en" or "zh-Hans"; without one there is none.
      language: ?string
    ) -> (
      # The status now.
      status: AuthorizationStatus,
      # When the grant ends (RFC 3339, UTC), if it does.
      expires: ?string,
      # How many assets and albums are selected that are there and not hidden from the caller, when limited.
      selectionCount: ?int,
      # What to show where a call was refused that names no language: when a language is named here, and the status
      # is neither authorized nor limited.
      guide: ?Guide
    )

    # Asks the owner for access, if nobody was asked before; else answers at once with the status.
    method Request(
      # The level wanted.
      accessLevel: AccessLevel,
      # Wait for an agent to appear rather than fail with NoAgent.
      waitForAgent: ?bool,
      # The language for the guide, such as "en" or "zh-Hans".
      language: ?string
    ) -> (
      # The status now. notDetermined: the owner put the answer off.
      status: AuthorizationStatus,
      # What to show, when the status is denied or restricted.
      guide: ?Guide
    )

    # The caller's statuses: first the current one of each level, then one reply for every change.
    # [Requires 'more' flag]
    method Monitor() -> (
      # The level that this is about.
      accessLevel: AccessLevel,
      # Its status.
      status: AuthorizationStatus,
      # How many assets and albums are selected that are there and not hidden from the caller, when limited.
      selectionCount: ?int
    )

    # Has the owner change what a limited caller may see, or grant it full access. In any other status it does
    # nothing. Like every prompt it needs a usage description: without it, it fails with UsageDescriptionMissing.
    method PresentLimitedPicker() -> (
      # The assets that are selected now and were not before.
      addedAssets: []string
    )

    # No agent of an owner is there to show the prompt. Start one (albumctl agent), or wait for one.
    error NoAgent ()

    # The app cannot be asked for, because it does not say why it needs access.
    error UsageDescriptionMissing (
      # The caller's app id.
      appId: string,
      # The level for which a description is missing.
      accessLevel: AccessLevel,
      # The file to write, and the key in it.
      manifest: string
    )

    # The owner put this request off several times. Ask again later.
    error Throttled (
      # Seconds until a request is shown again.
      retryAfterSeconds: int
    )

    # The app has another prompt open, or the user too many.
    error Busy ()

    # The daemon cannot tell who the caller is.
    error UnidentifiedPeer (
      # What could not be read.
      reason: string
    )

    """
}
