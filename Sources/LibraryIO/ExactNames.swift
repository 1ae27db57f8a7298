internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// Which names directories have, to the letter.
///
/// Where case does not count (FAT, exFAT, NTFS by some drivers), a file is found by every spelling of its name, and events
/// tell the one that somebody used: only a listing tells the one that it has (docs/decisions/0067-case.md).
struct ExactNames {
  /// What was listed, for as long as it can be of use.
  var listings = SharedListings()

  /// Whether an open directory has a name, as of a listing that is not older than what was told of that name; true where that
  /// cannot be told.
  mutating func has(_ name: FileName, in id: DirectoryID, _ directory: CInt) -> Bool {
    if let known = listings.names(for: Location(id, name)) { return known.contains(name) }
    guard let listed = Self.list(directory) else { return true }
    listings.add(listed, of: id)
    return listed.contains(name)
  }

  /// The names in an open directory, `.` and `..` among them; nil where they cannot be read.
  static func list(_ directory: CInt) -> Set<FileName>? {
    let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
    guard let open = try? OwnedDescriptor(openat(directory, ".", flags), call: "openat") else { return nil }
    var names: Set<FileName> = []
    return withUnsafeTemporaryAllocation(byteCount: 32 << 10, alignment: 8) { buffer in
      while true {
        let count = linux_getdents(open.number, buffer.baseAddress, buffer.count)
        guard count > 0 else { return count == 0 ? names : nil }
        // No directory is that large: a file system that never comes to an end.
        guard names.count < 1_000_000 else { return nil }
        var offset = 0
        while offset < count {
          let record = UnsafeRawBufferPointer(rebasing: buffer[offset..<count])
          offset += Int(record.loadUnaligned(fromByteOffset: 16, as: UInt16.self))
          // A `struct linux_dirent64`: the name begins after inode, offset, length and type.
          let rest = record[19...]
          names.insert(FileName(rest.prefix { $0 != 0 }))
        }
      }
    }
  }
}

extension FileName {
  /// The same in the other case; nil where no letter has one that every file system knows.
  var inOtherCase: FileName? {
    func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) }
    guard bytes.contains(where: isLetter) else { return nil }
    return FileName(bytes.map { isLetter($0) ? $0 ^ 0x20 : $0 })
  }
}
