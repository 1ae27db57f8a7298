internal import Authorization
internal import DaemonConfiguration
internal import Glibc
internal import LibraryIO
internal import Linux

/// Looks at files and at the kernel for `Check`. It may block, and so runs off the loop.
struct HealthInspector: Sendable {
  let options: Daemon.Options
  /// What was read at the start: its roots and its state directory are in use until the end.
  let initial: Configuration

  /// Adds what is found to what the daemon knows by itself.
  ///
  /// - Parameter offline: roots that are known to be away, with the reason: they are not touched, since a
  ///   file system that does not answer would hold this up.
  /// - Parameter apart: roots whose file systems may not answer.
  func inspect(_ facts: HealthFacts, offline: [String: RootAbsence], apart: Set<String>) -> HealthFacts {
    var facts = facts
    let shared = facts.shared
    facts.configurationFile = initial.file
    do throws(ConfigurationErrors) { facts.configurationErrors = try options.load().faults } catch {
      facts.configurationErrors = error.errors
    }
    facts.translations = Translation.installed(
      beside: options.configurationFile, vendorDirectory: options.vendorDirectory)
    let deadline = ContinuousClock.now + Self.patience
    let accounts = Accounts.system
    facts.roots = initial.roots.map { root in
      if let problem = offline[root.path] { return .init(path: root.path, problem: problem) }
      let albums = shared[root.path, default: []]
      @Sendable func look() -> HealthFacts.Directory { inspect(root.path, albums, accounts, deadline) }
      guard apart.contains(root.path) else { return look() }
      return Self.answer(within: Self.answerPatience) { directory(root.path).problem }
        .flatMap { _ in Self.answer(within: Self.patience + Self.answerPatience, look) }
        ?? .init(path: root.path, problem: .notAnswering)
    }
    facts.state = directory(initial.state)
    facts.watchLimit = number("/proc/sys/fs/inotify/max_user_watches")
    facts.instanceLimit = number("/proc/sys/fs/inotify/max_user_instances")
    facts.programs = facts.manifests.flatMap { manifest in
      manifest.bindings.filter { $0.kind == .executable }.map { program($0.value, manifest) }
    }
    facts.setAside = ["library.sqlite", "access.sqlite"].map { "\(initial.state)/\($0).damaged" }
      .filter { access($0, F_OK) == 0 }
    facts.registryWritten = ["", "-wal"].compactMap { modified("\(initial.state)/registry.sqlite\($0)") }
      .max()
    facts.registryBackedUp = modified("\(initial.state)/backups")
    if case .file(let path)? = facts.pictures?.program { facts.picturesMissing = access(path, X_OK) != 0 }
    facts.uid = geteuid()
    facts.mayReadPeers = hasCapability(19)
    return facts
  }

  private func inspect(
    _ root: String, _ shared: [String], _ accounts: Accounts, _ deadline: ContinuousClock.Instant
  ) -> HealthFacts.Directory {
    var directory = directory(root)
    if directory.problem == nil {
      directory.readers = readers(of: root, accounts)
      directory.unreadable = .init(beneath: root, until: deadline)
      directory.missingShared = shared.filter { !isDirectory("\(root)/\($0)") }
    }
    return directory
  }

  /// When a file, or the list of a directory, was last changed.
  private func modified(_ path: String) -> Int64? {
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
  }

  /// How long it looks for photos that cannot be read.
  private static let patience = Duration.seconds(20)
  /// How long a file system may take to answer.
  private static let answerPatience = Duration.seconds(3)

  /// Does something that may never come to its end.
  ///
  /// - Returns: nil when it has not in that time.
  private static func answer<Value: Sendable>(
    within patience: Duration, _ body: @escaping @Sendable () -> Value
  ) -> Value? {
    let answer = Answer<Value>()
    ThreadReserve.shared.run { answer.give(body()) }
    return answer.take(until: Clock.monotonic + UInt64(patience.components.seconds) * 1_000_000)
  }

  private func directory(_ path: String) -> HealthFacts.Directory {
    var status = stat()
    guard stat(path, &status) == 0 else {
      return .init(path: path, problem: .failed(reason: SystemError("stat").reason))
    }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      return .init(path: path, problem: .failed(reason: SystemError("stat", code: ENOTDIR).reason))
    }
    var space = statvfs()
    let free =
      statvfs(path, &space) == 0
      ? Int64(clamping: UInt64(space.f_bavail) &* UInt64(space.f_frsize)) : nil
    return .init(
      path: path, isWritable: faccessat(AT_FDCWD, path, W_OK | X_OK, AT_EACCESS) == 0,
      mode: UInt32(status.st_mode & 0o7777), freeBytes: free)
  }

  /// Who may look into a directory besides this process's user and root.
  private func readers(of path: String, _ accounts: Accounts) -> [HealthFacts.Reader] {
    var status = stat()
    guard stat(path, &status) == 0 else { return [] }
    var readers: [HealthFacts.Reader] = []
    let own: Set<UInt32> = [0, geteuid()]
    if status.st_mode & 0o500 != 0, !own.contains(status.st_uid) { readers.append(.user(status.st_uid)) }
    if status.st_mode & 0o050 != 0, let group = groupName(status.st_gid),
      let members = try? accounts.group(group), !members.isSubset(of: own)
    {
      readers.append(.members(group: group))
    }
    if status.st_mode & 0o005 != 0 { readers.append(.everybody) }
    return readers
  }

  /// Its name (getgrgid_r(3)); nil when it has none, and so no members.
  private func groupName(_ gid: gid_t) -> String? {
    var entry = group()
    var buffer = [CChar](repeating: 0, count: 1 << 16)
    var found: UnsafeMutablePointer<group>?
    guard getgrgid_r(gid, &entry, &buffer, buffer.count, &found) == 0, let name = found?.pointee.gr_name
    else {
      return nil
    }
    return String(cString: name)
  }

  private func isDirectory(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private func program(_ path: String, _ manifest: AppManifest) -> HealthFacts.Program {
    var status = stat()
    let exists = stat(path, &status) == 0
    return .init(
      manifest: manifest.file, path: path, exists: exists,
      isTrustworthy: exists && status.st_uid == 0 && status.st_mode & (S_IWGRP | S_IWOTH) == 0)
  }

  private func number(_ path: String) -> Int? {
    SmallFile.text(path).flatMap { Int($0.prefix { $0.isASCII && $0.isNumber }) }
  }

  /// The effective capabilities of this process (capabilities(7)): `CapEff` of proc_pid_status(5).
  private func hasCapability(_ number: Int) -> Bool {
    guard let text = SmallFile.text("/proc/self/status"),
      let line = text.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:") }),
      let set = UInt64(line.dropFirst(7).filter { !$0.isWhitespace }, radix: 16)
    else { return false }
    return set & (1 << UInt64(number)) != 0
  }
}

/// Resident memory of this process in bytes: the second field of proc_pid_statm(5), in pages.
func residentBytes() -> Int {
  let fields = SmallFile.text("/proc/self/statm")?.split(separator: " ")
  let pages = fields?.dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * sysconf(CInt(_SC_PAGESIZE))
}
