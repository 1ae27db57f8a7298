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

  /// What the app may do now. Never prompts (S5).
  public func checkPermissionStatus() async throws(AlbumError) -> AuthorizationStatus {
    try await library.authorizationStatus(for: level)
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
  ///   - name: the file's name; a name that exists gets a number.
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
    let command: String
    if let known {
      command = known
    } else {
      command = "albumctl settings \(try await library.identity().appId)"
    }
    return try await SettingsCommand(command, socketPath: library.socketPath).run()
  }

  private func outcome<Value: Sendable>(
    _ explain: (@Sendable () async -> Bool)?, _ action: @Sendable () async throws -> Value
  ) async throws -> PermissionOutcome<Value> {
    do {
      let status = try await checkPermissionStatus()
      if status == .notDetermined, let explain, !(await explain()) { return .notNow }
      if status.isUsable { return .done(try await action()) }
      let answer = try await library.requestAuthorization(for: level, waitForAgent: false, language: language)
      switch answer.status {
      case .authorized, .limited: return .done(try await action())
      case .denied: return .denied(answer.guide ?? .none(for: answer.status))
      case .restricted: return .restricted(answer.guide ?? .none(for: answer.status))
      case .notDetermined: return .notNow
      }
    } catch let error as AlbumError {
      return try outcome(of: error)
    }
  }

  /// Failures that are answers. Access may also be taken away between the question and the action.
  private func outcome<Value>(of error: AlbumError) throws(AlbumError) -> PermissionOutcome<Value> {
    if error.code == .noAgent { return .noAgent }
    if error.code == .throttled { return .notNow }
    guard error.code == .notAuthorized, let status = error.status else { throw error }
    switch status {
    case .notDetermined: return .notNow
    case .denied: return .denied(error.guide ?? .none(for: status))
    case .restricted: return .restricted(error.guide ?? .none(for: status))
    // Enough for another level, and not for what was done.
    case .authorized, .limited: throw error
    }
  }
}

extension AuthorizationInterface.Guide {
  /// The interface has a guide with every refusal; without one there is only the status to tell.
  fileprivate static func none(for status: AuthorizationStatus) -> Guide {
    Guide(title: "Not allowed", message: "Access to the photo library is \(status.rawValue).", steps: [])
  }
}
