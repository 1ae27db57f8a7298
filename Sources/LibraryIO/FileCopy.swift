internal import CLinux
internal import Glibc
internal import Linux

/// Fills a new file with the content of another.
struct FileCopy {
  let source: CInt
  let limit: Int64
  let subject: String

  private static let chunk = 1 << 20

  /// Copies and syncs.
  ///
  /// - Returns: how many bytes.
  func fill(_ file: CInt, while goesOn: NewFiles.Continuing) throws(LibraryFileError) -> Int64 {
    let count = try copy(file, goesOn)
    guard fsync(file) == 0 else { throw LibraryFileError("fsync", subject) }
    return count
  }

  private func copy(_ file: CInt, _ goesOn: NewFiles.Continuing) throws(LibraryFileError) -> Int64 {
    try check(goesOn)
    if let count = try clone(file) { return count }
    if let count = try copyInKernel(file, goesOn) { return count }
    return try copyThroughMemory(file, goesOn)
  }

  private func check(_ goesOn: NewFiles.Continuing) throws(LibraryFileError) {
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
    _ file: CInt, _ goesOn: NewFiles.Continuing
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
    _ file: CInt, _ goesOn: NewFiles.Continuing
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
