internal import EventLoop

extension Retry {
  /// What a peer has to make room for, which nothing tells of: tried after a millisecond, and after a second at most. A peer that
  /// never reads costs a look in a second, and one that does waits no longer than it has made others wait.
  static func forPeer(_ attempt: @escaping @EventLoopActor () -> Void) -> Retry {
    Retry(after: .milliseconds(1), atMost: .seconds(1), attempt)
  }
}
