internal import Synchronization

/// Stands for an asset or album that is yet to be made. PhotoKit: `PHObjectPlaceholder`.
public final class PhotoObjectPlaceholder: Sendable {
  private let outcome = Mutex<Result<String, AlbumError>?>(nil)

  /// The id, once it was made; nil before, and when it was not. An app that may only add has a receipt
  /// here, which it cannot read back (S32). PhotoKit: `localIdentifier`; **differs**: there it is known
  /// before.
  public var localIdentifier: String? { outcome.withLock { try? $0?.get() } }

  /// Why it was not made. PhotoKit: the error of `performChanges`.
  public var error: AlbumError? {
    outcome.withLock { outcome in
      guard case .failure(let error) = outcome else { return nil }
      return error
    }
  }

  init() {}

  func finish(_ result: Result<String, AlbumError>) {
    outcome.withLock { $0 = result }
  }
}
