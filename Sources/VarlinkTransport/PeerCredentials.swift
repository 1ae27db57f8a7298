internal import CLinux
internal import Glibc
public import Linux

/// Who was at the other end when it connected, as the kernel says (SO_PEERCRED, unix(7)), pinned by a
/// pidfd so that a reused process id is never taken for it.
public final class PeerCredentials: Sendable {
  /// In this process's pid namespace; 0 when the peer is not visible there.
  public let pid: Int32
  /// The effective user id.
  public let uid: UInt32
  /// The effective group id.
  public let gid: UInt32
  /// SO_PEERPIDFD, or pidfd_open(2) where the kernel lacks it.
  private let process: OwnedDescriptor?

  /// Reads the credentials of a connected socket.
  ///
  /// A process that is not visible here or has gone already leaves them without a pin.
  ///
  /// - Throws: ``Linux/SystemError`` when the kernel tells nothing at all.
  public init(of socket: CInt) throws(SystemError) {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    guard linux_peer_credentials(socket, &pid, &uid, &gid) == 0 else {
      throw SystemError("getsockopt(SO_PEERCRED)")
    }
    self.pid = pid
    self.uid = uid
    self.gid = gid
    var pinned = linux_peer_pidfd(socket)
    if pinned < 0, errno == ENOPROTOOPT, pid > 0 { pinned = linux_pidfd_open(pid, 0) }
    process = pinned >= 0 ? OwnedDescriptor(owning: pinned) : nil
  }

  /// Whether the process is pinned and still runs. What was read about its pid *before* this said yes was
  /// about it and no other.
  public var isAlive: Bool {
    guard let processDescriptor else { return false }
    var request = pollfd(fd: processDescriptor, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) == 0
  }

  /// The pidfd, readable once the process has ended (pidfd_open(2)); it stays this object's.
  public var processDescriptor: CInt? {
    switch process {
    case .some(let process): process.number
    case .none: nil
    }
  }
}
