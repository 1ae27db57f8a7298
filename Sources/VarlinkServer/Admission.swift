public import EventLoop
public import VarlinkTransport

/// Who may connect, and whose messages count: what the service must find out before it believes a peer.
@EventLoopActor
public protocol Admission: AnyObject {
  /// Finds out about a peer what the service needs to know, and hands it over: the attachment of its connection,
  /// of which nothing is read before. It may take its time, others do not wait for it; never before this returns.
  func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void)

  /// Finds out whether a message counts that was not, or not only, written by the process that connected.
  ///
  /// - Parameter done: given the error that answers the call instead; `nil` when it counts. Never before this returns.
  func judge(
    _ sender: MessageSender, on connection: ServerConnection,
    _ done: @escaping @EventLoopActor ((any Error)?) -> Void)

  /// Whose quota a user's connections count against: a user's subordinate ids (subuid(5)) are that user's.
  func accountable(_ uid: UInt32) -> UInt32

  /// Whether room is kept for a user when all others have taken theirs: an owner must be able to look.
  func hasReserve(_ uid: UInt32) -> Bool
}
