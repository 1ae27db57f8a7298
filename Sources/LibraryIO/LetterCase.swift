internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// Whether a file that a name stands for is really called so. On FAT, exFAT, NTFS and SMB a name stands for what is called
/// the same in another case, and only a listing says what it is called (S86).
///
/// A directory is listed once for all that was told until then (``forget()``); what is not in that list is sought in a new
/// one.
final class LetterCase {
  private var listed: [DirectoryID: Set<FileName>] = [:]
  /// Whether case counts on a volume, where that was found out.
  private var counts: [VolumeNumber: Bool] = [:]

  /// Forgets what was listed: more was told since, or may have been.
  func forget() {
    if !listed.isEmpty { listed.removeAll() }
  }

  /// Forgets what volumes do: something was mounted.
  func mountsChanged() { counts = [:] }

  /// Whether a volume is known not to tell cases apart.
  func isIgnored(on volume: VolumeNumber) -> Bool { counts[volume] == false }

  /// Whether a directory has this very name, of one that something was found by.
  ///
  /// - Parameter directory: open, of a volume on which case may not count.
  func isListed(_ location: Location, in directory: CInt, on volume: VolumeNumber) -> Bool {
    if counts[volume] == nil { counts[volume] = countsCase(location.name, in: directory) }
    if counts[volume] ?? true { return true }
    if listed[location.directory]?.contains(location.name) ?? false { return true }
    guard let names = Self.names(in: directory) else { return true }
    listed[location.directory] = names
    return names.contains(location.name)
  }

  /// - Returns: `nil` when the name does not tell: it has no letters of ASCII, or both it and the same in the other case
  ///   are listed.
  private func countsCase(_ name: FileName, in directory: CInt) -> Bool? {
    let other = FileName(
      name.bytes.map { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte & 0xDF
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte | 0x20
        default: byte
        }
      })
    if other == name { return nil }
    var facts = linux_facts()
    if withName(other, { linux_look(directory, $0, &facts) }) != 0 { return errno == ENOENT ? true : nil }
    return Self.names(in: directory).flatMap { $0.contains(name) && $0.contains(other) ? nil : false }
  }

  /// What a directory is said to hold (getdents64(2)); `nil` when it cannot be read.
  private static func names(in directory: CInt) -> Set<FileName>? {
    let opened = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let readable = OwnedDescriptor(owning: opened)
    return withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 8) { buffer in
      var names: Set<FileName> = []
      while true {
        let count = linux_getdents(readable.number, buffer.baseAddress, buffer.count)
        if count == 0 { return names }
        guard count > 0 else { return nil }
        var offset = 0
        while offset < count {
          let record = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[offset..<count])
          let length = Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
          // After inode, offset, length and type, up to a NUL.
          names.insert(FileName(UnsafeRawBufferPointer(rebasing: record[19..<length].prefix { $0 != 0 })))
          offset += length
        }
      }
    }
  }
}
