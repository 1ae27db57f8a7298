internal import CSystemd
internal import Glibc
internal import Linux

/// The descriptors of one priority, in an epoll(7) instance of their own, which sd-event watches as one.
///
/// sd-event(3) calls epoll_wait(2) for every callback that it makes, and that looks at all that is ready: with
/// sixteen clients a sixth of the daemon's time. Here everything that is ready is taken at once.
@EventLoopActor
final class ReadySet {
  /// Names a source also when its slot has been given to another one meanwhile.
  struct Token: Hashable, Sendable {
    fileprivate let slot: UInt32
    fileprivate let generation: UInt32
  }

  private struct Slot {
    /// Never of one that has gone: its memory goes with its `deinit`, which runs on this actor, as all of this does, and
    /// empties the slot. A weak reference would cost every event an atomic look-up.
    unowned(unsafe) var source: IOSource?
    var generation: UInt32 = 0
  }

  private static var sets: [Int64: ReadySet] = [:]

  private let epoll: OwnedDescriptor
  private var slots: [Slot] = []
  private var free: [UInt32] = []
  private let ready = UnsafeMutableBufferPointer<epoll_event>.allocate(capacity: 64)
  private var source: EventSource?
  /// When it was last looked at as a whole: what is not known since then was not ready.
  private var seenUntil = Clock.sinceBoot

  /// The set of a priority; the first that asks makes it.
  static func of(priority: Int64) throws(SystemError) -> ReadySet {
    if let set = sets[priority] { return set }
    let set = try ReadySet(priority: priority)
    sets[priority] = set
    return set
  }

  private init(priority: Int64) throws(SystemError) {
    epoll = try OwnedDescriptor(epoll_create1(CInt(EPOLL_CLOEXEC)), call: "epoll_create1")
    let number = epoll.number
    source = try EventSource(owner: self, priority: priority, call: "sd_event_add_io") {
      sd_event_add_io(
        EventLoop.shared.event, $0, number, IOSource.Events.readable.rawValue, dispatchReady, $1)
    }
  }

  isolated deinit {
    ready.deallocate()
  }

  /// Watches a descriptor until ``remove(_:_:)``.
  func add(
    _ source: IOSource, _ descriptor: CInt, _ interest: IOSource.Events
  ) throws(SystemError) -> Token {
    let slot = free.popLast() ?? UInt32(slots.count)
    if slot == slots.count { slots.append(Slot()) }
    let token = Token(slot: slot, generation: slots[Int(slot)].generation)
    guard control(EPOLL_CTL_ADD, descriptor, interest, token) == 0 else {
      free.append(slot)
      throw SystemError("epoll_ctl")
    }
    slots[Int(slot)].source = source
    return token
  }

  /// Waits for something else from now on.
  func change(_ token: Token, _ descriptor: CInt, _ interest: IOSource.Events) {
    _ = control(EPOLL_CTL_MOD, descriptor, interest, token)
  }

  /// Forgets a source: also one whose turn would come next.
  func remove(_ token: Token, _ descriptor: CInt) {
    _ = control(EPOLL_CTL_DEL, descriptor, [], token)
    slots[Int(token.slot)].source = nil
    slots[Int(token.slot)].generation &+= 1
    free.append(token.slot)
  }

  private func control(
    _ operation: CInt, _ descriptor: CInt, _ interest: IOSource.Events, _ token: Token
  ) -> CInt {
    var event = epoll_event()
    event.events = interest.rawValue
    event.data.u64 = UInt64(token.generation) << 32 | UInt64(token.slot)
    return epoll_ctl(epoll.number, operation, descriptor, &event)
  }

  /// Calls the handlers of what is ready now, each once.
  fileprivate func dispatch() {
    EventLoop.shared.readySince = max(seenUntil, EventLoop.shared.sleptUntil)
    let now = Clock.sinceBoot
    let count = epoll_wait(epoll.number, ready.baseAddress, CInt(ready.count), 0)
    // Else some of what is ready waits for another turn.
    if count < ready.count { seenUntil = now }
    guard count > 1 else { return dispatch(ready[..<Int(max(0, count))]) }
    EventLoop.shared.endOfTurn.follows { dispatch(ready[..<Int(count)]) }
  }

  private func dispatch(_ events: Slice<UnsafeMutableBufferPointer<epoll_event>>) {
    for event in events {
      let slot = slots[Int(UInt32(truncatingIfNeeded: event.data.u64))]
      guard let source = slot.source, slot.generation == UInt32(event.data.u64 >> 32) else { continue }
      source.dispatch(IOSource.Events(rawValue: event.events))
    }
  }
}

private func dispatchReady(
  _: OpaquePointer?, _: CInt, _: UInt32, context: UnsafeMutableRawPointer?
) -> CInt {
  guard let context else { return 0 }
  let set = Unmanaged<ReadySet>.fromOpaque(context).takeUnretainedValue()
  EventLoopActor.assumeIsolated(with: set) { $0.dispatch() }
  return 0
}
