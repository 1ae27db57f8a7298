internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

/// Judges each call by who sent it: docs/decisions/0021-who-sends.md.
///
/// A connection is a descriptor, which can be handed on, and a process can become another program. So what counts is
/// that the sender is the process that connected, and still the same app; another process of the same app; or root,
/// which could be any of them.
@EventLoopActor
final class SenderCheck {
  private let identification: Identification
  private let evidence: EvidenceLanes

  init(_ identification: Identification, _ evidence: EvidenceLanes) {
    self.identification = identification
    self.evidence = evidence
  }

  func judge(_ call: ServerCall) -> Verdict {
    // Asking for a status gives nothing and never waits (S5): whoever does is taken for who connected.
    if case .process(let sender) = call.sender, sender.pid == call.connection.peer.pid,
      Self.asksForStatus(call)
    {
      return .serve
    }
    if Self.isHarmless(call) { return .serve }
    switch call.sender {
    case .untold:
      return call.connection.isHandedOver
        ? .serve : .refuse(refusal("the kernel does not tell who has sent this"))
    case .several: return .refuse(refusal("two processes have sent this together"))
    case .process(let sender):
      if sender.pid == call.connection.peer.pid { return judgePeer(call) }
      return sender.uid == 0 ? .serve : judge(call, by: sender)
    }
  }

  private nonisolated static let status = ByteKey(AuthorizationInterface.GetStatus.name)

  /// As bytes: whether there is a method of that name was not looked at yet, and marks that have to be put in order cost
  /// what their sender likes.
  private static func asksForStatus(_ call: ServerCall) -> Bool { ByteKey(call.call.method) == status }

  /// What everybody is told.
  private static func isHarmless(_ call: ServerCall) -> Bool {
    // Nearly every other name begins otherwise, and comparing the rest of it costs more than that.
    call.call.method.utf8.first == UInt8(ascii: "o")
      && call.call.method.utf8.starts(with: "org.varlink.service.".utf8)
  }

  /// The process that connected: whether it is still the program that was looked at.
  private func judgePeer(_ call: ServerCall) -> Verdict {
    let session = call.session
    // Without evidence there is no identity, which every service says itself.
    guard let process = session.process else { return .serve }
    switch process.look() {
    case .same: return .serve
    case .ended: return .refuse(refusal("its process ended before its call was read"))
    case .another:
      evidence.read(process.credentials) { [identification] read in
        session.became(read, by: identification)
        call.judged(nil)
      }
      return .wait
    }
  }

  private func judge(_ call: ServerCall, by sender: SenderCredentials) -> Verdict {
    let session = call.session
    if let deputy = session.deputy, deputy.isStill(sender, identification) {
      return deputy.refusal.map { .refuse(refusal($0.reason)) } ?? .serve
    }
    guard session.process != nil else { return .serve }
    let credentials = PeerCredentials(of: sender, earliest: call.connection.waitingSince)
    evidence.read(credentials) { [identification] read in
      let refused = session.look(at: sender, read, by: identification)
      call.judged(refused.map { refusal($0.reason) })
    }
    return .wait
  }
}

private func refusal(_ reason: String) -> AuthorizationInterface.UnidentifiedPeer {
  AuthorizationInterface.UnidentifiedPeer(reason: reason)
}
