public import AlbumAPI
internal import Synchronization
internal import Words

/// Access to the photo library in four calls, for an app that only wants to save a picture. PhotoKit has
/// none: it is what apps write around `PHPhotoLibrary`.
///
/// It asks at most once in each call, and the owner at most once ever (S8): after a refusal every call has
/// the guide at once.
public final class PhotoLibraryPermissionManager: Sendable {
  /// The one that saves, for all of this process: at the socket and in the language that it finds by itself.
  public static let shared = PhotoLibraryPermissionManager()

  let library: PhotoLibrary
  let level: AccessLevel
  let language: String?
  private let title: String?
  private let message: String?
  private let statuses: StatusCache
  private let lastGuide = Mutex<Guide?>(nil)

  /// - Parameters:
  ///   - level: what the app needs.
  ///   - language: of guides, such as `zh-Hans`; the library's when nil.
  ///   - title: of the guides of refusals, instead of theirs.
  ///   - message: of the same, instead of theirs: what the person would have of it. A call may have another.
  public init(
    _ library: PhotoLibrary = .shared, level: AccessLevel = .addOnly, language: String? = nil,
    title: String? = nil, message: String? = nil
  ) {
    self.library = library
    self.level = level
    self.language = language ?? library.language
    self.title = title
    self.message = message
    statuses = StatusCache(library.lanes.socket)
  }

  /// What the app may do, as the daemon told it last: read without a round trip, so that a view may ask a thousand
  /// times. Nil until it was told, and while nobody is there to tell (S74). Never prompts (S5). Who may read may add,
  /// whatever is said of adding alone (S2). PhotoKit: `authorizationStatus(for:)`, which waits.
  public var permissionStatus: AuthorizationStatus? { statuses.effective(level) }

  /// What the app may do now: asked of the daemon, since what counts is what it says (S29). Never prompts (S5). Who may
  /// read may add, whatever is said of adding alone (S2).
  public func checkPermissionStatus() async throws(AlbumError) -> AuthorizationStatus {
    let status = try await library.authorizationStatus(for: level)
    guard level == .addOnly, !status.isUsable,
      try await library.authorizationStatus(for: .readWrite).isUsable
    else { return status }
    return .authorized
  }

  /// Does something that needs access, and asks for it before if nobody was asked yet.
  ///
  /// - Parameters:
  ///   - explain: the app's own question, before the owner is asked the one time; `false` puts it off. Not
  ///     called when the answer is known already.
  ///   - message: of the guide of a refusal, instead of the manager's own and the daemon's.
  ///   - onDenied: shows the guide of a refusal. Called for each refused call; the person can leave it, and nothing
  ///     asks again by itself.
  ///   - action: what to do with access.
  /// - Throws: what the action throws; ``AlbumError`` for what keeps anyone from being asked, such as
  ///   `usageDescriptionMissing` and `notRunning`.
  public func requestPermissionAndExecute<Value: Sendable>(
    explain: (@Sendable () async -> Bool)? = nil, message: String? = nil,
    onDenied: (@Sendable (Guide) async -> Void)? = nil, _ action: @Sendable () async throws -> Value
  ) async throws -> PermissionOutcome<Value> {
    let outcome = try await outcome(explain, action).withGuide { guide in
      var guide = guide
      guide.title = title ?? guide.title
      guide.message = message ?? self.message ?? guide.message
      return guide
    }
    if let guide = outcome.guide {
      lastGuide.withLock { $0 = guide }
      await onDenied?(guide)
    }
    return outcome
  }

  /// Leads to where the owner can change what the app may do: opens the page at this app where one runs; else runs
  /// the settings command if there is a terminal and waits for its end, or says which it is. PhotoKit:
  /// `UIApplication.openSettingsURLString`.
  public func openSettings() async throws(AlbumError) -> SettingsOpening {
    let guide = lastGuide.withLock { $0 }
    // As it is now: since the guide was made, a page may have come or gone.
    let now = try? await library.caller()
    let address = now.map(\.settingsAddress) ?? guide?.settingsAddress
    if let address, try await DesktopSettings.open(address) { return .page(address) }
    let known = guide?.settingsCommand
    if !SettingsCommand.hasTerminal, let known { return .command(known) }
    let app: String
    if let now { app = now.identity.appId } else { app = try await library.identity().appId }
    return try await SettingsCommand(app, socketPath: library.socketPath, shown: known).run()
  }

  /// Opens the desktop's background settings, to which the guide of a saved wallpaper leads.
  ///
  /// - Returns: whether there are such; where not, the guide's steps are what there is.
  public func openWallpaperSettings(_ guide: Guide) async throws(AlbumError) -> Bool {
    guard let command = guide.settingsCommand else { return false }
    return try await DesktopSettings.openBackground(command)
  }

  private func outcome<Value: Sendable>(
    _ explain: (@Sendable () async -> Bool)?, _ action: @Sendable () async throws -> Value
  ) async throws -> PermissionOutcome<Value> {
    let status = try await checkPermissionStatus()
    if status == .notDetermined, let explain, !(await explain()) { return .notNow }
    if !status.isUsable {
      let answer: (status: AuthorizationStatus, guide: Guide?)
      do {
        answer = try await library.requestAuthorization(for: level, waitForAgent: false, language: language)
      } catch let error as AlbumError where error.code == .noAgent {
        return .noAgent
      } catch let error as AlbumError where error.code == .throttled {
        return .notNow
      }
      if let refusal: PermissionOutcome<Value> = outcome(of: answer.status, answer.guide) { return refusal }
    }
    do { return .done(try await action()) } catch let error as AlbumError {
      // Access may be taken away between the question and the action. Whatever else the action needs is its
      // own affair.
      guard let refused = error.refusal, refused.accessLevel == level,
        let refusal: PermissionOutcome<Value> = outcome(of: refused.status, refused.guide)
      else { throw error }
      return refusal
    }
  }

  /// A status as an answer; nil when it is none.
  private func outcome<Value>(
    of status: AuthorizationStatus, _ guide: Guide?
  ) -> PermissionOutcome<Value>? {
    switch status {
    case .notDetermined: .notNow
    case .denied: .denied(guide ?? .none(for: status, in: language ?? library.language))
    case .restricted: .restricted(guide ?? .none(for: status, in: language ?? library.language))
    case .authorized, .limited: nil
    }
  }
}

extension AuthorizationInterface.Guide {
  /// The interface has a guide with every refusal; without one there is only that to tell.
  fileprivate static func none(for status: AuthorizationStatus, in language: String?) -> Guide {
    let words = Words.matching(language.map { [$0] } ?? PreferredLanguages.ofProcess)
    let phrase: Phrase = status == .restricted ? .meansRestricted : .meansDenied
    return Guide(title: words[.denied], message: words[phrase], steps: [])
  }
}
