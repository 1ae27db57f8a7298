internal import EventLoop
package import LibraryModel
package import Linux

// What is done elsewhere with a file system that may not answer, and waited for here.
extension LibraryContents {
  /// Where copies into a directory are made, if its file system may not answer: one thread for each such root.
  package func threadApart(of directory: DirectoryID) -> SharedThread? {
    roots.disk(of: directory)?.thread.copies
  }

  /// Waits for what is done with the file system of a directory, as long as that answers.
  ///
  /// - Throws: what `body` does; ``LibraryFileError``, `offline`: its root hangs, and `body` goes on by itself.
  package func whileAnswering<Value: Sendable>(
    _ directory: DirectoryID,
    _ body: @escaping @EventLoopActor () async throws(LibraryFileError) -> Value
  ) async throws(LibraryFileError) -> Value {
    guard let apart = roots.disk(of: directory) else { return try await body() }
    let result = await apart.whileAnswering { () async -> Result<Value, LibraryFileError> in
      do throws(LibraryFileError) { return .success(try await body()) } catch { return .failure(error) }
    }
    guard let result else {
      throw LibraryFileError(.offline, subject: tree[directory]?.name.description ?? "directory")
    }
    return try result.get()
  }

  /// Waits until the file system of a directory has answered: before it is written to.
  ///
  /// - Parameter user: who asks for it, and takes turns with others.
  /// - Throws: ``LibraryFileError``, `offline`: it does not.
  package func waitForAnswer(of directory: DirectoryID, for user: UInt32) async throws(LibraryFileError) {
    guard let apart = roots.disk(of: directory) else { return }
    let subject = tree[directory]?.name.description ?? "directory"
    guard let place = disk.place(of: directory, in: tree),
      let isThere = await apart.run(
        for: user,
        { disk in
          place.enter(disk)
          return disk.isThere(directory, in: place.tree)
        }), isThere != nil
    else { throw LibraryFileError(.offline, subject: subject) }
  }

  /// The same for all that an asset has names in.
  package func waitForAnswer(of asset: Asset, for user: UInt32) async throws(LibraryFileError) {
    for link in asset.links { try await waitForAnswer(of: link.directory, for: user) }
  }
}
