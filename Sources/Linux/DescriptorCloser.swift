internal import CLinux
internal import Synchronization

/// Closes descriptors that somebody else made, on a thread that lives only while there are any.
///
/// close(2) of such a one waits as long as its maker likes: a socket lingers (SO_LINGER, socket(7)), a file
/// system in user space is asked to flush. A loop that serves others must not close it itself.
public final class DescriptorCloser: Sendable {
  private struct State {
    var pending = 0
    var handlers: [@Sendable () -> Void] = []
  }

  private let thread = SerialThread()
  private let state = Mutex(State())
  /// Lives until everything is closed.
  private let owner: (any AnyObject & Sendable)?
  private let interrupts: Bool

  /// - Parameters:
  ///   - owner: kept until everything is closed: whoever accounts for the descriptors.
  ///   - interrupts: whether a close(2) that waits is interrupted after a millisecond: where nobody accounts for
  ///     them, one maker's must not hold up another's.
  public init(keeping owner: (any AnyObject & Sendable)? = nil, interrupts: Bool = false) {
    self.owner = owner
    self.interrupts = interrupts
  }

  /// How many times something was given that is still to be closed.
  public var pending: Int { state.withLock { $0.pending } }

  /// Whether something is still to be closed.
  public var isBusy: Bool { pending > 0 }

  /// Closes descriptors, after those that were given before.
  public func close(_ numbers: [CInt]) {
    guard !numbers.isEmpty else { return }
    state.withLock { $0.pending += 1 }
    thread.async { [self] in
      for number in numbers {
        if interrupts { linux_close_interrupted(number) } else { _ = OwnedDescriptor(owning: number) }
      }
      let handlers = state.withLock { state in
        state.pending -= 1
        guard state.pending == 0 else { return [@Sendable () -> Void]() }
        defer { state.handlers = [] }
        return state.handlers
      }
      for handler in handlers { handler() }
    }
  }

  /// Calls `handler` once when everything is closed: on the closing thread, or here when nothing is to be.
  public func whenIdle(_ handler: @escaping @Sendable () -> Void) {
    let isIdle = state.withLock { state in
      if state.pending > 0 { state.handlers.append(handler) }
      return state.pending == 0
    }
    if isIdle { handler() }
  }
}
