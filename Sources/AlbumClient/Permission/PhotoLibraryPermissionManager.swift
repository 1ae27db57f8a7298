public import AlbumAPI
internal import Synchronization

/// Access to the photo library in four calls, for an app that only wants to save a picture. PhotoKit has
/// none: it is what apps write around `PHPhotoLibrary`.
///
/// It asks at most once in each call, and the owner at most once ever (S8): after a refusal every call has
/// the guide at once.
public final class PhotoLibraryPermissionManager: Sendable {
  private let library: PhotoLibrary
  private let level: AccessLevel
  private let language: String?
  private let lastGuide = Mutex<Guide?>(nil)

  /// - Parameters:
  ///   - level: what the app needs.
  ///   - language: of guides, such as `zh-Hans`.
  public init(_ library: PhotoLibrary = .shared, level: AccessLevel = .addOnly, language: String? = nil) {
    self.library = library
    self.level = level
    self.language = language
  }

  /// What the app may do now. Never prompts (S5). Who may read may add, whatever is said of adding alone (S2).
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
  ///   - onDenied: shows the guide of a refusal.
  ///   - action: what to do with access.
  /// - Throws: what the action throws; ``AlbumError`` for what keeps anyone from being asked, such as
  ///   `usageDescriptionMissing` and `notRunning`.
  public func requestPermissionAndExecute<Value: Sendable>(
    explain: (@Sendable () async -> Bool)? = nil, onDenied: (@Sendable (Guide) async -> Void)? = nil,
    _ action: @Sendable () async throws -> Value
  ) async throws -> PermissionOutcome<Value> {
    let outcome = try await outcome(explain, action)
    if let guide = outcome.guide {
      lastGuide.withLock { $0 = guide }
      await onDenied?(guide)
    }
    return outcome
  }

  /// Saves a photo, and asks for access before if nobody was asked yet.
  ///
  /// - Parameters:
  ///   - name: the file's name, see ``PhotoChangeRequest/addPhoto(from:named:to:)``.
  ///   - album: the id of the album; where the configuration says when nil.
  /// - Returns: the id of the photo. An app that may only add has a receipt, which it cannot read back: that
  ///   it is there is success (S32).
  /// - Throws: `notMedia`, `tooLarge`, `noSpace`, `invalidFileDescriptor`, `noSuchAlbum`, and what
  ///   ``requestPermissionAndExecute(explain:onDenied:_:)`` throws.
  public func saveImage(
    _ source: MediaSource, named name: String? = nil, to album: String? = nil,
    explain: (@Sendable () async -> Bool)? = nil
  ) async throws -> PermissionOutcome<String> {
    try await requestPermissionAndExecute(explain: explain) { [library] in
      let photo = try await library.performChanges { $0.addPhoto(from: source, named: name, to: album) }
      return photo.localIdentifier ?? ""
    }
  }

  /// Leads to where the owner can change what the app may do: runs the settings command if there is a
  /// terminal and waits for its end, or says which it is. PhotoKit: `UIApplication.openSettingsURLString`.
  public func openSettings() async throws(AlbumError) -> SettingsOpening {
    let known = lastGuide.withLock { $0?.settingsCommand }
    if !SettingsCommand.hasTerminal, let known { return .command(known) }
    let app = try await library.identity().appId
    return try await SettingsCommand(app, socketPath: library.socketPath, shown: known).run()
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
    case .denied: .denied(guide ?? .none(for: status))
    case .restricted: .restricted(guide ?? .none(for: status))
    case .authorized, .limited: nil
    }
  }
}

extension AuthorizationInterface.Guide {
  /// The interface has a guide with every refusal; without one there is only the status to tell.
  fileprivate static func none(for status: AuthorizationStatus) -> Guide {
    Guide(title: "Not allowed", message: "Access to the photo library is \(status.rawValue).", steps: [])
  }
}
