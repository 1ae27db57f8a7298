internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import VarlinkServer
internal import VarlinkTransport

/// Who may connect to the daemon, and whose messages count.
@EventLoopActor
final class PeerAdmission: Admission {
  private let identification: Identification
  private let evidence: EvidenceLanes
  private let senders: SenderCheck

  init(identification: Identification, reader: any EvidenceReader) {
    self.identification = identification
    evidence = EvidenceLanes(reader) { identification.accountable($0) }
    senders = SenderCheck(identification, evidence)
  }

  func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
    PeerSession.begin(peer, evidence, done: done)
  }

  func judge(_ call: ServerCall) -> Verdict { senders.judge(call) }

  func accountable(_ uid: UInt32) -> UInt32 { identification.accountable(uid) }

  func hasReserve(_ uid: UInt32) -> Bool { uid == 0 || identification.owners.isOwner(uid) }
}
