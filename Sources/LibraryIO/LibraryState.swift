package import LibraryModel

/// A root of the configuration.
package struct LibraryRoot: Hashable, Sendable {
  /// Its absolute path.
  package var path: String
  /// Albums, relative to it, that limited apps never see (S19).
  package var shared: [String]
  /// Whether it must be the root of a mount: if it is not, nothing is mounted and the root is offline.
  package var requiresMountPoint: Bool

  /// A root.
  package init(path: String, shared: [String] = [], requiresMountPoint: Bool = false) {
    self.path = path
    self.shared = shared
    self.requiresMountPoint = requiresMountPoint
  }
}

/// How the library is, for `GetInfo` and the service's status.
package struct LibraryState: Hashable, Sendable {
  /// In one word.
  package enum Summary: String, Hashable, Sendable {
    /// The disk is being compared with the index; requests are answered from the index.
    case scanning
    /// The index agrees with the disk.
    case ready
    /// Something cannot be watched, read or written; ``LibraryState/problems`` says what.
    case degraded
    /// No root is there.
    case offline
  }

  /// One root.
  package struct Root: Hashable, Sendable {
    /// Its id.
    package var id: RootID
    /// Its path.
    package var path: String
    /// Why it is offline; `nil` when it is online.
    package var offline: RootAbsence?
    /// What it is called: the last part of its path.
    package var name: String { path.split(separator: "/").last.map(String.init) ?? path }
  }

  /// In one word.
  package var summary: Summary
  /// The roots.
  package var roots: [Root]
  /// What is wrong.
  package var problems: [LibraryProblem]
}

/// How far a scan is.
package struct ScanProgress: Hashable, Sendable {
  /// Directories that were looked through since it began.
  package let done: Int
  /// Directories that are known and are to be looked through.
  package let left: Int
}

/// Counters for `GetStatistics`.
package struct LibraryStatistics: Hashable, Sendable {
  /// Events read from the kernel.
  package var events = 0
  /// How often the kernel's queue overflowed (S42).
  package var overflows = 0
  /// Scans of everything, the one at the start included.
  package var scans = 0
  /// Listings of a directory that were taken.
  package var listings = 0
  /// Changes published.
  package var changes = 0
  /// Directories with a watch.
  package var watches = 0
  /// Directories without one, for lack of watches.
  package var unwatched = 0
}
