internal import LibraryModel

/// A root of the configuration, and what has become of it.
struct WatchedRoot {
  var settings: LibraryRoot
  var stored: StoredRoot
  /// Why it is offline; `nil` when it is online.
  var offline: RootAbsence?
  /// Whether looking at it failed when it was last tried: nothing need tell when it would not.
  var isUncertain = false
  /// Whether what is there is taken for the library when it is looked at next, whatever it is.
  var isToBeAccepted = false
  /// The watch on the nearest directory above it that is there, while it is offline.
  var ancestorWatch: Int32?
  /// Since when it is offline, by the monotonic clock in microseconds.
  var absentSince: UInt64?

  var id: RootID { stored.id }
  var directory: DirectoryID { DirectoryID(of: stored.id) }

  /// The shared albums as names from the root down.
  var sharedPaths: [[FileName]] {
    settings.shared.map { $0.split(separator: "/").map { FileName(String($0)) } }
  }
}
