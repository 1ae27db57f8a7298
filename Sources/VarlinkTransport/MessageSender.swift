/// Who wrote a message to a connection, as the kernel says of its bytes (SCM_CREDENTIALS, unix(7)).
///
/// That is not always who connected: a connection is handed on, or inherited.
public enum MessageSender: Hashable, Sendable {
  /// A process at the time of writing.
  public struct Credentials: Hashable, Sendable {
    /// Its number, in this process's pid namespace.
    public let pid: Int32
    /// Its effective user id.
    public let uid: UInt32
    /// Its effective group id.
    public let gid: UInt32

    /// Credentials.
    public init(pid: Int32, uid: UInt32, gid: UInt32) {
      self.pid = pid
      self.uid = uid
      self.gid = gid
    }
  }

  /// One process.
  case process(Credentials)
  /// Parts of it came from different ones.
  case several
  /// The kernel does not say: it was written before that was asked for, or by who cannot be seen from here.
  case untold
}
