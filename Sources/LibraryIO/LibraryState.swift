public import LibraryModel

/// A root of the configuration.
public struct LibraryRoot: Hashable, Sendable {
  /// Its absolute path.
  public var path: String
  /// Albums, relative to it, that limited apps never see (S19).
  public var shared: [String]
  /// Whether it must be the root of a mount: if it is not, nothing is mounted and the root is offline.
  public var requiresMountPoint: Bool

  /// A root.
  public init(path: String, shared: [String] = [], requiresMountPoint: Bool = false) {
    self.path = path
    self.shared = shared
    self.requiresMountPoint = requiresMountPoint
  }
}

/// How the library is, for `GetInfo` and the service's status.
public struct LibraryState: Hashable, Sendable {
  /// In one word.
  public enum Summary: String, Hashable, Sendable {
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
  public struct Root: Hashable, Sendable {
    /// Its id.
    public var id: RootID
    /// Its path.
    public var path: String
    /// Why it is offline; `nil` when it is online.
    public var offline: RootAbsence?
  }

  /// In one word.
  public var summary: Summary
  /// The roots.
  public var roots: [Root]
  /// What is wrong.
  public var problems: [LibraryProblem]
}

/// Counters for `GetStatistics`.
public struct LibraryStatistics: Hashable, Sendable {
  /// Events read from the kernel.
  public var events = 0
  /// How often the kernel's queue overflowed (S42).
  public var overflows = 0
  /// Scans of everything, the one at the start included.
  public var scans = 0
  /// Listings of a directory that were taken.
  public var listings = 0
  /// Changes published.
  public var changes = 0
  /// Directories with a watch.
  public var watches = 0
  /// Directories without one, for lack of watches.
  public var unwatched = 0
}
