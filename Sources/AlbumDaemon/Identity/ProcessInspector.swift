internal import Authorization
internal import CLinux
internal import CSystemd
internal import Glibc
internal import Linux
internal import PeerRoots
internal import VarlinkTransport

/// Reads the evidence about a peer (S35): what the kernel and systemd say about its process.
///
/// Everything is read through one descriptor of the process's directory in /proc, and counts only if the
/// pinned process is alive afterwards: until then its number cannot have become another's.
final class ProcessInspector {
  private let peer: PeerCredentials
  private let directory: OwnedDescriptor

  /// The evidence about a peer.
  ///
  /// - Throws: `UnidentifiedPeer` when it cannot be read at all (S36).
  static func evidence(about peer: PeerCredentials) throws(UnidentifiedPeer) -> ReadEvidence {
    guard peer.pid > 0 else {
      throw UnidentifiedPeer(reason: "its process is in a pid namespace that the daemon cannot see")
    }
    let inspector: ProcessInspector
    do throws(SystemError) { inspector = try ProcessInspector(peer) } catch {
      throw UnidentifiedPeer(reason: error.description)
    }
    try inspector.checkProcess()
    let evidence = inspector.read()
    let process = KnownProcess(
      peer, directory: try inspector.takeDirectory(), program: evidence.executable.value?.file)
    // A program that is begun meanwhile would have some evidence of its own, and some of the one before.
    switch process.look() {
    case .same: break
    case .another: throw UnidentifiedPeer(reason: "its process becomes another program")
    case .ended: throw UnidentifiedPeer(reason: "its process has ended")
    }
    guard peer.isAlive else { throw UnidentifiedPeer(reason: "its process ended, or could not be pinned") }
    return ReadEvidence(evidence: evidence, process: process)
  }

  /// Whether it can be the process that connected, and is that of the user who did.
  private func checkProcess() throws(UnidentifiedPeer) {
    guard let status = text("status").flatMap(ProcessStatus.init) else {
      throw UnidentifiedPeer(reason: "the user of its process cannot be read")
    }
    guard status.isOf(uid: peer.uid, gid: peer.gid) else {
      throw UnidentifiedPeer(
        reason:
          "its process is not, or no longer, of the user \(peer.uid) and the group \(peer.gid) alone: a "
          + "set-user-ID or set-group-ID program, perhaps")
    }
    guard let pinning = peer.pinning else { return }
    guard let start = text("stat").flatMap(ProcessInstance.startTime) else {
      throw UnidentifiedPeer(reason: "the start of its process cannot be read")
    }
    if pinning.mayBeAnother(startedAt: start, ticks: UInt64(max(1, sysconf(CInt(_SC_CLK_TCK))))) {
      throw UnidentifiedPeer(
        reason:
          "its process may have begun after it connected, with a number that was another's; connect again")
    }
  }

