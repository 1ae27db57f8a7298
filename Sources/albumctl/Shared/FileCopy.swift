internal import AlbumClient
internal import CLinux
internal import Glibc
internal import Linux

/// Whole files from descriptor to descriptor. What becomes a file of its own keeps the time at which its content last
/// changed: that is when a picture was taken, as far as a file system knows.
enum FileCopy {
  /// Copies from where `source` stands to its end.
  static func copy(from source: borrowing OwnedDescriptor, to target: CInt) throws {
    let size = 1 << 18
    try withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
      while true {
        let count = try retryingInterrupts("read") { read(source.number, buffer.baseAddress, size) }
        if count == 0 { return }
        try Output.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), to: target)
      }
    }
  }

  /// The content, and when it last changed.
  private static func copyAll(from source: borrowing OwnedDescriptor, to target: CInt) throws {
    try copy(from: source, to: target)
    source.passOnModificationTime(to: target)
  }

  /// Writes a file that appears under its name only when it is whole, replacing what is there. What is no
  /// regular file (a device, a pipe) is written to, and what a symbolic link leads to is what is replaced. What was
  /// there before leaves its mode.
  static func replace(_ path: String, with source: borrowing OwnedDescriptor) throws {
    var facts = stat()
    let exists = stat(path, &facts) == 0
    let path = exists ? resolved(path) : path
    if exists, facts.st_mode & S_IFMT != S_IFREG {
      let target = try OwnedDescriptor(Glibc.open(path, O_WRONLY | O_CLOEXEC), call: "open", subject: path)
      return try copy(from: source, to: target.number)
    }
    let temporary = "\(path).\(getpid()).part"
    let directory = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let opened = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if opened >= 0 {
      let parent = OwnedDescriptor(owning: opened)
      if let target = unnamed(in: parent.number) {
        try copyAll(from: source, to: target.number)
        if exists { fchmod(target.number, facts.st_mode & 0o777) }
        try retryingInterrupts("linkat", subject: path) {
          linux_link_descriptor(target.number, AT_FDCWD, temporary)
        }
        do { try retryingInterrupts("rename", subject: path) { rename(temporary, path) } } catch {
          unlink(temporary)
          throw error
        }
        return
      }
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    // The name that the person gave, not the one that they would never see.
    let target = try OwnedDescriptor(Glibc.open(temporary, flags, 0o666), call: "open", subject: path)
    do {
      try copyAll(from: source, to: target.number)
      if exists { fchmod(target.number, facts.st_mode & 0o777) }
      try retryingInterrupts("rename", subject: path) { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Where the links of a path lead.
  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    // A path that is no UTF-8 stays as it was given.
    return String(validatingCString: real) ?? path
  }

  /// Writes a new file into a directory; a name that exists gets a number.
  ///
  /// - Returns: the name that it got.
  static func add(
    _ source: borrowing OwnedDescriptor, as name: ExportName, in directory: borrowing OwnedDescriptor
  ) throws -> ExportName {
    let subject = String(decoding: name.bytes, as: UTF8.self)
    if let target = unnamed(in: directory.number) {
      try copyAll(from: source, to: target.number)
      return try name.firstFree("linkat", subject: subject) {
        linux_link_descriptor(target.number, directory.number, $0)
      }.name
    }
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
    let made = try name.firstFree("openat", subject: subject) { openat(directory.number, $0, flags, 0o666) }
    let target = OwnedDescriptor(owning: made.result)
    do { try copyAll(from: source, to: target.number) } catch {
      unlinkat(directory.number, made.name.path, 0)
      throw error
    }
    return made.name
  }

  /// A file that goes with this process, until it gets a name (O_TMPFILE, open(2)); nil where there is none.
  private static func unnamed(in directory: CInt) -> OwnedDescriptor? {
    let made = linux_open_unnamed(directory, 0o666)
    return made < 0 ? nil : OwnedDescriptor(owning: made)
  }
}
