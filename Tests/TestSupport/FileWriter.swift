internal import Dispatch
internal import Glibc
internal import Linux
internal import Synchronization

/// A thread with descriptors of its own: what is open there no child of another thread has, and it has none itself.
final class FileWriter: Sendable {
  /// The process's own. It is to begin before there is anything that it could not close, which it has till then as all others have.
  static let shared = FileWriter()

  private let jobs = Mutex<[@Sendable () -> Void]>([])
  private let signal = DispatchSemaphore(value: 0)

  private init() {
    let isReady = DispatchSemaphore(value: 0)
    let isBegun = runDetached { [self] in
      Self.leaveDescriptors()
      isReady.signal()
      while true {
        signal.wait()
        let job = jobs.withLock { $0.removeFirst() }
        job()
      }
    }
    precondition(isBegun, "no thread is to be had")
    isReady.wait()
  }

  /// Does something there, after what is there to be done already, and returns when it is done.
  func run(_ body: @escaping @Sendable () -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    jobs.withLock {
      $0.append {
        body()
        isDone.signal()
      }
    }
    signal.signal()
    isDone.wait()
  }

  /// From now on this thread has the standard streams, and no other descriptor of the process (close_range(2),
  /// CLOSE_RANGE_UNSHARE). Where that cannot be done, a test tells.
  private static func leaveDescriptors() {
    // No module has it.
    guard let symbol = dlsym(nil, "close_range") else { return }
    let closeRange = unsafeBitCast(
      symbol, to: (@convention(c) (CUnsignedInt, CUnsignedInt, CInt) -> CInt).self)
    _ = closeRange(3, .max, 2)
  }
}
