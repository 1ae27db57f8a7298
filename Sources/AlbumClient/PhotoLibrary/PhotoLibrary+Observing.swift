internal import AlbumAPI
internal import Synchronization

extension PhotoLibrary {
  /// Tells an observer of every change of what the app may see, until it is unregistered or gone. PhotoKit:
  /// `register(_:)`.
  ///
  /// It may be registered before the app may read: it hears of changes from when it may. Changes come
  /// again by themselves when the daemon was away.
  ///
  /// - Parameter token: told from here on, as of the result of a fetch, so that there is no gap; from when
  ///   the daemon answers when nil.
  /// - Throws: `outOfResources`: every observer has a thread.
  public func register(
    _ observer: any PhotoLibraryChangeObserver, since token: PersistentChangeToken? = nil
  ) throws(AlbumError) {
    let lane = try ChangeLane(lanes, since: token, endsWhenExpired: false)
    let reference = WeakObserver(observer)
    let task = Task.detached {
      // Such a lane throws nothing: it ends with its task.
      while let change = try? await lane.next(), let observer = reference.observer {
        await observer.photoLibraryDidChange(change)
      }
    }
    observations.withLock { $0.updateValue(task, forKey: ObjectIdentifier(observer)) }?.cancel()
  }

  /// Tells an observer nothing more. PhotoKit: `unregisterChangeObserver(_:)`.
  public func unregisterChangeObserver(_ observer: any PhotoLibraryChangeObserver) {
    observations.withLock { $0.removeValue(forKey: ObjectIdentifier(observer)) }?.cancel()
  }

  /// The place where the library is now, to come back with (S26). PhotoKit: `currentChangeToken`.
  ///
  /// - Throws: `notAuthorized`.
  public func currentChangeToken() async throws(AlbumError) -> PersistentChangeToken {
    try await lanes.repeatable(.questions) { connection throws(AlbumError) in
      PersistentChangeToken(both: try connection.info().token)
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

/// Lets an observer go whose owner forgot to unregister it.
private final class WeakObserver: Sendable {
  weak let observer: (any PhotoLibraryChangeObserver)?

  init(_ observer: any PhotoLibraryChangeObserver) {
    self.observer = observer
  }
}
