import EventLoop
import VarlinkServer
import VarlinkTransport

/// Lets everybody in, whoever sends: a service that has nothing to protect.
@EventLoopActor
final class AdmitsEverybody: Admission {
  func admit(_ peer: PeerCredentials, _ done: @escaping @EventLoopActor (AnyObject?) -> Void) {
    Task { done(nil) }
  }

  func judge(_ call: ServerCall) -> Verdict { .serve }

  func accountable(_ uid: UInt32) -> UInt32 { uid }
  func hasReserve(_ uid: UInt32) -> Bool { false }
}
