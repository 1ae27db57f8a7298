internal import CLinux
internal import Glibc
internal import Synchronization

/// Runs `body` on a thread that ends with it.
///
/// - Returns: `false` where the user, or the control group, may have no more threads (pthread_create(3), EAGAIN): then
///   nothing runs. It never runs on the caller's thread, which may be the one that serves everybody.
public func runDetached(_ body: @escaping @Sendable () -> Void) -> Bool {
  startThread(nil, body)
}

/// Gives work a thread of its own as soon as one is to be had.
///
/// Whoever cannot do without holds up nobody meanwhile: what finds no thread waits, in order, and one thread, kept from
/// the first use on, tries again for it. That one never does the work itself, which may take as long as it likes.
public final class ThreadReserve: Sendable {
  /// The process's own.
  public static let shared = ThreadReserve { runDetached($0) }

  private struct State {
    var waiting: [@Sendable () -> Void] = []
    var isKept = false
  }

  private let state = Mutex(State())
  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
  /// Posted once for what waits. Unsafe only in that it is a pointer: sem_post(3) and sem_wait(3) may be called from any
  /// thread, and it is never freed.
  private nonisolated(unsafe) let signal = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  /// A reserve for the rest of the process's life.
  ///
  /// - Parameter start: starts a thread; `false` when there is none.
  init(start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool) {
    self.start = start
    sem_init(signal, 0, 0)
  }

  /// Runs `body` on a thread that ends with it: now, or when there is one.
  public func run(_ body: @escaping @Sendable () -> Void) {
    keepThread()
    // Who waits already goes first.
    let isFirst = state.withLock { $0.waiting.isEmpty }
    if isFirst, start(body) { return }
    state.withLock { $0.waiting.append(body) }
    sem_post(signal)
  }

  /// Tried again with every use, until there is one.
  private func keepThread() {
    let keeps = state.withLock { state in
      defer { state.isKept = true }
      return !state.isKept
    }
    guard keeps, !startThread(nil, { [self] in serve() }) else { return }
    state.withLock { $0.isKept = false }
  }

  private func serve() {
    while true {
      while sem_wait(signal) != 0 {}
      while let body = state.withLock({ $0.waiting.first }) {
        if start(body) {
          state.withLock { _ = $0.waiting.removeFirst() }
        } else {
          // Nobody tells when there is one again.
          usleep(50_000)
        }
      }
    }
  }
}

/// - Parameter stackSize: that of the thread in bytes; the system's default when `nil`.
func startThread(_ stackSize: Int?, _ body: @escaping @Sendable () -> Void) -> Bool {
  final class Box {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  defer { pthread_attr_destroy(&attributes) }
  pthread_attr_setdetachstate(&attributes, CInt(PTHREAD_CREATE_DETACHED))
  if let stackSize { pthread_attr_setstacksize(&attributes, stackSize) }
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(body))
  let result = pthread_create(
    &thread, &attributes,
    { argument in
      guard let argument else { return nil }
      Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body()
      return nil
    }, box.toOpaque())
  if result != 0 { box.release() }
  return result == 0
}