  private func text(_ name: String) -> String? {
    let descriptor = openat(directory.number, name, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let file = OwnedDescriptor(owning: descriptor)
    return SmallFile.text(of: file.number, limit: 8192)
  }

  private init(_ peer: PeerCredentials) throws(SystemError) {
    self.peer = peer
    let path = "/proc/\(peer.pid)"
    directory = try OwnedDescriptor(linux_open_directory_path(path), call: "open", subject: path)
  }

  private func read() -> PeerEvidence {
    PeerEvidence(
      uid: peer.uid, gid: peer.gid, pid: peer.pid, flatpak: flatpak(), snap: snap(),
      unit: unit(sd_pid_get_unit), userUnit: unit(sd_pid_get_user_unit), executable: executable(),
      apart: apart())
  }

  /// A descriptor of the directory that outlives this.
  private func takeDirectory() throws(UnidentifiedPeer) -> OwnedDescriptor {
    do throws(SystemError) {
      return try OwnedDescriptor(linux_fcntl_int(directory.number, F_DUPFD_CLOEXEC, 3), call: "fcntl")
    } catch { throw UnidentifiedPeer(reason: error.description) }
  }

  // MARK: Sandboxes

  /// The id in `/.flatpak-info`, which Flatpak mounts where the sandboxed process cannot replace it; what its user
  /// starts outside of every sandbox can make another (docs/decisions/0005). Only its absence means "not a
  /// Flatpak"; anything else that goes wrong does not.
  private func flatpak() -> Finding<String> {
    let descriptor: OwnedDescriptor
    switch PeerRoot(directory.number).open(".flatpak-info") {
    case .absent: return .absent
    case .unreadable(let reason): return .unreadable(reason)
    case .found(let file): descriptor = OwnedDescriptor(owning: file)
    }
    guard let info = SmallFile.bytes(of: descriptor.number, limit: KeyFile.longest) else {
      return .unreadable("\(SystemError("read", subject: "/.flatpak-info"))")
    }
    do throws(UnidentifiedPeer) { return .found(try FlatpakID.read(info)) } catch {
      return .unreadable(error.reason)
    }
  }

  /// The snap of an AppArmor label such as `snap.NAME.APP (enforce)`. Control groups are not asked: a user
  /// can name a scope as they like.
  private func snap() -> Finding<String> {
    let descriptor = openat(directory.number, "attr/current", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      return errno == ENOENT ? .absent : .unreadable("\(SystemError("openat", subject: "attr/current"))")
    }
    let file = OwnedDescriptor(owning: descriptor)
    guard let label = SmallFile.text(of: file.number, limit: 4096) else {
      // EINVAL: no security module keeps labels here.
      return errno == EINVAL ? .absent : .unreadable("\(SystemError("read", subject: "attr/current"))")
    }
    let parts = label.split(separator: ".", maxSplits: 2)
    guard parts.count == 3, parts[0] == "snap" else { return .absent }
    return .found(String(parts[1]))
  }

  /// The namespaces that it does not share with the host: docs/decisions/0014-owners-in-namespaces.md.
  private func apart() -> Finding<[String]> {
    var kinds: [String] = []
    for kind in HostNamespaces.kinds {
      switch HostNamespaces.link(directory.number, kind) {
      case .absent: break
      case .unreadable(let reason): return .unreadable(reason)
      case .found(let name): if !HostNamespaces.shared.contains(name) { kinds.append(kind) }
      }
    }
    return kinds.isEmpty ? .absent : .found(kinds)
  }

  // MARK: Units

  private func unit(
    _ look: (pid_t, UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?) -> CInt
  ) -> Finding<String> {
    var name: UnsafeMutablePointer<CChar>?
    let result = look(peer.pid, &name)
    defer { free(name) }
    if result >= 0, let name { return .found(String(cString: name)) }
    switch -result {
    // sd_pid_get_unit(3): not part of a unit; no control groups as systemd arranges them.
    case ENODATA, ENXIO, ENOMEDIUM: return .absent
    default: return .unreadable("\(SystemError("sd_pid_get_unit", code: -result))")
    }
  }

  // MARK: Program

  private func executable() -> Finding<ExecutableEvidence> {
    let link = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> [UInt8]? in
      guard let base = buffer.baseAddress else { return nil }
      let count = readlinkat(directory.number, "exe", base, buffer.count)
      return count > 0 ? buffer[..<count].map { UInt8(bitPattern: $0) } : nil
    }
    guard let link else { return .unreadable("\(SystemError("readlink", subject: "/proc/\(peer.pid)/exe"))") }
    // After the link: a file that had no name then has none now.
    var facts = linux_facts()
    guard linux_look_at_program(directory.number, &facts) == 0 else {
      return .unreadable("\(SystemError("statx", subject: "/proc/\(peer.pid)/exe"))")
    }
    return .found(ExecutableEvidence(link: link, file: ProgramFile(facts), isUnlinked: facts.links == 0))
  }
}

extension ProgramFile {
  init(_ facts: linux_facts) {
    self.init(device: linux_device_number(facts.device), inode: facts.inode)
  }
}
