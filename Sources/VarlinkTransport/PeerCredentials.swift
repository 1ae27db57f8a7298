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
  /// When its process was pinned by its number alone, which may have become another's since it connected; nil when the
  /// kernel itself had kept the process.
  public let pinning: LatePinning?
  /// SO_PEERPIDFD, or pidfd_open(2) where the kernel lacks it.
  private let process: OwnedDescriptor?

  /// Reads the credentials of a connected socket.
  ///
  /// A process that is not visible here or has gone already leaves them without a pin.
  ///
  /// - Parameters:
  ///   - earliest: before which it cannot have connected, CLOCK_BOOTTIME in microseconds; 0 when nobody knows.
  ///   - asksKernel: whether SO_PEERPIDFD is asked for; false is a kernel before 6.5.
  /// - Throws: ``Linux/SystemError`` when the kernel tells nothing at all.
  public init(of socket: CInt, earliest: UInt64 = 0, asksKernel: Bool = true) throws(SystemError) {
    var pid: Int32 = 0
    var uid: UInt32 = 0
    var gid: UInt32 = 0
    guard linux_peer_credentials(socket, &pid, &uid, &gid) == 0 else {
      throw SystemError("getsockopt(SO_PEERCRED)")
    }
    self.pid = pid
    self.uid = uid
    self.gid = gid
    errno = ENOPROTOOPT
    let pinned = asksKernel ? linux_peer_pidfd(socket) : -1
    if pinned < 0, errno == ENOPROTOOPT, pid > 0 {
      process = Self.pin(pid)
      pinning = LatePinning(earliest: earliest, latest: Clock.sinceBoot)
    } else {
      process = pinned >= 0 ? OwnedDescriptor(owning: pinned) : nil
      pinning = nil
    }
  }

  /// The process that sent a message.
  ///
  /// - Parameter earliest: before which it cannot have sent it.
  public init(of sender: SenderCredentials, earliest: UInt64) {
    pid = sender.pid
    uid = sender.uid
    gid = sender.gid
    process = pid > 0 ? Self.pin(pid) : nil
    pinning = LatePinning(earliest: earliest, latest: Clock.sinceBoot)
  }

  private static func pin(_ pid: Int32) -> OwnedDescriptor? {
    let number = linux_pidfd_open(pid, 0)
    return number >= 0 ? OwnedDescriptor(owning: number) : nil
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

/// A process was pinned by its number, some time after it had connected or sent: it must have been there before.
public struct LatePinning: Hashable, Sendable {
  /// Before which that cannot have been, CLOCK_BOOTTIME in microseconds.
  public let earliest: UInt64
  /// When the process was pinned.
  public let latest: UInt64

  /// Between these two.
  public init(earliest: UInt64, latest: UInt64) {
    self.earliest = earliest
    self.latest = latest
  }

  /// Microseconds in which no process id comes round again: 32,768 processes, the fewest that there are numbers for
  /// (proc_sys_kernel(5), `pid_max`), take longer.
  static let tooShort: UInt64 = 20_000

  /// Whether a process of that start may be another one, which got the number later.
  ///
  /// - Parameters:
  ///   - start: in ticks from boot: field 22 of proc_pid_stat(5).
  ///   - ticks: in a second. The process began at some time within one.
  public func mayBeAnother(startedAt start: UInt64, ticks: UInt64) -> Bool {
    guard latest > earliest, latest - earliest >= Self.tooShort else { return false }
    return (start + 1) * (1_000_000 / ticks) > earliest
  }
}
