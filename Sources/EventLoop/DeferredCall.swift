internal import CSystemd
internal import Linux

/// Work that is done in slices: called in a later iteration of the loop (sd_event_add_defer(3)), so that
/// requests and events have their turn in between.
@EventLoopActor
public final class DeferredCall {
  private var source: EventSource?
  private let priority: Int64
  private let handler: @EventLoopActor () -> Void
  private var isArmed = false
  /// A peer that always has something to say must not put it off for ever.
  private lazy var limit = Timer { [unowned self] in fire() }

  /// So long it waits at most for a turn in which nothing else is ready.
  private static let patience = Duration.milliseconds(20)

  /// A call that is not yet asked for.
  ///
  /// - Parameter priority: as of ``IOSource``; a higher number waits until nothing else is ready, or 20 ms.
  public init(priority: Int64 = 0, _ handler: @escaping @EventLoopActor () -> Void) {
    self.priority = priority
    self.handler = handler
  }

  /// Asks for one call; asking again before it is made changes nothing.
  public func arm() {
    isArmed = true
    // Left running when the call was made: setting it costs a system call.
    if priority > 0 { limit.armUnlessArmed(after: Self.patience) }
    if let source {
      sd_event_source_set_enabled(source.pointer, CInt(SD_EVENT_ONESHOT))
      return
    }
    do {
      source = try EventSource(owner: self, priority: priority, call: "sd_event_add_defer") {
        sd_event_add_defer(EventLoop.shared.event, $0, dispatchDeferred, $1)
      }
    } catch {
      // Only memory can lack here.
      fatalError("cannot defer a call: \(error)")
    }
  }

  /// Takes the call back.
  public func cancel() {
    source = nil
    isArmed = false
    if priority > 0 { limit.disarm() }
  }

  fileprivate func fire() {
    guard isArmed else { return }
    isArmed = false
    if let source { sd_event_source_set_enabled(source.pointer, CInt(SD_EVENT_OFF)) }
    handler()
  }
}

private func dispatchDeferred(_: OpaquePointer?, context: UnsafeMutableRawPointer?) -> CInt {
  guard let context else { return 0 }
  let call = Unmanaged<DeferredCall>.fromOpaque(context).takeUnretainedValue()
  EventLoopActor.assumeIsolated(with: call) { $0.fire() }
  return 0
}
