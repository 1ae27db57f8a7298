public import AlbumAPI

extension PhotoLibraryPermissionManager {
  /// Saves pictures and videos for a purpose, and asks for access before if nobody was asked yet.
  ///
  /// What cannot be opened is found before anybody is asked. Cancelling the task ends it: what was saved by then stays.
  ///
  /// - Parameters:
  ///   - purpose: what for; the guide of what was saved says what to do next, in the person's language.
  ///   - album: the id of the album; where the configuration says when nil.
  ///   - explain: as in ``requestPermissionAndExecute(explain:message:onDenied:_:)``.
  ///   - message: to the person of a refusal, instead of the guide's: what they would have of it.
  ///   - onDenied: shows the guide of a refusal.
  ///   - progress: is told how far it has come; not on the main actor.
  /// - Returns: what became of each, also where some or all could not be saved.
  /// - Throws: what ``requestPermissionAndExecute(explain:message:onDenied:_:)`` throws; `CancellationError`;
  ///   `invalidFileDescriptor` where the first cannot be opened.
  public func requestAndSave(
    _ items: [MediaItem], purpose: SavePurpose = .keep, to album: String? = nil,
    explain: (@Sendable () async -> Bool)? = nil, message: String? = nil,
    onDenied: (@Sendable (Guide) async -> Void)? = nil,
    progress: (@Sendable (SaveProgress) -> Void)? = nil
  ) async throws -> PermissionOutcome<SavedPhotos> {
    // An error before the owner is asked, rather than after they agreed to something that cannot be.
    let items = try items.map { try $0.checked() }
    return try await requestPermissionAndExecute(explain: explain, message: message, onDenied: onDenied) {
      let saved = try await self.library.save(items, purpose: purpose, to: album, progress: progress)
      // Access that was taken away meanwhile is a refusal, not one of many failures.
      if saved.identifiers.isEmpty, let error = saved.firstError, error.item == nil { throw error }
      return saved
    }
  }

  /// Saves a photo, and asks for access before if nobody was asked yet.
  ///
  /// - Parameters:
  ///   - name: the file's name, see ``PhotoChangeRequest/addPhoto(from:named:to:)``.
  ///   - album: the id of the album; where the configuration says when nil.
  /// - Returns: the id of the photo. An app that may only add has a receipt, which it cannot read back: that
  ///   it is there is success (S32).
  /// - Throws: `notMedia`, `tooLarge`, `noSpace`, `invalidFileDescriptor`, `noSuchAlbum`, and what
  ///   ``requestPermissionAndExecute(explain:message:onDenied:_:)`` throws.
  public func saveImage(
    _ source: MediaSource, named name: String? = nil, to album: String? = nil,
    explain: (@Sendable () async -> Bool)? = nil, message: String? = nil,
    onDenied: (@Sendable (Guide) async -> Void)? = nil
  ) async throws -> PermissionOutcome<String> {
    let outcome = try await requestAndSave(
      [MediaItem(source, named: name)], to: album, explain: explain, message: message, onDenied: onDenied)
    return try outcome.map { saved in
      if let error = saved.firstError { throw error }
      return saved.identifiers.first ?? ""
    }
  }
}

extension PhotoLibrary {
  /// Saves pictures and videos, each kept or refused by itself (S31).
  ///
  /// - Parameters:
  ///   - purpose: what for; the guide says what to do next.
  ///   - album: the id of the album; where the configuration says when nil.
  ///   - progress: is told how far it has come; not on the main actor.
  /// - Throws: `notRunning` and what else keeps it from being begun; `CancellationError` when the task is cancelled:
  ///   what was saved by then stays.
  public func save(
    _ items: [MediaItem], purpose: SavePurpose = .keep, to album: String? = nil,
    progress: (@Sendable (SaveProgress) -> Void)? = nil
  ) async throws -> SavedPhotos {
    let language = language
    return try await lanes.once { connection throws(AlbumError) in
      var guide: Guide?
      let results = connection.save(
        items, to: album, for: purpose, language: language, desktop: DesktopSettings.current,
        progress: { progress?($0) }, guide: { guide = $0 })
      return SavedPhotos(results: results, guide: guide)
    }
  }
}

/// What pictures are saved for: to be kept, or to be set as the wallpaper.
public typealias SavePurpose = LibraryInterface.SavePurpose

extension MediaItem {
  /// The same, if its files can be opened.
  fileprivate func checked() throws(AlbumError) -> MediaItem {
    for source in [source, pairedVideo].compactMap(\.self) { try source.check() }
    return self
  }
}
