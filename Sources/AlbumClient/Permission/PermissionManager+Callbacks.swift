public import AlbumAPI

// The same calls for who does not await: each calls one of its handlers, once, on the actor that the caller names; the
// main one unless told otherwise. On Linux something has to run that: an asynchronous main does.
extension PhotoLibraryPermissionManager {
  /// What the app may do now. Never prompts (S5). PhotoKit: `authorizationStatus(for:)`.
  ///
  /// - Returns: the task, which may be cancelled.
  @discardableResult
  public func checkPermissionStatus(
    on actor: any Actor = MainActor.shared,
    completion: @escaping @Sendable (Result<AuthorizationStatus, any Error>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result: Result<AuthorizationStatus, any Error>
      do { result = .success(try await checkPermissionStatus()) } catch { result = .failure(error) }
      await call(on: actor) { completion(result) }
    }
  }

  /// Asks the owner, if nobody was asked before. PhotoKit: `requestAuthorization(for:handler:)`.
  ///
  /// - Parameters:
  ///   - onAuthorized: access is there.
  ///   - onDenied: it is not: refused, put off, or nobody is there to ask. The guide says what can be done.
  ///   - onFailure: nobody could be asked; why is said in the person's language.
  @discardableResult
  public func requestPermissionAndExecute(
    explain: (@Sendable () async -> Bool)? = nil, message: String? = nil,
    on actor: any Actor = MainActor.shared, onAuthorized: @escaping @Sendable () -> Void,
    onDenied: @escaping @Sendable (Guide) -> Void,
    onFailure: @escaping @Sendable (String) -> Void = { _ in }
  ) -> Task<Void, Never> {
    Task {
      do {
        let outcome = try await requestPermissionAndExecute(explain: explain, message: message) {}
        if outcome.value != nil { return await call(on: actor, onAuthorized) }
        let guide = await guide(of: outcome)
        await call(on: actor) { onDenied(guide) }
      } catch {
        let sentence = sentence(error)
        await call(on: actor) { onFailure(sentence) }
      }
    }
  }

  /// Saves a photo, and asks for access before if nobody was asked yet.
  ///
  /// - Parameters:
  ///   - onSuccess: the photo is whole in the library. Its guide says so.
  ///   - onFailure: it is not; why, as a sentence in the person's language, and after a refusal the guide.
  @discardableResult
  public func saveImage(
    _ source: MediaSource, named name: String? = nil, to album: String? = nil, purpose: SavePurpose = .keep,
    explain: (@Sendable () async -> Bool)? = nil, message: String? = nil,
    on actor: any Actor = MainActor.shared, onSuccess: @escaping @Sendable (SavedPhotos) -> Void,
    onFailure: @escaping @Sendable (String, Guide?) -> Void
  ) -> Task<Void, Never> {
    Task {
      do {
        let outcome = try await requestAndSave(
          [MediaItem(source, named: name)], purpose: purpose, to: album, explain: explain, message: message)
        if let saved = outcome.value {
          if let error = saved.firstError { throw error }
          return await call(on: actor) { onSuccess(saved) }
        }
        let guide = await guide(of: outcome)
        await call(on: actor) { onFailure(guide.message, guide) }
      } catch {
        let sentence = sentence(error)
        await call(on: actor) { onFailure(sentence, nil) }
      }
    }
  }

  /// Saves many, and asks for access before if nobody was asked yet.
  ///
  /// - Parameters:
  ///   - progress: is told how far it has come; not on the actor.
  ///   - onDone: what became of each, also where some or all could not be saved.
  ///   - onFailure: nothing was begun; why, as a sentence in the person's language, and after a refusal the guide.
  @discardableResult
  public func requestAndSave(
    _ items: [MediaItem], purpose: SavePurpose = .keep, to album: String? = nil,
    explain: (@Sendable () async -> Bool)? = nil, message: String? = nil,
    progress: (@Sendable (SaveProgress) -> Void)? = nil,
    on actor: any Actor = MainActor.shared, onDone: @escaping @Sendable (SavedPhotos) -> Void,
    onFailure: @escaping @Sendable (String, Guide?) -> Void
  ) -> Task<Void, Never> {
    Task {
      do {
        let outcome = try await requestAndSave(
          items, purpose: purpose, to: album, explain: explain, message: message, progress: progress)
        if let saved = outcome.value { return await call(on: actor) { onDone(saved) } }
        let guide = await guide(of: outcome)
        await call(on: actor) { onFailure(guide.message, guide) }
      } catch {
        let sentence = sentence(error)
        await call(on: actor) { onFailure(sentence, nil) }
      }
    }
  }

  /// Opens the desktop's background settings.
  @discardableResult
  public func openWallpaperSettings(
    _ guide: Guide, on actor: any Actor = MainActor.shared,
    completion: @escaping @Sendable (Result<Bool, any Error>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result: Result<Bool, any Error>
      do throws(AlbumError) { result = .success(try await openWallpaperSettings(guide)) } catch {
        result = .failure(error)
      }
      await call(on: actor) { completion(result) }
    }
  }

  /// Leads to the settings.
  @discardableResult
  public func openSettings(
    on actor: any Actor = MainActor.shared,
    completion: @escaping @Sendable (Result<SettingsOpening, any Error>) -> Void
  ) -> Task<Void, Never> {
    Task {
      let result: Result<SettingsOpening, any Error>
      do throws(AlbumError) { result = .success(try await openSettings()) } catch { result = .failure(error) }
      await call(on: actor) { completion(result) }
    }
  }

  /// What to show of an outcome that is no success.
  private func guide<Value>(of outcome: PermissionOutcome<Value>) async -> Guide {
    if let guide = outcome.guide { return guide }
    // Put off, or nobody there: what is said before anything was decided.
    return await library.guideWithoutAccess(for: level, language: language)
      ?? Guide(title: "", message: "", steps: [])
  }

  private func sentence(_ error: any Error) -> String {
    guard let error = error as? AlbumError else { return "\(error)" }
    return (language ?? library.language).map { error.message(in: $0) } ?? error.message
  }
}

/// Runs a handler on an actor.
private func call(on actor: isolated any Actor, _ handler: @Sendable () -> Void) { handler() }
