public import AlbumAPI
internal import Words

/// The photo library, as far as this app may see it. PhotoKit: `PHPhotoLibrary`, with the fetches that are
/// class methods of `PHAsset` and `PHAssetCollection` there.
///
/// Begin with the picker: ``pick(mediaTypes:selectionLimit:requestAccess:language:includesSidecars:)`` gives an app what
/// its person chooses, asks for no access, and has nothing to be refused. Fetching is for who needs a picker of their own
/// look, or shows the library as a whole: ``fetchAssets(with:)`` wants `readWrite`, which an owner may refuse, or give for some
/// photos.
///
/// Every method waits without taking one of Swift's threads: connections have threads of their own. Errors
/// are ``AlbumError``, and `CancellationError` where cancelling the task ends the call.
///
/// It is long because it has a method for each that PhotoKit's has, a file for each kind; its state is its connections'.
public final class PhotoLibrary: Sendable {
  /// The library at the socket that clients find by themselves (``SocketPath``). PhotoKit: `shared()`.
  public static let shared = PhotoLibrary()

  /// Where the daemon listens, as far as one can tell before it was reached.
  public var socketPath: String { lanes.socket.path }
  /// The language of the person at this app, such as `zh-CN`, in which guides and messages come; nil where the
  /// environment names none, and then the daemon chooses.
  public let language: String?
  let lanes: CallLanes
  let observers = Observers()

  /// A library at a socket; where clients look by themselves when nil. Connects when it is first used.
  ///
  /// - Parameter language: of the person at this app. When nil, the one of the process: locale(7), and `LANGUAGE` as in
  ///   gettext(3).
  public init(socketPath: String? = nil, language: String? = nil) {
    self.language = language ?? PreferredLanguages.ofProcess.first
    lanes = CallLanes(DaemonSocket(socketPath, language: self.language))
  }

  deinit {
    observers.cancelAll()
  }

  // MARK: Authorization

  /// What this app may do. Never prompts and never waits for anybody (S5): one round trip on a connection
  /// that is kept. PhotoKit: `authorizationStatus(for:)`.
  public func authorizationStatus(for level: AccessLevel) async throws(AlbumError) -> AuthorizationStatus {
    try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      try connection.status(of: level).status
    }
  }

  /// Whether this app learns where photos were taken (S55): their files come without that else. False where it may not
  /// read. PhotoKit has nothing like it.
  public func includesLocation() async throws(AlbumError) -> Bool {
    try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      try connection.status(of: .readWrite).location ?? false
    }
  }

  /// Asks the owner, if nobody was asked before, and waits for the answer (S7). Cancelling the task
  /// withdraws the prompt. PhotoKit: `requestAuthorization(for:)`; **differs**: without an owner's agent,
  /// or a usage description, it is an error and the status stays as it is.
  ///
  /// - Throws: `noAgent`, `throttled`, `busy`, `usageDescriptionMissing`, `unidentifiedPeer`.
  public func requestAuthorization(for level: AccessLevel) async throws -> AuthorizationStatus {
    try await requestAuthorization(for: level, waitForAgent: false).status
  }

  /// The same, and when it is refused what to show the person (S15). PhotoKit has no guide.
  ///
  /// - Parameters:
  ///   - waitForAgent: wait for somebody who can answer rather than fail (S12).
  ///   - language: of the guide, such as `zh-Hans`; the library's when nil.
  public func requestAuthorization(
    for level: AccessLevel, waitForAgent: Bool, language: String? = nil
  ) async throws -> (status: AuthorizationStatus, guide: Guide?) {
    let language = language ?? self.language
    return try await lanes.once { connection throws(AlbumError) in
      let reply = try connection.request(level, waitForAgent: waitForAgent, language: language)
      return (reply.status, reply.guide)
    }
  }

  /// What to show where access is needed and not there, though nobody refused it; nil when it is there, or nobody
  /// answers.
  func guideWithoutAccess(for level: AccessLevel, language: String?) async -> Guide? {
    let language = language ?? self.language ?? "en"
    return try? await lanes.repeatable(.questions) { connection throws(AlbumError) in
      try connection.status(of: level, language: language).guide
    }
  }

  /// Has the owner choose what this app may see, when it is limited; else does nothing (S20). PhotoKit:
  /// `presentLimitedLibraryPicker(from:)`; **differs**: the owner's agent shows it, not the app.
  ///
  /// - Returns: the ids that are selected now and were not before.
  /// - Throws: `noAgent`, `throttled`, `busy`.
  public func presentLimitedLibraryPicker() async throws -> [String] {
    try await lanes.once { connection throws(AlbumError) in try connection.presentLimitedPicker().addedAssets
    }
  }

  /// How the daemon sees this app (S35). PhotoKit has none: there, an app has a bundle identifier.
  public func identity() async throws(AlbumError) -> AuthorizationInterface.Identity {
    try await caller().identity
  }

  /// The same, and where its person changes what it may do.
  func caller() async throws(AlbumError) -> AuthorizationInterface.WhoAmI.Reply {
    try await lanes.repeatable(.questions) { connection throws(AlbumError) in try connection.caller() }
  }
}

extension AuthorizationInterface.AuthorizationStatus {
  /// Whether the app may go on: authorized, or limited (S6).
  public var isUsable: Bool {
    switch self {
    case .authorized, .limited: true
    case .notDetermined, .restricted, .denied: false
    }
  }
}
