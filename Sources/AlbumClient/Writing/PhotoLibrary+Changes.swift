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
    let steps = ChangeStep.steps(of: request.changes)
    if !steps.isEmpty {
      try await lanes.once { connection throws(AlbumError) in
        for step in steps { try step.perform(on: connection) }
      }
    }
    return outcome
  }
}
