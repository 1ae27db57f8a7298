internal import LibraryModel

/// What follows a step that has done something on disk, in the same job (docs/decisions/0155-done-before-looked-at.md).
struct AfterStep<Value: Sendable>: Sendable {
  /// What the index is about to follow: looked at there, since the loop does not wait for long.
  var names: @Sendable (Value) -> [Location] = { _ in [] }
  /// Throws where something else is at these names than was meant, by what a look at one says.
  var check: (@Sendable (Value, (Location) -> DiskAnswer?) throws(LibraryFileError) -> Void)?
  /// Undoes what was done: where that check throws, and where nobody waits for it any more. Nil for what is ended later all the
  /// same, since it was written down, and for what does no harm.
  var undo: (@Sendable (Value, BeneathRoot, DirectoryTree) throws(LibraryFileError) -> Void)?

  /// Checks what was done, and undoes it where it was not what was meant.
  func check(
    _ value: Value, _ disk: BeneathRoot, _ tree: DirectoryTree, _ look: (Location) -> DiskAnswer?
  ) throws(LibraryFileError) {
    do throws(LibraryFileError) { try check?(value, look) } catch {
      try undo?(value, disk, tree)
      throw error
    }
  }
}
