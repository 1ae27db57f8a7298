internal import EventLoop
internal import LibraryIO
internal import Linux
internal import Storage

/// Brings to disk what was written down in the index, which committing leaves for later.
@EventLoopActor
final class IndexSync {
  private let journal: JournalWriter
  private let path: String
  /// For what waits for the disk and nothing else.
  private let queue = SerialThread()

  init(monitor: LibraryMonitor, store: any LibraryReading) {
    journal = monitor.edits.journal
    path = store.path
  }

  /// - Throws: `StorageError`: it may be lost with the power.
  func sync() async throws {
    try journal.settle()
    let result: Result<Void, StorageError> = await withCheckedContinuation { continuation in
      queue.async { [path] in
        let result: Result<Void, StorageError>
        do throws(StorageError) { result = .success(try LibraryStore.sync(path)) } catch {
          result = .failure(error)
        }
        continuation.resume(returning: result)
      }
    }
    try result.get()
  }
}
