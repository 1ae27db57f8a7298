internal import EventLoop
internal import Storage

/// Finds out that the index is damaged while it is used: the daemon ends then, and makes another when it is started
/// again (docs/decisions/0047-damaged-databases.md).
@EventLoopActor
final class IndexDamage {
  /// Told once, never inside the call that has found it.
  var onFound: @EventLoopActor () -> Void = {}
  private let index: LibraryStore
  private var isFound = false

  init(of index: LibraryStore) {
    self.index = index
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
    EventLoopActor.afterReturn { [self] in onFound() }
  }
}
