public import Linux

/// Watches one descriptor and calls its handler on the loop.
///
/// The source does not own the descriptor, and must be cancelled *before* the descriptor is closed: its number
/// may be another file's a moment later. Level-triggered, as poll(2).
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
    /// To be told once, until something else is waited for: also of what is always reported.
    public static let once = Events(rawValue: 1 << 31)
  }

  private let descriptor: CInt
  private let set: ReadySet
  private var token: ReadySet.Token?
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
    self.descriptor = descriptor
    self.handler = handler
    self.interest = interest
    set = try ReadySet.of(priority: priority)
    token = try set.add(self, descriptor, interest)
  }

  /// Waits for something else from now on.
  public func wait(for interest: Events) {
    guard interest != self.interest, let token else { return }
    self.interest = interest
    set.change(token, descriptor, interest)
  }

  /// Stops watching. The handler is not called again, even in the present iteration.
  public func cancel() {
    guard let token = token.take() else { return }
    set.remove(token, descriptor)
  }

  func dispatch(_ events: Events) {
    handler(events)
  }

  isolated deinit {
    cancel()
  }
}
