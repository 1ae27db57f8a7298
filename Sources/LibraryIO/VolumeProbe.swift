internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// Asks what the file system of an open directory is known by, wherever it is mounted (docs/decisions/0065-volumes.md).
///
/// It asks the file system, the disk and the mount table, so it costs a dozen system calls, and waits where a disk does
/// not answer: once for a mount, see ``Volumes``.
struct VolumeProbe {
  /// The volume; `copy` is 1.
  private(set) var volume: Volume

  /// - Parameters:
  ///   - directory: open; with O_PATH if it may not be read, where less can be asked.
  ///   - facts: those of the directory.
  init(_ directory: CInt, _ facts: linux_facts) throws(SystemError) {
    var system = linux_file_system()
    guard linux_look_at_file_system(directory, &system) == 0 else { throw SystemError("fstatfs") }
    let subvolume = Self.subvolume(directory, facts, system)
    // btrfs: the number of the file system with that of the subvolume folded in, as the kernel's btrfs_statfs() does.
    var number = system.number
    number.0 ^= UInt32(truncatingIfNeeded: subvolume >> 32)
    number.1 ^= UInt32(truncatingIfNeeded: subvolume)
    volume = Volume(
      fileSystem: try Self.name(directory, facts, system, number), subvolume: subvolume)
  }

  private static func subvolume(
    _ directory: CInt, _ facts: linux_facts, _ system: linux_file_system
  ) -> UInt64 {
    guard system.type == FileSystemType.btrfs else { return 0 }
    var subvolume = facts.subvolume
    if subvolume == 0 { _ = linux_btrfs_subvolume(directory, &subvolume) }
    return subvolume
  }

  private static func name(
    _ directory: CInt, _ facts: linux_facts, _ system: linux_file_system, _ number: (UInt32, UInt32)
  ) throws(SystemError) -> [UInt8] {
    // Most make their number of their UUID. Those of 32 bits are of the device, which is another file system's
    // tomorrow; some give none.
    if system.number.1 != 0 { return Array("fsid:\(hexadecimal(number.0))\(hexadecimal(number.1))".utf8) }
    if system.type != FileSystemType.fuse, let uuid = uuid(directory) { return Array("uuid:\(uuid)".utf8) }
    let mount = try MountTable.mount(of: directory)
    if let uuid = BootSector(ofDevice: facts.device, source: mount?.source)?.uuid ?? udevUUID(facts.device) {
      return Array("uuid:\(uuid)".utf8)
    }
    guard let mount else { throw SystemError("statx", code: EOPNOTSUPP) }
    return "source:".utf8 + mount.type + [UInt8(ascii: ":")] + mount.source
  }

  private static func uuid(_ directory: CInt) -> String? {
    var bytes = [UInt8](repeating: 0, count: 16)
    guard linux_file_system_uuid(directory, &bytes) == 0 else { return nil }
    let digits = bytes.map { hexadecimal($0) }
    return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
  }

  /// What udev has read of a block device: where the daemon may not.
  private static func udevUUID(_ device: UInt64) -> String? {
    let path = "/run/udev/data/b\(device >> 32):\(device & 0xFFFF_FFFF)"
    guard let text = try? MountTable.contents(path) else { return nil }
    let key = Array("E:ID_FS_UUID=".utf8)
    return text.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }.map {
      String(decoding: $0.dropFirst(key.count), as: UTF8.self)
    }
  }
}

/// Kinds of file systems (`f_type` of statfs(2)).
enum FileSystemType {
  static let btrfs: UInt64 = 0x9123_683E
  static let fuse: UInt64 = 0x6573_5546
}

/// The first sector of a disk with a file system of Microsoft's: their drivers tell nobody its serial number.
struct BootSector {
  /// The serial number as blkid(8) writes it, and so udev; `nil` when there is none.
  let uuid: String?

  /// - Parameters:
  ///   - device: the number of the block device that must be read, as statx(2) has it.
  ///   - source: where its file is, as the mount table says.
  init?(ofDevice device: UInt64, source: [UInt8]?) {
    guard let source, source.first == UInt8(ascii: "/"), !source.contains(0) else { return nil }
    let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
    let path = FileName(source)
    // Looked at before it is opened: whoever mounts with FUSE says what he likes.
    var status = stat()
    guard withName(path, { stat($0, &status) }) == 0, Self.isBlockDevice(status, device) else { return nil }
    let result = withName(path) { open($0, flags) }
    guard result >= 0 else { return nil }
    let disk = OwnedDescriptor(owning: result)
    guard fstat(disk.number, &status) == 0, Self.isBlockDevice(status, device) else { return nil }
    var bytes = [UInt8](repeating: 0, count: 512)
    guard pread(disk.number, &bytes, bytes.count, 0) == bytes.count else { return nil }
    self.init(bytes)
  }

  /// - Parameter bytes: 512 of them.
  init(_ bytes: [UInt8]) {
    func has(_ text: String, at offset: Int) -> Bool { bytes[offset...].starts(with: text.utf8) }
    func serial(_ offset: Int, _ count: Int) -> [String] {
      bytes[offset..<(offset + count)].reversed().map { hexadecimal($0).uppercased() }
    }
    let short: Int? =
      if has("EXFAT   ", at: 3) { 0x64 } else if has("FAT32   ", at: 0x52) {
        0x43
      } else if has("FAT", at: 0x36) {
        0x27
      } else { nil }
    if has("NTFS    ", at: 3) {
      uuid = serial(0x48, 8).joined()
    } else if let short {
      let digits = serial(short, 4)
      uuid = "\(digits[0])\(digits[1])-\(digits[2])\(digits[3])"
    } else {
      uuid = nil
    }
  }

  private static func isBlockDevice(_ status: stat, _ device: UInt64) -> Bool {
    status.st_mode & S_IFMT == S_IFBLK && UInt64(status.st_rdev) == linux_device_number(device)
  }
}

private func hexadecimal(_ number: some FixedWidthInteger) -> String {
  let digits = String(number, radix: 16)
  return String(repeating: "0", count: MemoryLayout.size(ofValue: number) * 2 - digits.count) + digits
}
