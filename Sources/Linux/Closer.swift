internal import Synchronization

/// Closes the files of one file system that may not answer: close(2) waits for it (flush, fuse(4)). One thread does so,
/// which nobody waits for: however many files are closed, a file system that hangs keeps one thread.
///
/// What waits here is open still. Who opens files of that file system looks at ``hasRoom`` first and opens none when
/// there is none: so one that hangs does not use up the descriptors of the process either.
public final class Closer: Sendable {
  /// How many files may wait before no more are opened.
  public static let most = 64

  private let waiting = Atomic<Int>(0)
  private let thread = SerialThread()

  /// For a file system of which nothing is open yet.
  public init() {}

  /// Whether more may be opened of what is closed here.
  public var hasRoom: Bool { waiting.load(ordering: .relaxed) < Self.most }

  /// Closes a file after those that came before it.
  public func close(_ descriptor: consuming OwnedDescriptor) {
    let number = descriptor.take()
    run { _ = OwnedDescriptor(owning: number) }
  }

  /// Does what else is to be done when a file is closed.
  public func run(_ body: @escaping @Sendable () -> Void) {
    waiting.add(1, ordering: .relaxed)
    thread.async { [self] in
      body()
      waiting.subtract(1, ordering: .relaxed)
    }
  }
}
