internal import EventLoop
internal import Glibc
internal import LibraryModel
internal import Linux

/// Tells when something was mounted or unmounted: /proc/self/mountinfo raises an exceptional condition
/// (proc(5), poll(2) POLLPRI). inotify says nothing of a mount *over* a watched directory (race 10).
@EventLoopActor
final class MountTable {
  private let descriptor: OwnedDescriptor
  private var source: NoticeSource?

  init(changed: @escaping @EventLoopActor () -> Void) throws(SystemError) {
    descriptor = try OwnedDescriptor(
      open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC), call: "open", subject: "/proc/self/mountinfo")
    // The first report may be of what was before, and costs one look.
    source = try NoticeSource(descriptor.number) { changed() }
  }

  isolated deinit {
    source?.cancel()
  }
}

extension MountTable {
  /// The path of an open directory from the root of its file system, wherever and whatever part of that is
  /// mounted: what tells a directory that was replaced from one that a mount has covered or uncovered, also
  /// where both are on one file system (`mount --bind`), and also where a service manager has bound the
  /// directory to itself.
  ///
  /// - Returns: `nil` when the kernel does not tell.
  nonisolated static func place(of directory: CInt) throws(SystemError) -> FileName? {
    guard let mount = try mount(of: directory), let path = path(of: directory), path.starts(with: mount.point)
    else { return nil }
    return FileName(mount.root + path.dropFirst(mount.point.count))
  }

  /// A line of proc_pid_mountinfo(5).
  struct Mount: Hashable {
    /// Its number, and that of its device: both may be another's once it is gone.
    var id, device: [UInt8]
    /// Which directory of the file system is mounted, and where; empty for `/`.
    var root, point: [UInt8]
    /// The kind of file system, and what is mounted: a device, a host's directory, or what a FUSE server says.
    var type, source: [UInt8]
  }

  /// The mount that an open directory is in; `nil` when the kernel does not tell.
  nonisolated static func mount(of directory: CInt) throws(SystemError) -> Mount? {
    guard let id = try field("mnt_id", of: directory) else { return nil }
    return try mounts().first { $0.id.elementsEqual(id) }
  }

  /// All that are there, as the kernel has them: none is asked.
  nonisolated static func mounts() throws(SystemError) -> [Mount] {
    // Id, parent, device, root of the mount in its file system, where it is mounted, options, and after a hyphen: type,
    // source.
    try contents("/proc/self/mountinfo").split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      let rest = fields.drop { !$0.elementsEqual("-".utf8) }.dropFirst()
      guard fields.count > 4, let type = rest.first, let source = rest.dropFirst().first else { return nil }
      return Mount(
        id: Array(fields[0]), device: Array(fields[2]), root: withoutSlash(unescaped(fields[3])),
        point: withoutSlash(unescaped(fields[4])), type: Array(type), source: unescaped(source))
    }
  }

  /// A field of proc_pid_fdinfo(5).
  private nonisolated static func field(_ name: String, of descriptor: CInt) throws(SystemError)
    -> ArraySlice<UInt8>?
  {
    let lines = try contents("/proc/self/fdinfo/\(descriptor)").split(separator: UInt8(ascii: "\n"))
    let prefix = Array("\(name):\t".utf8)
    return lines.first { $0.starts(with: prefix) }?.dropFirst(prefix.count)
  }

  /// Where an open directory is.
  nonisolated static func path(of descriptor: CInt) -> [UInt8]? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/fd/\(descriptor)", &path, path.count)
    return count > 0 ? path[..<count].map(UInt8.init(bitPattern:)) : nil
  }

  /// What a file of /proc or /run holds.
  nonisolated static func contents(_ path: String) throws(SystemError) -> [UInt8] {
    let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 1 << 14)
    while true {
      let count = read(file.number, &block, block.count)
      guard count >= 0 else { throw SystemError("read", subject: path) }
      if count == 0 { return bytes }
      bytes += block[..<count]
    }
  }

  /// Spaces and their like are written as a backslash and three octal digits.
  nonisolated static func unescaped(_ field: ArraySlice<UInt8>) -> [UInt8] {
    var rest = field
    var bytes: [UInt8] = []
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), rest.count >= 3 else {
        bytes.append(byte)
        continue
      }
      bytes.append(rest.prefix(3).reduce(0) { $0 << 3 | ($1 & 7) })
      rest = rest.dropFirst(3)
    }
    return bytes
  }

  nonisolated static func withoutSlash(_ path: some Collection<UInt8>) -> [UInt8] {
    path.elementsEqual([UInt8(ascii: "/")]) ? [] : Array(path)
  }
}
