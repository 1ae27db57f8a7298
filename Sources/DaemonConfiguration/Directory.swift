import Glibc

/// The `.yaml` files of several directories, by name. Of two with the same name the one in the later
/// directory counts. A directory that does not exist is empty.
func filesByName(in directories: [String], _ errors: inout FoundErrors) -> [String] {
  var paths: [String: String] = [:]
  for directory in directories {
    guard let stream = opendir(directory) else {
      if errno != ENOENT {
        errors[directory].append(
          ConfigurationError(
            code: .unreadable, file: directory, line: 1, column: 1,
            message: "cannot be read: \(reason(errno))"))
      }
      continue
    }
    defer { closedir(stream) }
    errno = 0
    while let entry = readdir(stream) {
      // d_name may be longer than its declared 256 bytes, readdir(3): read it in place.
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(entry.pointee.d_reclen)) { String(cString: $0) }
      }
      if name.hasSuffix(".yaml"), !name.hasPrefix(".") { paths[name] = "\(directory)/\(name)" }
      errno = 0
    }
    if errno != 0 {
      errors[directory].append(
        ConfigurationError(
          code: .unreadable, file: directory, line: 1, column: 1, message: "cannot be read: \(reason(errno))")
      )
    }
  }
  return paths.sorted { $0.key < $1.key }.map(\.value)
}
