internal import CLinux
internal import Glibc
public import LibraryModel
internal import Linux

/// Copies a file into a directory so that it appears under its name only when it is whole and on disk
/// (S30): no reader, watcher or crash ever sees half of it, and a failure leaves nothing.
///
/// The file is made without a name (O_TMPFILE, open(2)), filled, synced, and linked; a name that is taken
/// gets a number. Where a file system has no O_TMPFILE, it is made under a hidden name and renamed with
/// RENAME_NOREPLACE. All this waits for the disk: call it on a thread that may.
public enum AtomicAdd {
  /// Asked before each part of a copy whether it goes on; it ends with ECANCELED where it does not.
  public typealias Continuing = () -> Bool

  /// What was added.
  public struct Added: Hashable, Sendable {
    /// The name it got.
    public let name: FileName
    /// How many bytes it has.
    public let byteCount: Int64
  }

  /// Copies a file.
  ///
  /// - Parameters:
  ///   - source: a regular file, open for reading. It is read from its beginning, and its offset stays.
  ///   - directory: as `LibraryMonitor.open(_:)` gives it.
  ///   - suggestion: the name it gets if that is free.
  ///   - limit: how many bytes are taken at most. The source may grow while it is copied: the limit holds.
  ///   - mode: permissions of the new file.
  ///   - goesOn: whether it shall go on.
  /// - Throws: ``LibraryFileError``: `invalidName`, `notRegular`, `unreadableSource`, `tooLarge`, `noSpace`,
  ///   `gone` (the directory), or `system`.
  public static func copy(
    from source: CInt, into directory: CInt, as suggestion: FileName, limit: Int64, mode: UInt32 = 0o640,
    while goesOn: Continuing = { true }
  ) throws(LibraryFileError) -> Added {
    let names = try NumberedNames(suggestion)
    let file = try NewFile.make(
      copying: source, into: directory, as: suggestion.description, limit: limit, mode: mode, while: goesOn)
    let name = try names.take(file.call, suggestion.description) { name, _ in file.place(name) }
    try sync(directory, suggestion.description)
    return Added(name: name, byteCount: file.byteCount)
  }

  /// Copies the two files of a live photo: either both appear, or none. The movie gets the still's name with an
  /// extension of its own, and both the same number.
  ///
  /// - Parameters:
  ///   - still: as the source of ``copy(from:into:as:limit:mode:)``.
  ///   - movie: likewise.
  ///   - ending: the movie's extension: `mov`, `mp4`.
  /// - Throws: as there.
  /// - Returns: the names of both.
  public static func copyPair(
    still: CInt, movie: CInt, ending: String, into directory: CInt, as suggestion: FileName, limit: Int64,
    mode: UInt32 = 0o640, while goesOn: Continuing = { true }
  ) throws(LibraryFileError) -> (still: FileName, movie: FileName) {
    let names = try NumberedNames(suggestion)
    let subject = suggestion.description
    let wanted = FileName("x." + ending)
    let first = try NewFile.make(
      copying: still, into: directory, as: subject, limit: limit, mode: mode, while: goesOn)
    let second = try NewFile.make(
      copying: movie, into: directory, as: subject, limit: limit, mode: mode, while: goesOn)
    let name = try names.take(first.call, subject) { _, name in
      placeAll([name, wanted.withStem(of: name)]) { index, name in
        index == 0 ? first.place(name) : second.place(name)
      } takeBack: { _, name in
        first.takeBack(name)
      }
    }
    try sync(directory, subject)
    return (name, wanted.withStem(of: name))
  }

