import EventLoop
import VarlinkServer
import VarlinkTransport

/// Lets everybody in at once, unless a test says otherwise.
@EventLoopActor
final class TestAdmission: Admission {
  /// Who waits to be let in, where the test lets in.
  var waiting: [@EventLoopActor (AnyObject?) -> Void] = []
  var holdsBack = false
  /// What answers calls of others than those who connected.
  var refusal: (any Error)?
  private(set) var judged: [MessageSender] = []
  var owner: UInt32?
  var hasReserve = false

  nonisolated init() {}

  func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
    if holdsBack { waiting.append(done) } else { Task { done(nil) } }
  }

  func judge(_ call: ServerCall) -> Verdict {
    if case .process(let sender) = call.sender, sender.pid == call.connection.peer.pid { return .serve }
    judged.append(call.sender)
    let refusal = refusal
    Task { call.judged(refusal) }
    return .wait
  }

  func accountable(_ uid: UInt32) -> UInt32 { owner ?? uid }
  func hasReserve(_ uid: UInt32) -> Bool { hasReserve }
}
