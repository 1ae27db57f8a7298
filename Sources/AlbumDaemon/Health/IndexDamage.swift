internal import EventLoop
internal import Storage

/// Finds out that the index is damaged while it is used: the daemon ends then, and makes another when it is started
/// again (docs/decisions/0047-damaged-databases.md).
@EventLoopActor
final class IndexDamage {
  private let index: LibraryStore
  private let found: @EventLoopActor () -> Void
  private var isFound = false

  /// - Parameter found: told once, never inside the call that has found it.
  init(of index: LibraryStore, found: @escaping @EventLoopActor () -> Void) {
    self.index = index
    self.found = found
  }

  /// Something failed.
  func look(at error: any Error) {
    guard let error = error as? StorageError, error.code == .corrupt, error.path == index.path else { return }
    index.noteDamage()
    look()
  }

  /// The library cannot be written, for a reason that may be this.
  func look() {
    guard !isFound, index.isDamaged else { return }
    isFound = true
    EventLoopActor.afterReturn { [self] in found() }
  }
}
