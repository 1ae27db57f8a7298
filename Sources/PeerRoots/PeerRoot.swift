package import Authorization
internal import CLinux
internal import Glibc
internal import Linux

/// The root directory of a peer's process, which may be a file system of the peer's own making. Nothing is ever asked of
/// one that could let an answer wait: whoever waits for it can be ended by nobody.
///
/// A place is looked up without being opened (O_PATH, open(2)), on a file system that is known; then it is opened by what
/// was found, if that is on one as well. Flatpak's own are in memory.
package struct PeerRoot: ~Copyable {
  /// The process's directory in /proc.
  private let process: CInt

  /// File systems that answer, or fail, by themselves. Not among them: those in user space, on a network, and those that
  /// lie over any other.
  private static let answering: Set<Substring> = [
    "tmpfs", "ramfs", "rootfs", "ext2", "ext3", "ext4", "xfs", "btrfs", "f2fs", "bcachefs", "zfs", "squashfs",
    "erofs", "vfat", "exfat", "iso9660",
  ]

  /// - Parameter process: open for as long as this is used.
  package init(_ process: CInt) {
    self.process = process
  }

  /// Opens a file in it for reading.
  ///
  /// - Returns: absent only if there is none, or if it cannot be the root of what Flatpak starts; else a descriptor that
  ///   the caller owns.
  package func open(_ name: String) -> Finding<CInt> {
    let root: OwnedDescriptor
    do throws(SystemError) {
      root = try OwnedDescriptor(
        openat(process, "root", placeOnly | O_DIRECTORY), call: "openat", subject: "root")
    } catch { return .unreadable(error.description) }
    switch kind(of: root.number) {
    case .found(let kind) where Self.answering.contains(kind[...]): break
    // What lies over others is a container's, or the host's own; no Flatpak has such a root.
    case .found("overlay"), .absent: return .absent
    case .found(let kind): return .unreadable("its root is of a file system that may not answer: \(kind)")
    case .unreadable(let reason): return .unreadable(reason)
    }
    let resolve = UInt64(RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS | RESOLVE_BENEATH)
    let found = linux_openat2(root.number, name, UInt64(placeOnly), 0, resolve)
    guard found >= 0 else {
      return errno == ENOENT ? .absent : .unreadable("\(SystemError("openat2", subject: "/\(name)"))")
    }
    let place = OwnedDescriptor(owning: found)
    guard case .found(let kind) = kind(of: place.number), Self.answering.contains(kind[...]) else {
      return .unreadable("/\(name) is of a file system that may not answer")
    }
    let file = Glibc.open("/proc/self/fd/\(place.number)", O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    return file >= 0 ? .found(file) : .unreadable("\(SystemError("open", subject: "/\(name)"))")
  }

  /// The kind of file system that a place is on, as the process's list of mounts has it (proc_pid_mountinfo(5)): asking the
  /// file system itself could wait.
  private func kind(of place: CInt) -> Finding<String> {
    let mount = linux_mount_id(place)
    guard mount >= 0 else { return .unreadable("\(SystemError("statx"))") }
    // A root that is no mount itself is not in the list of who has it: then it is one of the daemon's, or of the host's.
    for directory in ["", "/proc/self/", "/proc/1/"] {
      if let kind = kind(of: mount, in: "\(directory)mountinfo") { return .found(kind) }
    }
    return .unreadable("its root is among no mounts")
  }

  /// - Parameter list: a path; a relative one is the process's own.
  private func kind(of mount: Int64, in list: String) -> String? {
    let descriptor = openat(process, list, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(owning: descriptor)
    guard let text = SmallFile.text(of: file.number, limit: 4 << 20) else { return nil }
    for line in text.utf8.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
      guard let id = fields.first, Substring(id) == "\(mount)",
        let dash = fields.firstIndex(where: { Substring($0) == "-" }),
        fields.indices.contains(dash + 1)
      else { continue }
      return String(Substring(fields[dash + 1]))
    }
    return nil
  }
}

/// open(2): a place, not its content.
private let placeOnly = CInt(LINUX_O_PATH) | O_CLOEXEC
