public import EventLoop
public import VarlinkTransport

/// Who may connect, and whose messages count: what the service must find out before it believes a peer.
@EventLoopActor
public protocol Admission: AnyObject {
  /// Finds out about a peer what the service needs to know, and hands it over: the attachment of its connection,
  /// of which nothing is read before. It may take its time, others do not wait for it; never before this returns.
  func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void)

  /// Judges a call by who sent it (``ServerCall/sender``), which may be somebody else than who connected.
  func judge(_ call: ServerCall) -> Verdict

  /// Whose quota a user's connections count against: a user's subordinate ids (subuid(5)) are that user's.
  func accountable(_ uid: UInt32) -> UInt32

  /// Whether room is kept for a user when all others have taken theirs: an owner must be able to look.
  func hasReserve(_ uid: UInt32) -> Bool
}

/// What becomes of a call when it was read.
public enum Verdict {
  /// It is served.
  case serve
  /// It is answered with an error.
  case refuse(any Error)
  /// That is told later, by ``ServerCall/judged(_:)`` and never before the verdict was returned. Nothing else is read from its connection until then.
  case wait
}
