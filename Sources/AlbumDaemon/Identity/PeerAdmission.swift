internal import AlbumAPI
internal import Authorization
internal import Configuration
internal import EventLoop
internal import VarlinkServer
internal import VarlinkTransport

/// Who may connect to the daemon, and whose messages count.
@EventLoopActor
final class PeerAdmission: Admission {
  private let identification: Identification

  init(identification: Identification) {
    self.identification = identification
  }

  func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
    PeerSession.begin(peer, done: done)
  }

  func judge(
    _ sender: MessageSender, on connection: ServerConnection,
    _ done: @escaping @EventLoopActor ((any Error)?) -> Void
  ) {
    let error = refusal(of: sender)
    Task { done(error) }
  }

  private func refusal(of sender: MessageSender) -> (any Error)? {
    switch sender {
    // Root could be any process.
    case .process(let process) where process.uid == 0: nil
    case .process(let process):
      AuthorizationInterface.UnidentifiedPeer(
        reason: "process \(process.pid) has sent it over the connection of another")
    case .several: AuthorizationInterface.UnidentifiedPeer(reason: "several processes have sent it")
    case .untold: AuthorizationInterface.UnidentifiedPeer(reason: "the kernel does not say who has sent it")
    }
  }

  func accountable(_ uid: UInt32) -> UInt32 { identification.subordinates.owner(of: uid) ?? uid }

  func hasReserve(_ uid: UInt32) -> Bool { uid == 0 || identification.owners.isOwner(uid) }
}
