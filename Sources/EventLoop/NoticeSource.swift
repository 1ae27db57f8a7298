internal import CSystemd
public import Linux

/// Watches a descriptor that tells of a change by an exceptional condition (poll(2), POLLPRI), and forgets it
/// with the first look: proc_pid_mountinfo(5), the files of sysfs(5).
///
/// Not an ``IOSource``: its epoll(7) instance lies within that of sd-event(3), whose look at it is the first;
/// by the second, which would say which descriptor it was, nothing is left.
@EventLoopActor
public final class NoticeSource {
  private var source: EventSource?
  private let handler: @EventLoopActor () -> Void

  /// Calls the handler whenever the descriptor tells of a change.
  ///
  /// - Throws: ``SystemError``: EPERM for a descriptor that epoll(7) cannot watch.
  public init(_ descriptor: CInt, handler: @escaping @EventLoopActor () -> Void) throws(SystemError) {
    self.handler = handler
    source = try EventSource(owner: self, call: "sd_event_add_io") {
      // EPOLLPRI
      sd_event_add_io(EventLoop.shared.event, $0, descriptor, 0x2, dispatchNotice, $1)
    }
  }

  /// Stops watching, which must be done before the descriptor is closed.
  public func cancel() {
    source = nil
  }

  fileprivate func dispatch() {
    handler()
  }
}

private func dispatchNotice(
  _: OpaquePointer?, _: CInt, _: UInt32, context: UnsafeMutableRawPointer?
) -> CInt {
  guard let context else { return 0 }
  // The retain keeps the source alive when its own handler lets it go.
  let source = Unmanaged<NoticeSource>.fromOpaque(context).takeUnretainedValue()
  EventLoopActor.assumeIsolated(with: source) { $0.dispatch() }
  return 0
}
