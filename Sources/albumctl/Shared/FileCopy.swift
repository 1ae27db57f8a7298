internal import AlbumTerminal
internal import Glibc
internal import Linux

/// Whole files from descriptor to descriptor.
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

  /// Writes a file that appears under its name only when it is whole, replacing what is there. What is no
  /// regular file (a device, a pipe) is written to.
  static func replace(_ path: String, with source: borrowing OwnedDescriptor) throws {
    var facts = stat()
    if stat(path, &facts) == 0, facts.st_mode & S_IFMT != S_IFREG {
      let target = try OwnedDescriptor(Glibc.open(path, O_WRONLY | O_CLOEXEC), call: "open", subject: path)
      return try copy(from: source, to: target.number)
    }
    let temporary = "\(path).\(getpid()).part"
    let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC
    // The name that the person gave, not the one that they would never see.
    let target = try OwnedDescriptor(Glibc.open(temporary, flags, 0o666), call: "open", subject: path)
    do {
      try copy(from: source, to: target.number)
      try retryingInterrupts("rename", subject: path) { rename(temporary, path) }
    } catch {
      unlink(temporary)
      throw error
    }
  }

  /// Writes a new file into a directory; a name that exists gets a number.
  ///
  /// - Returns: the name that it got.
  static func add(
    _ source: borrowing OwnedDescriptor, as name: ExportName, in directory: borrowing OwnedDescriptor
  ) throws -> ExportName {
    var candidate = name
    var number = 1
    while true {
      let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
      let path = candidate.bytes.map { CChar(bitPattern: $0) } + [0]
      let made = openat(directory.number, path, flags, 0o666)
      if made < 0, errno == EEXIST {
        number += 1
        candidate = name.numbered(number)
        continue
      }
      let target = try OwnedDescriptor(
        made, call: "openat", subject: String(decoding: candidate.bytes, as: UTF8.self))
      do { try copy(from: source, to: target.number) } catch {
        unlinkat(directory.number, path, 0)
        throw error
      }
      return candidate
    }
  }
}
