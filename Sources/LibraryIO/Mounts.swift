internal import Glibc
internal import LibraryModel
internal import Linux

/// What is mounted where, as /proc/self/mountinfo says it (proc_pid_mountinfo(5)), which asks none of these file systems,
/// and so tells of one that does not answer as of any other.
struct Mounts {
  private struct Mount {
    let device: String
    /// Where, without a slash at its end.
    let point: [UInt8]
    let type: String
    let source: String
    let options: String
  }

  private let mounts: [Mount]

  /// As they are now.
  init() throws(SystemError) { self.init(table: try MountTable.contents("/proc/self/mountinfo")) }

  /// - Parameter table: as the kernel writes it.
  init(table: [UInt8]) {
    mounts = table.split(separator: UInt8(ascii: "\n")).compactMap { line in
      let fields = line.split(separator: UInt8(ascii: " "))
      guard let dash = fields.firstIndex(where: { $0.elementsEqual([UInt8(ascii: "-")]) }),
        fields.count > dash + 3,
        dash > 4
      else { return nil }
      func text(_ index: Int) -> String {
        String(decoding: MountTable.unescaped(fields[index]), as: UTF8.self)
      }
      return Mount(
        device: text(2), point: MountTable.withoutSlash(MountTable.unescaped(fields[4])),
        type: text(dash + 1),
        source: text(dash + 2), options: text(dash + 3))
    }
  }

  /// Whether a file system at a path, or anywhere beneath it, may keep whoever asks it waiting for ever.
  func mayHang(_ path: String) -> Bool {
    guard let place = resolved(path) else { return true }
    return mounts.contains { Self.is($0.point, beneath: place) && mayHang($0) }
  }

  /// Where a path leads, through symbolic links: each is read on a file system that is known to answer.
  ///
  /// - Returns: nil where the path leads over one that is not.
  private func resolved(_ path: String) -> [UInt8]? {
    var place: [UInt8] = []
    var rest = path.split(separator: "/").map { Array($0.utf8) }[...]
    var links = 0
    while let name = rest.popFirst() {
      if name.elementsEqual(".".utf8) { continue }
      if name.elementsEqual("..".utf8) {
        place = Array(place[..<(place.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        continue
      }
      let next = place + [UInt8(ascii: "/")] + name
      guard let mount = covering(next), !mayHang(mount) else { return nil }
      guard let target = Self.target(of: next) else {
        place = next
        continue
      }
      links += 1
      guard links <= 40 else { return next }
      if target.first == UInt8(ascii: "/") { place = [] }
      rest = (target.split(separator: UInt8(ascii: "/")).map { Array($0) } + rest)[...]
    }
    return covering(place).map { mayHang($0) ? nil : place } ?? nil
  }

  private static func target(of path: [UInt8]) -> [UInt8]? {
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path.map(CChar.init(bitPattern:)) + [0], &target, target.count)
    return count > 0 ? target[..<count].map(UInt8.init(bitPattern:)) : nil
  }

  /// Of several that are mounted over one another the last counts, and the nearest above a path.
  private func covering(_ path: [UInt8]) -> Mount? {
    var found: Mount?
    for mount in mounts where mount.point == path || Self.is(path, beneath: mount.point) {
      if found.map({ $0.point.count <= mount.point.count }) ?? true { found = mount }
    }
    return found
  }

  private static func `is`(_ path: [UInt8], beneath other: [UInt8]) -> Bool {
    path.count > other.count && path.starts(with: other) && path[other.count] == UInt8(ascii: "/")
  }

  // MARK: Which may hang

  /// Of the kernel itself, on a disk or in memory. All others ask another machine, or a process.
  private static let local: Set<String> = [
    "ext2", "ext3", "ext4", "xfs", "btrfs", "bcachefs", "f2fs", "jfs", "zfs", "vfat", "msdos", "exfat",
    "ntfs3",
    "hfsplus", "udf", "iso9660", "squashfs", "erofs", "tmpfs", "devtmpfs", "ramfs",
    "rootfs",
  ]

  private func mayHang(_ mount: Mount) -> Bool {
    var overlays: Set<[UInt8]> = []
    return mayHang(mount, besides: &overlays)
  }

  /// - Parameter overlays: those that were looked at. The layers of one that was mounted outside of a container are, by the
  ///   same paths, within it: they lead back to it.
  private func mayHang(_ mount: Mount, besides overlays: inout Set<[UInt8]>) -> Bool {
    if mount.type == "overlay" {
      guard overlays.insert(mount.point).inserted else { return false }
      for layer in layers(of: mount) {
        if let other = covering(layer), mayHang(other, besides: &overlays) { return true }
      }
      return false
    }
    guard Self.local.contains(mount.type) else { return true }
    return mount.source.hasPrefix("/dev/") && isRemovable(mount)
  }

  /// The directories that an overlay consists of. Those that were named in another mount namespace are looked for in
  /// this one, and are on the file system that is the nearest to them.
  private func layers(of mount: Mount) -> [[UInt8]] {
    mount.options.split(separator: ",").filter { $0.hasPrefix("lowerdir=") || $0.hasPrefix("upperdir=") }
      .flatMap { $0.drop { $0 != "=" }.dropFirst().split(separator: ":") }
      .map { MountTable.withoutSlash(Array($0.utf8)[...]) }
  }

  /// Whether a disk can be taken away while it is asked, or is another machine's. What sysfs(5) does not tell of is
  /// taken for one that stays.
  private func isRemovable(_ mount: Mount) -> Bool {
    let name = mount.source.split(separator: "/").last.map(String.init) ?? ""
    if name.hasPrefix("nbd") || name.hasPrefix("rbd") { return true }
    // A btrfs, and some others, have a number that is no device's.
    let path = mount.device.hasPrefix("0:") ? "/sys/class/block/\(name)" : "/sys/dev/block/\(mount.device)"
    return Self.isRemovable(path, depth: 0)
  }

  private static func isRemovable(_ path: String, depth: Int) -> Bool {
    guard depth < 4, let resolved = realpath(path, nil) else { return false }
    defer { free(resolved) }
    let place = String(cString: resolved)
    if place.contains("/usb") { return true }
    // Of a partition, its disk knows.
    if [place, place + "/.."].contains(where: { SmallFile.text("\($0)/removable")?.first == "1" }) {
      return true
    }
    // What is encrypted, or put together (LVM, RAID), is on others.
    guard let directory = opendir("\(place)/slaves") else { return false }
    defer { closedir(directory) }
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix("."), isRemovable("\(place)/slaves/\(name)", depth: depth + 1) { return true }
    }
    return false
  }
}
