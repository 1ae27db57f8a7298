/// Which file it is, whatever its path: stat(2)'s device and inode.
package struct ProgramFile: Hashable, Sendable {
  /// The device, as stat(1) prints it.
  package let device: UInt64
  /// The inode on it.
  package let inode: UInt64

  /// The file of that device and inode.
  package init(device: UInt64, inode: UInt64) {
    self.device = device
    self.inode = inode
  }
}

/// The program file that a peer runs.
package struct ExecutableEvidence: Hashable, Sendable {
  /// Where it was when the peer was looked at: the bytes of `/proc/PID/exe`.
  package let path: [UInt8]
  /// Which file it is.
  package let file: ProgramFile

  /// A program file.
  ///
  /// - Parameters:
  ///   - link: what `/proc/PID/exe` reads.
  ///   - isUnlinked: whether the file has no name any more, as after an upgrade: then the kernel adds a word to the
  ///     path (proc_pid_exe(5)). A file that still has one may be called so.
  package init(link: [UInt8], file: ProgramFile, isUnlinked: Bool) {
    let word = Array(" (deleted)".utf8)
    path = isUnlinked && link.suffix(word.count) == word[...] ? link.dropLast(word.count) : link
    self.file = file
  }

  /// The path for people and lists.
  package var pathText: String { path.percentEncoded }

  /// The id of an app that is this file and has no manifest: path and file, as `stat -c %n#%d:%i` prints them. No other
  /// kind of id has a `#`, and in the path it is written otherwise.
  package var appID: String { "\(pathText)#\(file.device):\(file.inode)" }
}

/// What looking for one kind of evidence gave. Not being able to look is not the same as finding nothing
/// (rule S36).
package enum Finding<Value: Hashable & Sendable>: Hashable, Sendable {
  /// There is none.
  case absent
  /// There it is.
  case found(Value)
  /// It could not be read, for this reason.
  case unreadable(String)

  /// What was found.
  package var value: Value? {
    switch self {
    case .found(let value): value
    case .absent, .unreadable: nil
    }
  }
}

/// What the kernel and the service manager say about a peer, read while the process was pinned.
package struct PeerEvidence: Hashable, Sendable {
  /// SO_PEERCRED, unix(7).
  package var uid: UInt32
  /// SO_PEERCRED, unix(7).
  package var gid: UInt32
  /// SO_PEERCRED, unix(7). Never an identity: process ids are reused.
  package var pid: Int32
  /// The application id of `.flatpak-info`.
  package var flatpak: Finding<String>
  /// The snap's name.
  package var snap: Finding<String>
  /// sd_pid_get_unit(3).
  package var unit: Finding<String>
  /// sd_pid_get_user_unit(3).
  package var userUnit: Finding<String>
  /// /proc/pid/exe, proc_pid_exe(5).
  package var executable: Finding<ExecutableEvidence>
  /// The kinds of namespaces(7), such as `mnt`, in which it is apart from the host: a sandbox, or a container.
  package var apart: Finding<[String]>

  /// Evidence as it was found.
  package init(
    uid: UInt32, gid: UInt32, pid: Int32, flatpak: Finding<String> = .absent,
    snap: Finding<String> = .absent, unit: Finding<String> = .absent, userUnit: Finding<String> = .absent,
    executable: Finding<ExecutableEvidence> = .absent, apart: Finding<[String]> = .absent
  ) {
    self.apart = apart
    self.uid = uid
    self.gid = gid
    self.pid = pid
    self.flatpak = flatpak
    self.snap = snap
    self.unit = unit
    self.userUnit = userUnit
    self.executable = executable
  }
}

/// The daemon cannot tell who the peer is, and so serves it nothing (rule S36).
package struct UnidentifiedPeer: Error, Hashable, Sendable, CustomStringConvertible {
  /// What could not be told, and why.
  package let reason: String

  /// A refusal for that reason.
  package init(reason: String) {
    self.reason = reason
  }

  /// The reason.
  package var description: String { reason }
}
