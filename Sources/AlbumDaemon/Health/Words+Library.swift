internal import LibraryIO
internal import Words

extension Words {
  /// What is wrong with the library, as a sentence.
  func sentence(_ problem: LibraryProblem) -> String {
    switch problem {
    case .database(let reason): reason
    case .unwatched(let count): self[.libraryUnwatched, ["count": "\(count)"]]
    case .unreadable(let path): self[.libraryUnreadable, ["path": path]]
    case .away(let path): self[.libraryAway, ["path": path]]
    case .overfull(let path): self[.libraryOverfull, ["path": path]]
    case .moreDirectories(let count): self[.libraryMoreDirectories, ["count": "\(count)"]]
    case .offline(let path, let absence): self[.libraryOffline, ["path": path, "reason": reason(absence)]]
    }
  }

  /// Why a root is offline.
  func reason(_ absence: RootAbsence) -> String {
    switch absence {
    case .notLookedAt: self[.rootNotLookedAt]
    case .notMounted: self[.rootNotMounted]
    case .otherFileSystem: self[.rootOtherFileSystem]
    case .notAnswering: self[.rootNotAnswering]
    case .failed(let reason): reason
    }
  }
}
