internal import CLinux
internal import Glibc
internal import LibraryModel
internal import Linux

/// What a file says beside its content, in extended attributes (xattr(7)): read and written as other programs do
/// (docs/decisions/0113-flags.md).
enum FileAttributes {
  /// The tags of a file, separated by commas: KDE's programs show them, and let people change them.
  static let tags = "user.xdg.tags"
  /// Whether a file is hidden: `1`.
  static let hidden = "user.io.albumd.hidden"

  /// The longest value that the kernel keeps (XATTR_SIZE_MAX).
  private static let longest = 1 << 16
  /// Names of attributes are listed in so many bytes; of a file with more, each is asked for.
  private static let list = 1 << 10

  // MARK: Reading

  /// The flags of a file by its name in a directory: one system call for the many files that have none.
  ///
  /// - Returns: none where its file system keeps none, or it cannot be read.
  static func flags(of name: UnsafePointer<CChar>, in directory: CInt) -> AssetFlags {
    let (hasTags, hasHidden) = named(name, in: directory)
    var flags: AssetFlags = []
    if hasTags,
      let value = value({ linux_attribute(directory, name, tags, $0, $1) }), FileTags.haveFavorite(value)
    {
      flags.insert(.favorite)
    }
    if hasHidden, let value = value({ linux_attribute(directory, name, hidden, $0, $1) }), isSet(value) {
      flags.insert(.hidden)
    }
    return flags
  }

  /// Which of the two attributes a file may have.
  private static func named(_ name: UnsafePointer<CChar>, in directory: CInt) -> (Bool, Bool) {
    withUnsafeTemporaryAllocation(byteCount: list, alignment: 1) { buffer in
      let count = linux_list_attributes(directory, name, buffer.baseAddress, buffer.count)
      guard count >= 0 else { return (errno == ERANGE, errno == ERANGE) }
      let names = UnsafeRawBufferPointer(rebasing: buffer[..<count]).split(separator: 0)
      return (
        names.contains { $0.elementsEqual(tags.utf8) }, names.contains { $0.elementsEqual(hidden.utf8) }
      )
    }
  }

  private static func isSet(_ value: [UInt8]) -> Bool { value == [UInt8(ascii: "1")] }

  /// The value of an attribute; nil where there is none.
  private static func value(_ read: (UnsafeMutableRawPointer?, Int) -> Int) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: longest)
    let count = value.withUnsafeMutableBytes { read($0.baseAddress, $0.count) }
    return count >= 0 ? Array(value[..<count]) : nil
  }

  // MARK: Writing

  /// Sets flags of an open file, and takes others away. What else it says stays.
  ///
  /// - Returns: its flags now.
  /// - Throws: ``LibraryFileError``: `noAttributes`, `noSpace`, `readOnly`, `system`.
  static func change(
    _ file: CInt, setting set: AssetFlags, clearing cleared: AssetFlags, subject: String
  ) throws(LibraryFileError) -> AssetFlags {
    var flags: AssetFlags = []
    let former = value { fgetxattr(file, tags, $0, $1) } ?? []
    var now = former
    if set.contains(.favorite) { now = FileTags.addingFavorite(to: former) }
    if cleared.contains(.favorite) { now = FileTags.removingFavorite(from: former) }
    if now != former { try write(now, tags, file, subject) }
    if FileTags.haveFavorite(now) { flags.insert(.favorite) }
    let wasHidden = value { fgetxattr(file, hidden, $0, $1) }.map(isSet) ?? false
    let isHidden = (wasHidden || set.contains(.hidden)) && !cleared.contains(.hidden)
    if isHidden != wasHidden { try write(isHidden ? [UInt8(ascii: "1")] : [], hidden, file, subject) }
    if isHidden { flags.insert(.hidden) }
    return flags
  }

  /// - Parameter value: nothing removes it.
  private static func write(
    _ value: [UInt8], _ attribute: String, _ file: CInt, _ subject: String
  ) throws(LibraryFileError) {
    if value.isEmpty {
      guard fremovexattr(file, attribute) != 0, errno != ENODATA else { return }
    } else {
      guard value.withUnsafeBytes({ fsetxattr(file, attribute, $0.baseAddress, $0.count, 0) }) != 0 else {
        return
      }
    }
    let cause = SystemError("fsetxattr")
    switch cause.code {
    // Not kept there; not the daemon's to write; more than there is room for in one file.
    case EOPNOTSUPP, EPERM, EACCES, E2BIG, ERANGE:
      throw LibraryFileError(.noAttributes, subject: subject, cause: cause)
    default:
      errno = cause.code
      throw LibraryFileError("fsetxattr", subject)
    }
  }
}

extension BeneathRoot {
  /// Changes the flags of a file, if it is the very one that the index knows (S43).
  ///
  /// - Returns: its flags now.
  func changeFlags(
    of known: Link, setting set: AssetFlags, clearing cleared: AssetFlags, in tree: DirectoryTree
  ) throws(LibraryFileError) -> AssetFlags {
    let file = HeldFile(try open(known, in: tree), closedBy: closer)
    return try FileAttributes.change(
      file.number, setting: set, clearing: cleared, subject: known.location.name.description)
  }
}
