/// Which file or directory a name stands for, beyond its name: what survives a rename, a restart, and another device number
/// (docs/decisions/0065-volumes.md).
///
/// The birth time guards against inode numbers that are used again; it is 0 where a file system keeps
/// none (statx(2), STATX_BTIME).
package struct FileIdentity: Hashable, Sendable {
  /// The file system and subvolume.
  package var volume: VolumeNumber
  /// The inode number.
  package var inode: UInt64
  /// When the inode was made, nanoseconds since 1970; 0 if unknown.
  package var birthTime: Int64

  /// That of no file.
  package static let none = FileIdentity(volume: .unknown, inode: 0, birthTime: 0)

  /// An identity.
  ///
  /// - Parameter birthTime: the first and the last that 64 bits hold stand for all beyond them, as an index of before may have
  ///   them: they tell no file from another, and are taken for unknown.
  package init(volume: VolumeNumber, inode: UInt64, birthTime: Int64) {
    self.volume = volume
    self.inode = inode
    self.birthTime = birthTime == .min || birthTime == .max ? 0 : birthTime
  }

  /// Whether no other file has the same, ever. Not where there is no birth time, and not where births are counted in steps:
  /// there file systems number files anew with every mount, and many files are born in one step
  /// (docs/decisions/0134-numbers-that-change.md).
  package var isCertain: Bool { birthTime != 0 && !birthTime.isMultiple(of: Self.birthStep) }

  /// FAT and exFAT count births in hundredths of a second. Nanoseconds.
  private static let birthStep: Int64 = 10_000_000

  /// Whether what has this number now, where this was, may be this under another number.
  package func mayBeRenumbered(as other: FileIdentity) -> Bool {
    !isCertain && other.inode != inode && other.volume == volume && other.birthTime == birthTime
  }
}

/// What the disk says about a name.
package struct FileFacts: Hashable, Sendable {
  /// What kind of thing a name stands for.
  package enum Kind: UInt8, Hashable, Sendable {
    /// A regular file.
    case regular
    /// A directory.
    case directory
    /// A symbolic link, a socket, a device: never an asset, never followed (race 13).
    case other
  }

  /// What it is.
  package var kind: Kind
  /// Which it is.
  package var identity: FileIdentity
  /// Its length in bytes.
  package var byteCount: Int64
  /// When its content changed last, nanoseconds since 1970.
  package var modified: Int64
  /// When anything about it changed last, its content or not (st_ctime): the one time that nobody can set.
  package var changed: Int64 = 0
  /// How many names it has.
  package var linkCount: UInt32
  /// Whether it is the root of a mount (STATX_ATTR_MOUNT_ROOT).
  package var isMount = false
  /// Whether it is found by other spellings of its name as well: where case does not count. Events then tell the one that
  /// somebody used.
  package var ignoresCase = false
  /// What it says of itself beside its content, for other programs; nil where that was not looked at, or
  /// cannot be read.
  package var flags: AssetFlags?
  /// Whether a process serves its file system (fuse(4)): its number is of that process's making, and what `changed` says may be
  /// when the content changed.
  package var isServed = false
  /// Whether looking once more may tell that: not where its file system keeps nothing of the kind.
  package var mayTellFlags = true

  /// Facts as statx(2) gave them.
  package init(kind: Kind, identity: FileIdentity, byteCount: Int64, modified: Int64, linkCount: UInt32) {
    self.kind = kind
    self.identity = identity
    self.byteCount = byteCount
    self.modified = modified
    self.linkCount = linkCount
  }

  /// Whether this is mounted over the file that a link names, which is away then and not removed (S41, race 41). An empty one is
  /// a place for what is mounted there.
  package func covers(_ link: Link) -> Bool { isMount && identity != link.identity && link.byteCount > 0 }

  /// When the picture came to be, as far as a file system knows: the earlier of birth and last change. A
  /// copy is born late but keeps its modification time; an edit modifies late but leaves the birth.
  package var created: Int64 {
    identity.birthTime == 0 ? modified : min(identity.birthTime, modified)
  }
}
