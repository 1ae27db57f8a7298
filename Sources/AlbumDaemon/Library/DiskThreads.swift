internal import EventLoop
internal import LibraryIO
internal import LibraryModel
internal import Linux

/// Where copies are written, synced and removed: on one thread, but those of a root whose file system may not answer on
/// one of its own, and for that nobody waits longer than it answers (docs/decisions/0062-bounds-of-what-hangs.md). Users
/// take turns on each (docs/decisions/0131-turns-of-what-takes-long.md).
@EventLoopActor
final class DiskThreads {
  private let contents: LibraryContents
  private let shared = SharedThread()

  init(_ contents: LibraryContents) { self.contents = contents }

  /// That for what is in a directory.
  ///
  /// - Parameter user: whose turn it takes.
  subscript(_ directory: DirectoryID, for user: UInt32) -> Place {
    Place(threads: self, directory: directory, user: user)
  }

  /// Waits for the disk of one directory, as one user.
  @EventLoopActor
  struct Place {
    fileprivate let threads: DiskThreads
    fileprivate let directory: DirectoryID
    fileprivate let user: UInt32

    /// Does something on the thread, and comes back to the loop.
    ///
    /// - Throws: what `body` does; `offline` where the file system stops answering. Then a body that was not begun is
    ///   not, and one that was may be over later.
    func run<Value: Sendable>(
      _ body: @escaping @Sendable () throws(LibraryFileError) -> Value
    ) async throws(LibraryFileError) -> Value {
      guard let thread = threads.contents.threadApart(of: directory) else {
        return try await threads.shared.run(for: user, body)
      }
      let attention = Attention()
      do throws(LibraryFileError) {
        return try await whileAnswering { () async throws(LibraryFileError) -> Value in
          try await thread.run(for: user) { () throws(LibraryFileError) in
            guard attention.begin() else { throw LibraryFileError(.offline, subject: "a copy") }
            return try body()
          }
        }
      } catch {
        attention.giveUp()
        throw error
      }
    }

    /// Waits for what somebody else does with the file system, as long as that answers.
    ///
    /// - Throws: what `body` does; `offline`.
    func whileAnswering<Value: Sendable>(
      _ body: @escaping @EventLoopActor () async throws(LibraryFileError) -> Value
    ) async throws(LibraryFileError) -> Value {
      try await threads.contents.whileAnswering(directory, body)
    }
  }
}
