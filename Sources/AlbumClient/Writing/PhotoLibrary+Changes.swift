extension PhotoLibrary {
  /// Collects changes in a block and makes them in their order. PhotoKit: `performChanges(_:)`.
  ///
  /// **Differs**: the changes are not one: the first that fails ends it, and those before it stay. Files
  /// added next to each other go together, each kept or refused by itself (S31). What became of each is in
  /// its placeholder. Where that is `connectionLost`, it may have been made all the same.
  ///
  /// - Returns: what the block returned, such as a placeholder, when all was done.
  /// - Throws: the error of the first that failed, with its index in `item`; what the block throws, and
  ///   then nothing was done.
  @discardableResult
  public func performChanges<Outcome: Sendable>(
    _ block: (inout PhotoChangeRequest) throws -> Outcome
  ) async throws -> Outcome {
    var request = PhotoChangeRequest()
    let outcome = try block(&request)
    _ = try await perform(request, for: nil)
    return outcome
  }

  /// The same, and what to show the person of what was added: that it is saved and where, and for a wallpaper how to
  /// set it. PhotoKit has none.
  ///
  /// - Returns: what the block returned; the guide, in the library's language, where files were added.
  public func performChanges<Outcome: Sendable>(
    for purpose: SavePurpose, _ block: (inout PhotoChangeRequest) throws -> Outcome
  ) async throws -> (outcome: Outcome, guide: Guide?) {
    var request = PhotoChangeRequest()
    let outcome = try block(&request)
    return (outcome, try await perform(request, for: purpose))
  }

  private func perform(_ request: PhotoChangeRequest, for purpose: SavePurpose?) async throws -> Guide? {
    let steps = ChangeStep.steps(of: request.changes)
    if steps.isEmpty { return nil }
    let language = language
    return try await lanes.once { connection throws(AlbumError) in
      var guide: Guide?
      for step in steps {
        guide = try step.perform(on: connection, for: purpose, language: language) ?? guide
      }
      return guide
    }
  }
}
