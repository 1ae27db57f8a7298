internal import Glibc

/// SQLite's locks that a killed daemon has left on the databases (docs/decisions/0061-locks-of-the-dead.md).
///
/// They are fcntl(2)'s, and the kernel gives them up with the last thread of a process. One that waits for a file system
/// which never answers does not end by SIGKILL either; if a transaction was open, nobody could write any more. All that
/// are held for longer than SQLite takes to open or close a file are on the `-shm` file, which is made anew from the
/// write-ahead log when it is not there (https://sqlite.org/walformat.html#recovery): whoever opens the database next
/// gets another file, which nobody has locked.
package enum LeftLocks {
  /// All databases of a state directory.
  static let databases = ["registry.sqlite", "access.sqlite", "library.sqlite"]
  /// Where SQLite locks in such a file: eight locks and one that says that it is in use
  /// (https://sqlite.org/walformat.html#the_wal_index_file_format).
  static let range = (start: off_t(120), length: off_t(9))

  /// Removes the files that are locked by the daemon that served here before, and is no more. What another program has
  /// locked stays: it has the database open, and waits its turn.
  ///
  /// Only who holds the lock on the directory may call this, and only before a database is opened.
  ///
  /// - Parameter holder: the process that held the lock on the directory before.
  package static func discard(in directory: String, of holder: Int32?) {
    for name in databases {
      let path = "\(directory)/\(name)-shm"
      guard let locker = locker(of: path) else { continue }
      // 0: a process of another namespace, such as that of a container which was killed.
      if locker == holder || locker == 0 { unlink(path) }
    }
  }

  /// Who has locked anything of such a file; nil if nobody has, or if there is none.
  static func locker(of path: String) -> Int32? {
    let file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var lock = flock(
      l_type: Int16(F_WRLCK), l_whence: Int16(SEEK_SET), l_start: range.start, l_len: range.length, l_pid: 0)
    guard fcntl(file, F_GETLK, &lock) == 0, lock.l_type != F_UNLCK else { return nil }
    return lock.l_pid
  }
}
