internal import CLinux
internal import Glibc
internal import Linux

/// What is to be saved. PhotoKit: the `fileURL`, `data` or image of a creation request.
public enum MediaSource: Sendable {
  /// A file, by its path: opened by this process, with its rights.
  case file(String)
  /// Bytes of a photo or video file.
  case bytes([UInt8])
  /// An open regular file, which stays the caller's; it has to stay open until the changes are performed.
  case descriptor(CInt)

  /// The name that the source itself has.
  var filename: String? {
    switch self {
    case .file(let path): path.split(separator: "/").last.map(String.init)
    case .bytes, .descriptor: nil
    }
  }

  /// What follows the last dot of that name.
  var fileExtension: String? {
    filename.flatMap { name in name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } }
  }

  /// How many bytes it has, as far as that is known before it is read.
  var byteCount: Int64 {
    var facts = stat()
    switch self {
    case .file(let path): return stat(path, &facts) == 0 ? Int64(facts.st_size) : 0
    case .descriptor(let number): return fstat(number, &facts) == 0 ? Int64(facts.st_size) : 0
    case .bytes(let bytes): return Int64(bytes.count)
    }
  }

  /// Fails where it cannot be opened, or is no regular file: before anybody is asked whether it may be saved.
  ///
  /// - Throws: `invalidFileDescriptor`, `outOfResources`.
  func check() throws(AlbumError) {
    if case .bytes = self { return }
    do throws(SystemError) {
      let file = try open()
      var facts = stat()
      guard fstat(file.number, &facts) == 0 else { throw SystemError("fstat") }
      guard facts.st_mode & S_IFMT == S_IFREG else { throw SystemError("open", code: EINVAL) }
    } catch { throw AlbumError(opening: error) }
  }

  /// The source as a descriptor to send.
  func open() throws(SystemError) -> OwnedDescriptor {
    switch self {
    case .file(let path):
      // O_NONBLOCK: opening a pipe would wait for its writer; the daemon refuses it.
      return try OwnedDescriptor(
        Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), call: "open", subject: path)
    case .descriptor(let number):
      return try OwnedDescriptor(
        fcntl(number, F_DUPFD_CLOEXEC, 3), call: "fcntl(F_DUPFD_CLOEXEC)", subject: "\(number)")
    case .bytes(let bytes):
      // memfd_create(2): a regular file without a name or a disk.
      let file = try OwnedDescriptor(linux_memory_file(), call: "memfd_create")
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = try retryingInterrupts("write") {
          rest.withUnsafeBytes { write(file.number, $0.baseAddress, $0.count) }
        }
        rest = rest.dropFirst(count)
      }
      return file
    }
  }
}
