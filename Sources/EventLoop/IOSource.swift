internal import CSystemd
public import Linux

/// Watches one descriptor (sd_event_add_io(3)) and calls its handler on the loop.
///
/// The source does not own the descriptor, and must be cancelled *before* the descriptor is closed:
/// libsystemd aborts on a source whose descriptor has gone. Level-triggered, as poll(2).
@EventLoopActor
public final class IOSource {
  /// What to wait for, or what has happened: epoll_ctl(2).
  public struct Events: OptionSet, Hashable, Sendable {
    /// EPOLL* flags.
    public let rawValue: UInt32
    /// EPOLL* flags.
    public init(rawValue: UInt32) {
      self.rawValue = rawValue
    }
    /// There is something to read.
    public static let readable = Events(rawValue: 0x001)
    /// There is room to write.
    public static let writable = Events(rawValue: 0x004)
    /// An error is pending; always reported.
    public static let error = Events(rawValue: 0x008)
    /// Both directions are closed; always reported.
    public static let hangup = Events(rawValue: 0x010)
    /// The peer writes no more.
    public static let readHangup = Events(rawValue: 0x2000)
  }

  private var source: EventSource?
  private let handler: @EventLoopActor (Events) -> Void
  /// What is being waited for.
  public private(set) var interest: Events

  /// Watches `descriptor` for `interest`.
  ///
  /// - Parameter priority: lower goes first when several are ready; 0 is normal.
  /// - Throws: ``SystemError``: EPERM for a descriptor that epoll(7) cannot watch.
  public init(
    _ descriptor: CInt, _ interest: Events, priority: Int64 = 0,
    handler: @escaping @EventLoopActor (Events) -> Void
  ) throws(SystemError) {
    self.handler = handler
    self.interest = interest
    source = try EventSource(owner: self, priority: priority, call: "sd_event_add_io") {
      sd_event_add_io(EventLoop.shared.event, $0, descriptor, interest.rawValue, dispatchIO, $1)
    }
  }

  /// Waits for something else from now on.
  public func wait(for interest: Events) {
    guard interest != self.interest, let source else { return }
    self.interest = interest
    sd_event_source_set_io_events(source.pointer, interest.rawValue)
  }

  /// Stops watching. The handler is not called again, even in the present iteration.
  public func cancel() {
    source = nil
  }

  fileprivate func dispatch(_ events: Events) {
    handler(events)
  }
}

private func dispatchIO(
  _: OpaquePointer?, _: CInt, events: UInt32, context: UnsafeMutableRawPointer?
) -> CInt {
  guard let context else { return 0 }
  // The retain keeps the source alive when its own handler lets it go.
  let source = Unmanaged<IOSource>.fromOpaque(context).takeUnretainedValue()
  EventLoopActor.assumeIsolated { source.dispatch(IOSource.Events(rawValue: events)) }
  return 0
}
