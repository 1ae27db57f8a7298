/// What a file system is known by, wherever and under whatever device number it is mounted, and the subvolume of it:
/// within one, no two files have the same inode number at the same time (docs/decisions/0065-volumes.md).
package struct Volume: Hashable, Sendable {
  /// The file system: what kind of name it has, a colon, and the name.
  package let fileSystem: [UInt8]
  /// The subvolume (btrfs); 0 where there are none.
  package let subvolume: UInt64
  /// 1, or the next number for another disk that says the same of itself, and is there at the same time: a copy of all its
  /// blocks.
  package var copy: UInt32

  /// A volume.
  package init(fileSystem: [UInt8], subvolume: UInt64 = 0, copy: UInt32 = 1) {
    self.fileSystem = fileSystem
    self.subvolume = subvolume
    self.copy = copy
  }

  /// Whether two say the same of themselves: they are the same, or copies.
  package func isCopy(of other: Volume) -> Bool {
    fileSystem == other.fileSystem && subvolume == other.subvolume
  }
}

/// The number that an index has for a ``Volume``.
package struct VolumeNumber: RawRepresentable, Hashable, Sendable {
  /// The number.
  package let rawValue: UInt32

  /// That number.
  package init(rawValue: UInt32) { self.rawValue = rawValue }

  /// That of no volume: what an index has that was written before there were numbers, until what it is about is looked
  /// at.
  package static let unknown = VolumeNumber(rawValue: 0)
}

/// A volume with its number.
package struct NumberedVolume: Hashable, Sendable {
  /// The number.
  package let number: VolumeNumber
  /// The volume.
  package let volume: Volume

  /// A volume with its number.
  package init(number: VolumeNumber, volume: Volume) {
    self.number = number
    self.volume = volume
  }
}