  /// Gives files their names, all or none.
  ///
  /// - Parameters:
  ///   - put: a system call that gives the file with that index a name.
  ///   - takeBack: what undoes it.
  /// - Returns: 0, or -1 with errno.
  static func placeAll(
    _ names: [FileName], put: (Int, UnsafePointer<CChar>) -> CInt,
    takeBack: (Int, UnsafePointer<CChar>) -> Void
  ) -> CInt {
    for (index, name) in names.enumerated() where withName(name, { put(index, $0) }) != 0 {
      let code = errno
      for placed in 0..<index { withName(names[placed]) { takeBack(placed, $0) } }
      errno = code
      return -1
    }
    return 0
  }

  /// A name is on disk when its directory is (fsync(2)). O_PATH cannot be synced, so it is opened again.
  private static func sync(_ directory: CInt, _ subject: String) throws(LibraryFileError) {
    let result = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard result >= 0 else { throw LibraryFileError("openat", subject) }
    let readable = OwnedDescriptor(owning: result)
    guard fsync(readable.number) == 0 else { throw LibraryFileError("fsync", subject) }
  }
}

/// A file that is whole and on disk, and has no name yet; without one it goes with this object.
private final class NewFile {
  /// How many bytes it has.
  private(set) var byteCount: Int64
  private let file: OwnedDescriptor
  private let directory: CInt
  /// Its hidden name, where a file system knows no files without.
  private var temporary: String?

  private init(_ file: consuming OwnedDescriptor, temporary: String?, in directory: CInt) {
    self.file = file
    self.temporary = temporary
    self.directory = directory
    byteCount = 0
  }

  /// Copies and syncs.
  static func make(
    copying source: CInt, into directory: CInt, as subject: String, limit: Int64, mode: UInt32,
    while goesOn: AtomicAdd.Continuing
  ) throws(LibraryFileError) -> NewFile {
    try check(source, subject, limit)
    let opened = try open(in: directory, subject, mode)
    let file = NewFile(OwnedDescriptor(owning: opened.file), temporary: opened.temporary, in: directory)
    file.byteCount = try FileCopy(source: source, limit: limit, subject: subject).fill(
      opened.file, while: goesOn)
    return file
  }

  private static func open(
    in directory: CInt, _ subject: String, _ mode: UInt32
  ) throws(LibraryFileError) -> (file: CInt, temporary: String?) {
    let unnamed = linux_open_unnamed(directory, mode)
    if unnamed >= 0 { return (unnamed, nil) }
    // EOPNOTSUPP from file systems that cannot, EISDIR from kernels that do not know the flag.
    guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
      throw LibraryFileError("openat", subject)
    }
    let name = hiddenName()
    let flags = UInt64(O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC)
    let named = linux_openat2(directory, name, flags, UInt64(mode), 0)
    guard named >= 0 else { throw LibraryFileError("openat2", subject) }
    return (named, name)
  }

  private static func check(_ source: CInt, _ subject: String, _ limit: Int64) throws(LibraryFileError) {
    var facts = linux_facts()
    guard linux_look(source, "", &facts) == 0 else {
      throw LibraryFileError(.unreadableSource, subject: subject, cause: SystemError("statx"))
    }
    guard FileFacts(facts).kind == .regular else { throw LibraryFileError(.notRegular, subject: subject) }
    guard facts.size <= limit else { throw LibraryFileError(.tooLarge, subject: subject) }
    let flags = linux_fcntl_int(source, F_GETFL, 0)
    guard flags >= 0, flags & O_ACCMODE != O_WRONLY, flags & CInt(LINUX_O_PATH) == 0 else {
      throw LibraryFileError(
        .unreadableSource, subject: subject, cause: SystemError("fcntl(F_GETFL)", code: EBADF))
    }
  }

  /// The call that gives it its name.
  var call: StaticString { temporary == nil ? "linkat" : "renameat2" }

  /// Gives it a name that is free.
  func place(_ name: UnsafePointer<CChar>) -> CInt {
    guard let temporary else { return linux_link_descriptor(file.number, directory, name) }
    return linux_rename(directory, temporary, directory, name, 1)
  }

  /// Takes the name back that it was just given. It gets a hidden one: a file that has lost its last name
  /// cannot be linked again.
  func takeBack(_ name: UnsafePointer<CChar>) {
    let hidden = temporary ?? Self.hiddenName()
    if linux_rename(directory, name, directory, hidden, 1) == 0 { temporary = hidden }
  }

  private static func hiddenName() -> String {
    ".albumd-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
  }

  deinit {
    // Gone already, if it was placed.
    if let temporary { unlinkat(directory, temporary, 0) }
  }
}

