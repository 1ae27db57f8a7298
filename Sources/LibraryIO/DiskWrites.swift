internal import Glibc
internal import Linux

/// How much was ever written to the disks of file systems: where that is as it was, no file has changed either, and
/// nobody need look, which would wake a disk that sleeps.
struct DiskWrites {
  /// The directory with one link for each block device, by its number.
  var devices: String

  /// The sectors that were written to the disk of a file system since the machine has run.
  ///
  /// A change is written at some time after it was made (`vm.dirty_expire_centisecs`, 30 s): who looks again when this has
  /// grown sees it then at the latest.
  ///
  /// - Parameter device: its number: as statx(2) has it, the major one in the upper half.
  /// - Returns: `nil` where there is no one disk: memory, network, FUSE, and file systems that make up a number
  ///   (btrfs, overlayfs).
  func sectors(device: UInt64) -> UInt64? {
    let path = "\(devices)/\(device >> 32):\(device & 0xFFFF_FFFF)/stat"
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    let descriptor = OwnedDescriptor(owning: file)
    // Documentation/block/stat.rst: numbers with spaces before them, of which the seventh is this.
    var text = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor.number, &text, text.count)
    guard count > 0 else { return nil }
    let fields = text[..<count].split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
    guard fields.count > 6 else { return nil }
    return UInt64(String(decoding: fields[6], as: UTF8.self))
  }
}
