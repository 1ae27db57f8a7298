internal import AlbumAPI

extension PhotoLibrary {
  /// Tells an observer of every change of what the app may see, until it is unregistered or gone. PhotoKit:
  /// `register(_:)`.
  ///
  /// It may be registered before the app may read: access that is granted is a change, upon which everything is to
  /// be fetched, and so is access that is taken away, after which there is nothing (S70). Changes come again by
  /// themselves when the daemon was away. Registered again, it is told from the new token on, once
  /// it has returned from what it was being told.
  ///
  /// Unregister it: of one that goes without, the two connections are closed only at the next change, or when
  /// another is registered.
  ///
  /// - Parameter token: told from here on, as of the result of a fetch, so that there is no gap; from when
  ///   the daemon answers when nil.
  /// - Throws: `outOfResources`: every observer has a thread.
  public func register(
    _ observer: any PhotoLibraryChangeObserver, since token: PersistentChangeToken? = nil
  ) throws(AlbumError) {
    observers.register(observer, try lanes.changes(since: token, endsWhenExpired: false))
  }

  /// Tells an observer nothing more; what it is being told at this moment it is told to the end. PhotoKit:
  /// `unregisterChangeObserver(_:)`.
  public func unregisterChangeObserver(_ observer: any PhotoLibraryChangeObserver) {
    observers.unregister(observer)
  }

  /// The place where the library is now, to come back with (S26). PhotoKit: `currentChangeToken`.
  ///
  /// - Throws: `notAuthorized` with the guide.
  public func currentChangeToken() async throws(AlbumError) -> PersistentChangeToken {
    try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      // Whoever may see nothing is told of the library, and no token: but why not when it fetches.
      let told = try connection.info().token
      return try PersistentChangeToken(both: told.isEmpty ? connection.albums(ids: []).token : told)
    }
  }

  /// What happened since then, and what happens from now on. PhotoKit: `fetchPersistentChanges(since:)`;
  /// **differs**: see ``PhotoChanges``.
  ///
  /// - Throws: when it is iterated, `tokenExpired` (PhotoKit: 3105) for a token that the journal does not
  ///   cover any more (S27).
  public func persistentChanges(since token: PersistentChangeToken) -> PhotoChanges {
    PhotoChanges(lanes, since: token, endsWhenExpired: true)
  }
}
