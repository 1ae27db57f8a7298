internal import Glibc
internal import LibraryModel
internal import Linux

/// The photos and videos beneath a directory that this process may not read. They have names, and so stand in the
/// index or are awaited there; nobody can be given them.
struct UnreadablePhotos: Hashable, Sendable {
  /// How many there are, as far as was looked.
  var count = 0
  /// The first, from the directory on.
  var example: String?

  /// None.
  init() {}

  /// Looks beneath a directory, as the library does: neither at hidden names nor through symbolic links. Blocks.
  ///
  /// - Parameter deadline: looks no longer than that.
  init(beneath path: String, until deadline: ContinuousClock.Instant) {
    look(into: open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), "", depth: 0, deadline)
  }

  private static let mostDepth = 64

  /// - Parameter descriptor: of the directory; it is closed here.
  private mutating func look(
    into descriptor: CInt, _ path: String, depth: Int, _ deadline: ContinuousClock.Instant
  ) {
    guard descriptor >= 0 else { return }
    guard depth < Self.mostDepth, let stream = fdopendir(descriptor) else {
      close(descriptor)
      return
    }
    defer { closedir(stream) }
    while ContinuousClock.now < deadline, let entry = readdir(stream) {
      let type = CInt(entry.pointee.d_type)
      withUnsafePointer(to: &entry.pointee.d_name) { start in
        start.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { name in
          look(at: name, type, in: descriptor, path, depth: depth, deadline)
        }
      }
    }
  }

  private mutating func look(
    at name: UnsafePointer<CChar>, _ type: CInt, in directory: CInt, _ path: String, depth: Int,
    _ deadline: ContinuousClock.Instant
  ) {
    guard name[0] != CChar(bitPattern: UInt8(ascii: ".")) else { return }
    let bytes = UnsafeRawBufferPointer(start: name, count: strlen(name))
    switch type == 0 ? Self.type(of: name, in: directory) : type {
    case 4:  // DT_DIR
      let inner = openat(directory, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
      look(into: inner, path + String(decoding: bytes, as: UTF8.self) + "/", depth: depth + 1, deadline)
    case 8:  // DT_REG
      guard FileName.countsAsAsset(bytes), faccessat(directory, name, R_OK, AT_EACCESS) != 0, errno == EACCES
      else { return }
      count += 1
      if example == nil { example = path + String(decoding: bytes, as: UTF8.self) }
    default: break
    }
  }

  /// Where the file system does not say (readdir(3)).
  private static func type(of name: UnsafePointer<CChar>, in directory: CInt) -> CInt {
    var status = stat()
    guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return 0 }
    return CInt((status.st_mode & S_IFMT) >> 12)
  }
}