/// Fills a new file with the content of another.
struct FileCopy {
  let source: CInt
  let limit: Int64
  let subject: String

  private static let chunk = 1 << 20

  /// Copies and syncs.
  ///
  /// - Returns: how many bytes.
  func fill(_ file: CInt, while goesOn: AtomicAdd.Continuing) throws(LibraryFileError) -> Int64 {
    let count = try copy(file, goesOn)
    guard fsync(file) == 0 else { throw LibraryFileError("fsync", subject) }
    return count
  }

  private func copy(_ file: CInt, _ goesOn: AtomicAdd.Continuing) throws(LibraryFileError) -> Int64 {
    try check(goesOn)
    if let count = try clone(file) { return count }
    if let count = try copyInKernel(file, goesOn) { return count }
    return try copyThroughMemory(file, goesOn)
  }

  private func check(_ goesOn: AtomicAdd.Continuing) throws(LibraryFileError) {
    guard goesOn() else {
      throw LibraryFileError(
        .unreadableSource, subject: subject, cause: SystemError("read", code: ECANCELED))
    }
  }

  /// FICLONE: no byte is copied. `nil` where the file systems cannot.
  private func clone(_ file: CInt) throws(LibraryFileError) -> Int64? {
    guard linux_clone(file, source) == 0 else { return nil }
    var facts = linux_facts()
    guard linux_look(file, "", &facts) == 0 else { throw LibraryFileError("statx", subject) }
    guard facts.size <= limit else { throw LibraryFileError(.tooLarge, subject: subject) }
    return facts.size
  }

  /// copy_file_range(2). `nil` where the file systems cannot.
  private func copyInKernel(
    _ file: CInt, _ goesOn: AtomicAdd.Continuing
  ) throws(LibraryFileError) -> Int64? {
    var from: Int64 = 0
    while true {
      try check(goesOn)
      var to = from
      // One byte beyond the limit is enough to see that it is exceeded.
      let length = Int(min(64 << 20, limit + 1 - from))
      let count = linux_copy_range(source, &from, file, &to, length)
      if count == 0 { return from == 0 ? nil : from }
      guard count > 0 else {
        let code = errno
        if code == EINTR { continue }
        if code == ENOSPC || code == EDQUOT || code == EIO || code == EFBIG {
          throw LibraryFileError("copy_file_range", subject)
        }
        return nil
      }
      guard from <= limit else { throw LibraryFileError(.tooLarge, subject: subject) }
    }
  }

  private func copyThroughMemory(
    _ file: CInt, _ goesOn: AtomicAdd.Continuing
  ) throws(LibraryFileError) -> Int64 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileCopy.chunk, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
      try check(goesOn)
      let count = pread(source, buffer.baseAddress, buffer.count, off_t(offset))
      if count == 0 { return offset }
      guard count > 0 else {
        if errno == EINTR { continue }
        throw LibraryFileError(.unreadableSource, subject: subject, cause: SystemError("pread"))
      }
      guard offset + Int64(count) <= limit else { throw LibraryFileError(.tooLarge, subject: subject) }
      var written = 0
      while written < count {
        let result = pwrite(
          file, buffer.baseAddress?.advanced(by: written), count - written, off_t(offset) + off_t(written))
        if result < 0, errno == EINTR { continue }
        guard result > 0 else { throw LibraryFileError("pwrite", subject) }
        written += result
      }
      offset += Int64(count)
    }
  }
}
