internal import Glibc
internal import Synchronization

/// Space that is kept for what owners take away from apps: a file that is really there (posix_fallocate(3)), and that
/// is removed when the disk has no room for a revocation.
final class RegistryReserve: Sendable {
  /// Enough for the pages that a reset of thousands of records changes.
  static let byteCount: off_t = 512 << 10

  private let path: String
  private let isThere = Mutex(false)

  init(path: String) {
    self.path = path
  }

  /// Takes the space, if it is not taken. Where there is none, the next call tries again.
  func make() {
    isThere.withLock { isThere in
      if isThere { return }
      let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
      guard file >= 0 else { return }
      defer { close(file) }
      isThere = posix_fallocate(file, 0, Self.byteCount) == 0
      // Half of it would keep others from the little that there is.
      if !isThere { unlink(path) }
    }
  }

  /// Gives the space back.
  ///
  /// - Returns: whether there was any.
  func giveUp() -> Bool {
    isThere.withLock { isThere in
      guard isThere else { return false }
      isThere = false
      return unlink(path) == 0
    }
  }
}
