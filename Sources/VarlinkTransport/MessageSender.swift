/// Who sent a message, as the kernel says of its bytes (SCM_CREDENTIALS, unix(7)): a connection may be handed on, and then
/// it is not who connected.
public enum MessageSender: Hashable, Sendable {
  /// Nobody had asked the kernel when it was sent, or the process is in a pid namespace that is not visible here.
  case untold
  /// This process.
  case process(SenderCredentials)
  /// One process the beginning, another one the rest.
  case several
}

/// A process that sends.
public struct SenderCredentials: Hashable, Sendable {
  /// In this process's pid namespace.
  public let pid: Int32
  /// Its real user id, or one that it may take.
  public let uid: UInt32
  /// Its real group id, or one that it may take.
  public let gid: UInt32

  /// What the kernel says.
  public init(pid: Int32, uid: UInt32, gid: UInt32) {
    self.pid = pid
    self.uid = uid
    self.gid = gid
  }
}
