internal import Synchronization

/// The observers of a library, and the tasks that tell them.
final class Observers: Sendable {
  private struct Entry {
    let reference: WeakObserver
    let task: Task<Void, Never>
  }

  /// Each until its task has ended, so that whoever comes again waits for that.
  private let entries = Mutex<[ObjectIdentifier: Entry]>([:])

  /// Tells an observer what comes over a lane, in place of what it was told before.
  func register(_ observer: any PhotoLibraryChangeObserver, _ lane: FeedLane<ChangeFeed>) {
    cancelForgotten()
    let reference = WeakObserver(observer)
    let key = ObjectIdentifier(observer)
    entries.withLock { entries in
      let previous = entries[key]?.task
      previous?.cancel()
      let task = Task.detached { [self] in
        // It may be in the middle of being told something.
        await previous?.value
        // Such a lane throws nothing: it ends with its task.
        while let change = try? await lane.next(), !Task.isCancelled, let observer = reference.observer {
          await observer.photoLibraryDidChange(change)
        }
        forget(key, reference)
      }
      entries[key] = Entry(reference: reference, task: task)
    }
  }

  /// Tells it nothing more, but for what it is being told.
  func unregister(_ observer: any PhotoLibraryChangeObserver) {
    entries.withLock { $0[ObjectIdentifier(observer)]?.task.cancel() }
  }

  /// Tells nobody anything more.
  func cancelAll() {
    entries.withLock { entries in entries.values.forEach { $0.task.cancel() } }
  }

  /// Ends what was there for observers that are gone: two connections each, and the daemon gives a user only
  /// so many.
  private func cancelForgotten() {
    // Not under the lock: if this holds an observer last, its end may come here again.
    let present = entries.withLock { Array($0.values) }
    for entry in present where entry.reference.observer == nil { entry.task.cancel() }
  }

  /// Unless another observer has its address, or its place, by now.
  private func forget(_ key: ObjectIdentifier, _ reference: WeakObserver) {
    entries.withLock { if $0[key]?.reference === reference { $0[key] = nil } }
  }
}

/// Lets an observer go whose owner forgot to unregister it.
private final class WeakObserver: Sendable {
  weak let observer: (any PhotoLibraryChangeObserver)?

  init(_ observer: any PhotoLibraryChangeObserver) {
    self.observer = observer
  }
}
