internal import Authorization
internal import EventLoop
internal import LibraryModel
internal import Storage
internal import VarlinkServer

extension LibraryService {
  /// What was found on another thread, for a reader as it is by now, in the index as it was at a place or later.
  struct Searched<Value> {
    let reader: LibraryAccess.Reader
    let value: Value
    let place: Place
  }

  /// Searches the index on another thread; again where the caller sees something else when it is done: what may be seen then
  /// counts (S29).
  ///
  /// - Parameter body: what to do there, of what the caller sees.
  /// - Throws: `NotAuthorized`, `SystemFailure` where it takes too much, `CancellationError` where the caller hung up.
  func search<Value: Sendable>(
    _ call: ServerCall, _ body: (LibraryView) -> @Sendable (LibraryReader) throws -> Value
  ) async throws -> Searched<Value> {
    var reader = try access.reader(call)
    while true {
      let found: LongQueries.Found<Value>
      do {
        found = try await searches.run(for: reader.caller.accountable, body(reader.view))
      } catch SearchLimit.Reached.tooLong {
        throw SystemFailure(message: "it takes too long to find that: ask for less at a time")
      }
      let now = try access.reader(call)
      if now.view == reader.view { return Searched(reader: now, value: found.value, place: found.place) }
      reader = now
    }
  }

  /// What of a page a reader sees by now: for one who sees a part, an asset may have gone elsewhere while it was found (S16).
  func stillSeen(_ assets: [Asset], in view: LibraryView) throws -> [Asset] {
    if view.seesEverything { return assets }
    return try assets.filter { asset in
      guard let now = try store.files.asset(asset.id) else { return false }
      return view.sees(now.id, in: now.albums)
    }
  }
}
