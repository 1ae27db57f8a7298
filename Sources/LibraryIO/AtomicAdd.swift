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
  /// - Throws: ``LibraryFileError``: `invalidName`, `notRegular`, `unreadableSource`, `tooLarge`, `noSpace`,
  ///   `gone` (the directory), or `system`.
  public static func copy(
    from source: CInt, into directory: CInt, as suggestion: FileName, limit: Int64, mode: UInt32 = 0o640
  ) throws(LibraryFileError) -> Added {
    let names = try NumberedNames(suggestion)
    let subject = suggestion.description
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
    let copy = FileCopy(source: source, limit: limit, subject: subject)
    let unnamed = linux_open_unnamed(directory, mode)
    if unnamed >= 0 {
      let file = OwnedDescriptor(owning: unnamed)
      let count = try copy.fill(file.number)
      let name = try names.take("linkat", subject) { linux_link_descriptor(file.number, directory, $0) }
      try sync(directory, subject)
      return Added(name: name, byteCount: count)
    }
    // EOPNOTSUPP from file systems that cannot, EISDIR from kernels that do not know the flag.
    guard errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL else {
      throw LibraryFileError("openat", subject)
    }
    return try copyNamed(copy, into: directory, names, mode, subject)
  }

  private static func copyNamed(
    _ copy: FileCopy, into directory: CInt, _ names: NumberedNames, _ mode: UInt32, _ subject: String
  ) throws(LibraryFileError) -> Added {
    let temporary = ".albumd-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).part"
    let result = temporary.withCString {
      linux_openat2(directory, $0, UInt64(O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC), UInt64(mode), 0)
    }
    guard result >= 0 else { throw LibraryFileError("openat", subject) }
    let file = OwnedDescriptor(owning: result)
    do {
      let count = try copy.fill(file.number)
      let name = try names.take("renameat2", subject) { linux_rename(directory, temporary, directory, $0, 1) }
      try sync(directory, subject)
      return Added(name: name, byteCount: count)
    } catch {
      unlinkat(directory, temporary, 0)
      throw error
    }
  }

  /// A name is on disk when its directory is (fsync(2)). O_PATH cannot be synced, so it is opened again.
  private static func sync(_ directory: CInt, _ subject: String) throws(LibraryFileError) {
    let result = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard result >= 0 else { throw LibraryFileError("openat", subject) }
    let readable = OwnedDescriptor(owning: result)
    guard fsync(readable.number) == 0 else { throw LibraryFileError("fsync", subject) }
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
  func fill(_ file: CInt) throws(LibraryFileError) -> Int64 {
    let count = try copy(file)
    guard fsync(file) == 0 else { throw LibraryFileError("fsync", subject) }
    return count
  }

  private func copy(_ file: CInt) throws(LibraryFileError) -> Int64 {
    if let count = try clone(file) { return count }
    if let count = try copyInKernel(file) { return count }
    return try copyThroughMemory(file)
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
  private func copyInKernel(_ file: CInt) throws(LibraryFileError) -> Int64? {
    var from: Int64 = 0
    while true {
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

  private func copyThroughMemory(_ file: CInt) throws(LibraryFileError) -> Int64 {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: FileCopy.chunk, alignment: 4096)
    defer { buffer.deallocate() }
    var offset: Int64 = 0
    while true {
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
