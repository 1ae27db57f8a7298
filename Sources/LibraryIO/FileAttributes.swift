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
  private static let listLength = 1 << 10

  // MARK: Reading

  /// What was read of a file.
  enum Reading: Hashable {
    case flags(AssetFlags)
    /// The daemon may not read it, or it has gone: until something changes about it.
    case unreadable
    /// Its file system keeps none, or does not now: what was said before, nothing takes back.
    case notKept
    /// It may be read the next time.
    case failed
  }

  /// Whether files in a directory can say anything: by the directory itself, once for all of them. A list of none says nothing
  /// where they cannot.
  static func areKept(in directory: CInt) -> Bool {
    linux_attribute(directory, ".", hidden, nil, 0) >= 0 || errno != EOPNOTSUPP
  }

  /// The flags of a file by its name in a directory.
  ///
  /// - Returns: nil where its file system keeps none, or what it says cannot be read, and so is not known.
  static func flags(of name: UnsafePointer<CChar>, in directory: CInt) -> AssetFlags? {
    guard case .flags(let flags) = read(name, in: directory) else { return nil }
    if !flags.isEmpty || linux_attribute(directory, name, hidden, nil, 0) >= 0 { return flags }
    return errno == EOPNOTSUPP ? nil : flags
  }

  /// The same, where it is known that its file system keeps any: one system call for the many files that have none. One that
  /// says whether it is hidden, but not to the daemon, counts as hidden.
  static func read(_ name: UnsafePointer<CChar>, in directory: CInt) -> Reading {
    let named: Named
    switch list(name, in: directory) {
    case .success(let found): named = found
    case .failure(let reading): return reading
    }
    // As a literal, it would be made of an array of none.
    var flags = AssetFlags(rawValue: 0)
    var failure: Reading?
    if named.mayHaveTags {
      do throws(SystemError) {
        let value = try value("lgetxattr") { linux_attribute(directory, name, tags, $0, $1) }
        if let value, FileTags.haveFavorite(value) { flags.insert(.favorite) }
      } catch { failure = reading(after: error.code) }
    }
    if named.mayHaveHidden {
      do throws(SystemError) {
        let value = try value("lgetxattr") { linux_attribute(directory, name, hidden, $0, $1) }
        if let value, isSet(value) { flags.insert(.hidden) }
      } catch {
        if named.isWhole { flags.insert(.hidden) } else { failure = reading(after: error.code) }
      }
    }
    if let failure, !flags.contains(.hidden) { return failure }
    return .flags(flags)
  }

  /// What it is that something could not be read, by errno.
  static func reading(after code: CInt) -> Reading {
    switch code {
    case EOPNOTSUPP: .notKept
    case EACCES, EPERM, ENOENT, ENOTDIR: .unreadable
    default: .failed
    }
  }

  /// Which of the two attributes a file has.
  private struct Named {
    var mayHaveTags = false
    var mayHaveHidden = false
    /// Whether all names were listed: else it only may have them.
    var isWhole = true
  }

  private enum Listed {
    case success(Named)
    case failure(Reading)
  }

  private static func list(_ name: UnsafePointer<CChar>, in directory: CInt) -> Listed {
    withUnsafeTemporaryAllocation(byteCount: listLength, alignment: 1) { buffer in
      let count = linux_list_attributes(directory, name, buffer.baseAddress, buffer.count)
      guard count >= 0 else {
        switch errno {
        case ERANGE: return .success(Named(mayHaveTags: true, mayHaveHidden: true, isWhole: false))
        case ENODATA: return .success(Named())
        case let code: return .failure(reading(after: code))
        }
      }
      let names = UnsafeRawBufferPointer(rebasing: buffer[..<count]).split(separator: 0)
      return .success(
        Named(
          mayHaveTags: names.contains { $0.elementsEqual(tags.utf8) },
          mayHaveHidden: names.contains { $0.elementsEqual(hidden.utf8) }))
    }
  }

  private static func isSet(_ value: [UInt8]) -> Bool { value == [UInt8(ascii: "1")] }

  /// The value of an attribute; nil where there is none, as on a file system that keeps none.
  private static func value(
    _ call: StaticString, _ read: (UnsafeMutableRawPointer?, Int) -> Int
  ) throws(SystemError) -> [UInt8]? {
    var value = [UInt8](repeating: 0, count: longest)
    let count = value.withUnsafeMutableBytes { read($0.baseAddress, $0.count) }
    if count >= 0 { return Array(value[..<count]) }
    let cause = SystemError(call)
    guard cause.code == ENODATA || cause.code == EOPNOTSUPP else { throw cause }
    return nil
  }

  // MARK: Writing

  /// Sets flags of an open file, and takes others away. What else it says stays: what cannot be read is not written.
  ///
  /// - Returns: its flags now.
  /// - Throws: ``LibraryFileError``: `noAttributes`, `noSpace`, `readOnly`, `system`.
  static func change(
    _ file: CInt, setting set: AssetFlags, clearing cleared: AssetFlags, subject: String
  ) throws(LibraryFileError) -> AssetFlags {
    var flags: AssetFlags = []
    let former: [UInt8]
    let wasHidden: Bool
    do throws(SystemError) {
      former = try value("fgetxattr") { fgetxattr(file, tags, $0, $1) } ?? []
      wasHidden = try value("fgetxattr") { fgetxattr(file, hidden, $0, $1) }.map(isSet) ?? false
    } catch { throw failure(error, subject) }
    var now = former
    if set.contains(.favorite) { now = FileTags.addingFavorite(to: former) }
    if cleared.contains(.favorite) { now = FileTags.removingFavorite(from: former) }
    if now != former { try write(now, tags, file, subject) }
    if FileTags.haveFavorite(now) { flags.insert(.favorite) }
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
    throw failure(SystemError("fsetxattr"), subject)
  }

  private static func failure(_ cause: SystemError, _ subject: String) -> LibraryFileError {
    switch cause.code {
    // Not kept there; not the daemon's to read or write; more than there is room for in one file.
    case EOPNOTSUPP, EPERM, EACCES, E2BIG, ERANGE:
      return LibraryFileError(.noAttributes, subject: subject, cause: cause)
    default:
      errno = cause.code
      return LibraryFileError("fsetxattr", subject)
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
