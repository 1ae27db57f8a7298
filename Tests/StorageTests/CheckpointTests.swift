import Synchronization
import Testing

@testable import Storage

@Suite("Copying the write-ahead log")
struct CheckpointTests {
  private let directory: StateDirectory

  init() throws {
    directory = try StateDirectory()
  }

  /// What somebody who waits for room is told.
  private func room(of checkpoints: LibraryCheckpoints) async -> StorageError? {
    await withCheckedContinuation { continuation in
      checkpoints.onRoom { continuation.resume(returning: $0) }
    }
  }

  @Test(
    "a checkpoint that failed was not made: beyond the bound writing stays paused, and who waits is told why")
  func failing() async throws {
    // No file: it cannot be opened.
    let checkpoints = LibraryCheckpoints(path: directory.path + "/none/library.sqlite")
    checkpoints.committed(LibraryCheckpoints.bound + 1)
    #expect(await room(of: checkpoints)?.code == .cannotOpen)
    #expect(checkpoints.mustPause)
    #expect(await room(of: checkpoints)?.code == .cannotOpen, "tried again")
  }

  @Test("where there is no thread for it, nothing is done on the writer's, and it is tried again")
  func withoutThread() async throws {
    let path = directory.path + "/library.sqlite"
    _ = try LibraryStore(path: path)
    let hasThreads = Mutex(false)
    let checkpoints = LibraryCheckpoints(path: path) { body in
      hasThreads.withLock { $0 } && startsThread(body)
    }
    checkpoints.committed(LibraryCheckpoints.bound + 1)
    #expect(await room(of: checkpoints) != nil)
    #expect(checkpoints.mustPause)
    hasThreads.withLock { $0 = true }
    #expect(await room(of: checkpoints) == nil)
    #expect(!checkpoints.mustPause)
  }
}

private func startsThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  Task.detached { body() }
  return true
}
