import LibraryModel
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

  @Test("a log that somebody reads is not cut, and the writer goes on; it is cut when nobody does")
  func read() throws {
    let path = directory.path + "/library.sqlite"
    let store = try LibraryStore(path: path, boot: "one")
    let checkpoints = LibraryCheckpoints(path: path, bound: 64) { body in
      body()
      return true
    }
    func write() throws {
      try store.begin()
      _ = try store.finishScan()
      try store.commit()
      try store.settle()
    }
    func cut() -> Bool {
      let isDone = Mutex(false)
      checkpoints.cut { isDone.withLock { $0 = true } }
      return isDone.withLock { $0 }
    }
    try store.apart.read(.unlimited) { library in
      _ = try library.count(AssetQuery())
      try write()
      checkpoints.committed(65)
      #expect(checkpoints.isFull && !checkpoints.mustPause)
      #expect(cut())
      #expect(checkpoints.isFull && !checkpoints.mustPause)
      try write()
    }
    #expect(try !directory.bytes("library.sqlite-wal").isEmpty)
    #expect(cut())
    #expect(!checkpoints.isFull && !checkpoints.mustPause)
    #expect(try directory.bytes("library.sqlite-wal").isEmpty)
  }

  @Test("who asks for the log to be cut while it is copied waits until it was copied once more")
  func again() throws {
    let path = directory.path + "/library.sqlite"
    _ = try LibraryStore(path: path)
    let begun = Mutex<[@Sendable () -> Void]>([])
    let checkpoints = LibraryCheckpoints(path: path, bound: 64) { body in
      begun.withLock { $0.append(body) }
      return true
    }
    let isDone = Mutex(false)
    checkpoints.committed(65)
    checkpoints.cut { isDone.withLock { $0 = true } }
    begun.withLock { $0 }[0]()
    #expect(checkpoints.mustPause && !isDone.withLock { $0 })
    begun.withLock { $0 }[1]()
    #expect(!checkpoints.mustPause && isDone.withLock { $0 })
    #expect(begun.withLock { $0.count } == 2)
  }
}

private func startsThread(_ body: @escaping @Sendable () -> Void) -> Bool {
  Task.detached { body() }
  return true
}
