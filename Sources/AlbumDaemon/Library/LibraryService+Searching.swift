internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import VarlinkServer

extension LibraryService {
  /// What was found, for a reader as it is by now, in the index as it was at a place or later.
  struct Searched<Value> {
    let reader: LibraryAccess.Reader
    let value: Value
    let place: Place
  }

  /// So often something is searched for whose caller sees something else each time that it is done.
  nonisolated static var mostTries: Int { 3 }

  /// Searches the index on another thread; again where the caller sees something else when it is done: what may be seen then
  /// counts (S29).
  ///
  /// - Parameter prepare: called when it is the caller's turn, and again for each try: says what to do there for a reader.
  /// - Throws: what both do; `NotAuthorized`; `SystemFailure` where it takes too much, or what is seen changes too often;
  ///   `CancellationError` where the caller hung up.
  func search<Value: Sendable>(
    _ call: ServerCall,
    _ prepare: (LibraryAccess.Reader) throws -> @Sendable (LibraryReader) throws -> Value
  ) async throws -> Searched<Value> {
    guard let found = try await searchIfAuthorized(call, prepare) else { throw try access.refusal(call) }
    return found
  }

  /// The same; `nil` where the caller may not read, or not any more.
  func searchIfAuthorized<Value: Sendable>(
    _ call: ServerCall,
    _ prepare: (LibraryAccess.Reader) throws -> @Sendable (LibraryReader) throws -> Value
  ) async throws -> Searched<Value>? {
    for _ in 0..<Self.mostTries {
      guard let user = try access.readerIfAuthorized(call)?.caller.accountable else { return nil }
      var view: LibraryView?
      let found: LongQueries.Found<Value>
      do {
        found = try await searches.run(for: user) {
          guard let reader = try access.readerIfAuthorized(call) else { throw AccessEnded() }
          view = reader.view
          return try prepare(reader)
        }
      } catch is AccessEnded {
        return nil
      } catch SearchLimit.Reached.tooLong {
        throw SystemFailure(message: "it takes too long to find that: ask for less at a time")
      }
      guard let now = try access.readerIfAuthorized(call) else { return nil }
      if now.view == view { return Searched(reader: now, value: found.value, place: found.place) }
    }
    throw SystemFailure(message: "what you may see changes while it is sought: ask again later")
  }

  /// What of a page a reader sees by now: for one who sees a part, an asset may have gone elsewhere while it was found (S16).
  func stillSeen(_ assets: [Asset], in view: LibraryView) throws -> [Asset] {
    if view.seesEverything { return assets }
    return try assets.filter { asset in
      guard let now = try store.files.asset(asset.id) else { return false }
      return view.sees(now)
    }
  }
}

/// The caller may not read any more.
private struct AccessEnded: Error {}
