/// From which file systems copies share their blocks with the original: such a copy costs neither memory nor disk nor the time
/// to copy, however large it is. Nothing but trying tells (ioctl_ficlone(2)).
struct BlockSharing {
  /// By st_dev.
  private var isShared: [UInt64: Bool] = [:]

  /// So many file systems are remembered; others are tried again.
  static let capacity = 256

  /// Whether a copy on the disk may share the blocks of a file. Else a small one is better in memory.
  func isWorthTrying(_ file: FileVersion) -> Bool { isShared[file.device] ?? true }

  /// What came of a copy on the disk.
  mutating func note(_ isShared: Bool, of file: FileVersion) { note(isShared, device: file.device) }

  mutating func note(_ isShared: Bool, device: UInt64) {
    // Numbers of those that are gone say nothing.
    if self.isShared.count >= Self.capacity { self.isShared.removeAll() }
    self.isShared[device] = isShared
  }
}
