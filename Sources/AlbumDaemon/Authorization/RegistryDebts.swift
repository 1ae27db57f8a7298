internal import EventLoop
internal import Logging
internal import Storage

/// What was taken away, counts, and is not on disk: it is written again until it is.
@EventLoopActor
final class RegistryDebts {
  /// Whether there is any.
  private(set) var isOwing = false
  private let registry: Registry
  private let log: Logger
  private var delay = RegistryDebts.first
  private lazy var timer = Timer { [unowned self] in pay() }

  private static let first = Duration.seconds(1)
  private static let longest = Duration.seconds(60)

  init(registry: Registry, log: Logger) {
    self.registry = registry
    self.log = log
  }

  /// The disk did not take what takes something away.
  func owe() {
    guard !isOwing else { return }
    log.error("What was taken away counts all the same, and is written again until it is on disk")
    isOwing = true
    timer.arm(after: delay)
  }

  private func pay() {
    registry.retry { result in
      Task { @EventLoopActor [weak self] in self?.paid(result) }
    }
  }

  private func paid(_ result: Result<Void, StorageError>) {
    switch result {
    case .success:
      isOwing = false
      delay = Self.first
      log.notice("What was taken away is on disk now")
    case .failure:
      delay = min(delay * 2, Self.longest)
      timer.arm(after: delay)
    }
  }
}
