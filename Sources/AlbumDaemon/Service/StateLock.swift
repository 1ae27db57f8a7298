internal import CLinux
internal import Glibc
internal import Linux

/// The state directory, held by one daemon at a time: a lock on a file in it (flock(2)), which says who holds it.
///
/// The kernel releases it when the holder is killed, also if a thread of it waits for a file system that never answers, so
/// that the process stays (docs/decisions/0054-the-lock.md).
final class StateLock {
  private let lock: OpaquePointer
  /// The process that held it last, whatever became of it; nil if nobody did.
  let previousHolder: pid_t?

  /// Makes the directory if needed and takes it.
  ///
  /// - Throws: ``StartupError`` naming the holder.
  init(directory: String) throws(StartupError) {
    try Self.make(directory)
    let path = "\(directory)/lock"
    var found = [CChar](repeating: 0, count: 32)
    let taken = linux_lock_take(path, "\(getpid())\n", &found, found.count)
    let code = errno
    let holder = String(
      decoding: found.prefix { $0 != 0 && $0 != 0x0A }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if let taken {
      lock = taken
      previousHolder = pid_t(holder)
      return
    }
    guard code == EWOULDBLOCK else {
      let error = SystemError(code == ENOMEM ? "pthread_create" : "open", code: code, subject: path)
      throw StartupError("The state directory cannot be used: \(error). Check its owner and mode.")
    }
    let whose = holder.isEmpty ? "" : " by process \(holder)"
    throw StartupError("\(directory) is in use\(whose): another albumd serves this library. Stop it first.")
  }

  deinit {
    linux_lock_release(lock)
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
