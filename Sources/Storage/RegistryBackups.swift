internal import Authorization
internal import GRDB
internal import Glibc

/// Whole copies of the registry, by SQLite's own means (https://sqlite.org/backup.html): one for each day on which the
/// daemon was started or something was written, the last seven of them. That of the day is made again with what was written
/// since, an hour later at the earliest, and at the end of the daemon.
///
/// `backups/registry-2026-12-31.sqlite` beside the registry. Each appears under its name when it is whole and on disk.
/// Used on the registry's thread alone, and after its end.
struct RegistryBackups {
  /// How many are kept.
  static let most = 7
  /// Seconds from one, or one that failed, to the next on the same day.
  private static let interval: Int64 = 3600

  private let directory: String
  private var lastDay = ""
  private var lastTry = Timestamp(microseconds: .min)
  /// Whether something was written that the last one does not have.
  private var isBehind = false
  private var hasFailed = false

  init(directory: String) {
    self.directory = directory
  }

  /// Something was written.
  mutating func noteChange() { isBehind = true }

  /// Makes today's, if it is time. One that fails leaves nothing, and is tried again later: what owners decide does not
  /// wait for it.
  ///
  /// - Parameter isEnd: it is time if anything is lacking.
  mutating func make(of queue: DatabaseQueue, at now: Timestamp, isEnd: Bool = false) {
    guard let day = now.day else { return }
    let isEarly = lastTry <= now && now < lastTry.adding(seconds: Self.interval)
    let isNew = day != lastDay && !(hasFailed && isEarly)
    guard isNew || isBehind && (isEnd || !isEarly) else { return }
    let path = "\(directory)/registry-\(day).sqlite"
    mkdir(directory, 0o700)
    lastTry = now
    if !isBehind, access(path, F_OK) == 0 {
      // An earlier start's, which may lack what was decided before a kill.
      (lastDay, isBehind) = (day, true)
      return
    }
    // Of a failure the doctor knows, who sees that the last one is old.
    hasFailed = (try? copy(queue, to: path)) == nil
    if hasFailed { return }
    (lastDay, isBehind) = (day, false)
    removeOld()
  }

  private func copy(_ queue: DatabaseQueue, to path: String) throws {
    let part = "\(directory)/part"
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) }
    let file = Glibc.open(part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw StorageError(errno: errno, "cannot be made", path: part) }
    defer {
      close(file)
      for suffix in ["", "-wal", "-shm", "-journal"] { unlink(part + suffix) }
    }
    var configuration = Configuration()
    configuration.label = "registry backup"
    let target = try DatabaseQueue(path: part, configuration: configuration)
    let copied = Result { try queue.backup(to: target) }
    try target.retire()
    try copied.get()
    guard fsync(file) == 0, rename(part, path) == 0, syncDirectory() else {
      throw StorageError(errno: errno, "cannot be brought to disk", path: path)
    }
  }

  private func syncDirectory() -> Bool {
    let descriptor = Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    return fsync(descriptor) == 0
  }

  /// Their names are their days: the least are the oldest.
  private func removeOld() {
    let old = Self.names(in: directory).sorted().dropLast(Self.most)
    for name in old { unlink("\(directory)/\(name)") }
  }

  private static func names(in directory: String) -> [String] {
    guard let stream = opendir(directory) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix("registry-"), name.hasSuffix(".sqlite") { names.append(name) }
    }
    return names
  }
}

extension Timestamp {
  /// The day in UTC: 2026-12-31.
  fileprivate var day: String? {
    var seconds = time_t(microseconds / 1_000_000)
    var parts = tm()
    guard microseconds >= 0, gmtime_r(&seconds, &parts) != nil else { return nil }
    func padded(_ number: CInt, _ count: Int) -> String {
      let digits = "\(number)"
      return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
    return "\(padded(parts.tm_year + 1900, 4))-\(padded(parts.tm_mon + 1, 2))-\(padded(parts.tm_mday, 2))"
  }
}
