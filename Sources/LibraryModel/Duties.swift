/// What the caller of a ``Librarian`` must do for what a call was about.
package struct Duties {
  /// Directories to watch, then list: new, or not the same as before.
  package var list: [DirectoryID] = []
  /// Watches of directories that have left the library.
  package var unwatch: [Int32] = []
  /// Directories that were not where the tree has them: to be listed when they are found again.
  package var unresolved: Set<DirectoryID> = []
  /// Directories that were moved.
  package var moved: [DirectoryID] = []
  /// Names to be decided about when everything before is taken in.
  package var doubts = Doubts()
  /// Whether ``Directories/away`` or ``Directories/overfull`` has changed.
  package var stateChanged = false
  /// Whether directories have left the library that may still turn up: what is known now is not all that was told.
  package var hasLeft = false
  /// Names that were looked at, or written to, because somebody asked for it: a listing that was begun before is older.
  package var compared: [Location] = []
  /// Files that someone is still writing, as far as is known, what events said of them, and whether the disk says so.
  package var incomplete: [(location: Location, evidence: EventReducer.Evidence, hasWriter: Bool)] = []

  /// None.
  package init() {}

  /// Whether there are none.
  var isEmpty: Bool {
    list.isEmpty && unwatch.isEmpty && unresolved.isEmpty && moved.isEmpty && doubts.count == 0
      && !stateChanged && !hasLeft && compared.isEmpty && incomplete.isEmpty
  }

  /// The index has another file at a name.
  mutating func doubt(_ row: Link, present: FileIdentity?, hasLeft: Bool = false) {
    doubts.files.append(
      Doubt(location: row.location, former: row.identity, present: present, hasLeft: hasLeft))
  }

  /// A name is to be looked at when all is decided that is known now.
  mutating func lookAgain(at location: Location, _ former: FileIdentity) {
    doubts.files.append(Doubt(location: location, former: former, present: nil))
  }
}
