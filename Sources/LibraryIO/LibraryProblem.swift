/// Something that keeps the library from being as it should. Who tells a person of it finds the words.
package enum LibraryProblem: Hashable, Sendable {
  /// The database cannot be written or read, in its own words.
  case database(String)
  /// So many directories have no watch, and are compared now and then only (S42).
  case unwatched(Int)
  /// This directory cannot be read; its assets are kept as they were.
  case unreadable(String)
  /// At this directory another file system is mounted than before, or none; its assets are offline.
  case away(String)
  /// Beneath this root there are directories without end, as it seems: those beyond a bound are not in the library.
  case overfull(root: String)
  /// So many more directories are as the one before: not all are named.
  case moreDirectories(Int)
  /// This root is offline (S41).
  case offline(root: String, RootAbsence)
}

/// Why a root is offline (S41).
package enum RootAbsence: Hashable, Sendable {
  /// It was not looked at yet.
  case notLookedAt
  /// It has to be the root of a mount, and is none.
  case notMounted
  /// Another file system is mounted there than before, or none.
  case otherFileSystem
  /// Its file system does not answer.
  case notAnswering
  /// It cannot be opened, for a reason of the kernel's.
  case failed(reason: String)
}
