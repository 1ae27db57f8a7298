internal import Authorization
internal import CLinux
internal import Glibc
internal import Linux

/// The namespaces of the host, as far as the daemon can tell (namespaces(7)): whoever is in others is in a sandbox
/// or a container, whatever that calls itself.
///
/// The daemon's unit gives it no user and no pid namespace of its own, but a mount namespace: there the host's is
/// that of process 1, where it can be read.
enum HostNamespaces {
  /// Those that confine: `net` and the others hide no files and no processes.
  static let kinds = ["user", "pid", "mnt"]

  /// Their names, such as `mnt:[4026531841]`. The daemon's own are among them.
  static let shared: Set<String> = {
    var names: Set<String> = []
    for (process, kinds) in [("self", kinds), ("1", ["mnt"])] {
      guard let directory = try? OwnedDescriptor(linux_open_directory_path("/proc/\(process)"), call: "open")
      else { continue }
      for kind in kinds {
        if case .found(let name) = link(directory.number, kind) { names.insert(name) }
      }
    }
    return names
  }()

  /// The namespace of a process. Reading it takes what reading its program file takes (ptrace(2),
  /// PTRACE_MODE_READ_FSCREDS): where this fails, there is no identity either.
  ///
  /// - Parameter process: its directory in /proc.
  static func link(_ process: CInt, _ kind: String) -> Finding<String> {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
      let count = buffer.baseAddress.map { readlinkat(process, "ns/\(kind)", $0, buffer.count) } ?? -1
      guard count > 0 else {
        // ENOENT: a kernel without this kind.
        return errno == ENOENT ? .absent : .unreadable("\(SystemError("readlink", subject: "ns/\(kind)"))")
      }
      return .found(String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self))
    }
  }
}
