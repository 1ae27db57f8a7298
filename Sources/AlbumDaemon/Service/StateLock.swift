internal import Glibc
internal import Linux

/// The state directory, held by one daemon at a time: flock(2) on a file in it, which the kernel releases
/// however the holder ends. The file says who holds it.
final class StateLock {
  private let file: OwnedDescriptor

  /// Makes the directory if needed and takes it.
  ///
  /// - Throws: ``StartupError`` naming the holder.
  init(directory: String) throws(StartupError) {
    try Self.make(directory)
    let path = "\(directory)/lock"
    do throws(SystemError) {
      file = try OwnedDescriptor(
        open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600), call: "open", subject: path)
    } catch {
      throw StartupError("The state directory cannot be used: \(error). Check its owner and mode.")
    }
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      let holder = Self.holder(file.number).map { " by process \($0)" } ?? ""
      throw StartupError(
        "\(directory) is in use\(holder): another albumd serves this library. Stop it first.")
    }
    let pid = "\(getpid())\n"
    _ = ftruncate(file.number, 0)
    _ = pwrite(file.number, pid, pid.utf8.count, 0)
  }

  private static func holder(_ descriptor: CInt) -> String? {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 1) { buffer -> String? in
      guard let base = buffer.baseAddress else { return nil }
      let count = pread(descriptor, base, buffer.count, 0)
      guard count > 0 else { return nil }
      return String(decoding: buffer[..<count].prefix { $0 != 0x0A }, as: UTF8.self)
    }
  }

  /// Makes the directory and those above it, the last for this user alone.
  private static func make(_ directory: String) throws(StartupError) {
    var path = ""
    let parts = directory.split(separator: "/")
    for (index, part) in parts.enumerated() {
      path += "/\(part)"
      if mkdir(path, index == parts.count - 1 ? 0o700 : 0o755) == 0 || errno == EEXIST { continue }
      // What exists on a read-only file system may say so before it says that it exists.
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { continue }
      throw StartupError(
        "The state directory cannot be made: \(SystemError("mkdir", subject: path)). "
          + "Name another as `state:` in the configuration.")
    }
  }
}

/// Why the daemon does not start: what, where, and what to do.
package struct StartupError: Error, Hashable, Sendable, CustomStringConvertible {
  /// One sentence or more.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}
