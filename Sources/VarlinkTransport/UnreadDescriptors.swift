/// The descriptors that were sent on a connection and that its peer is not known to have read.
///
/// Until then they are in flight: the kernel counts them against the user that sent them, and refuses that user every further
/// one beyond RLIMIT_NOFILE (ETOOMANYREFS, unix(7)), on whichever connection. So one peer that reads nothing could take the
/// room of all.
///
/// What is known is how much memory the peer's queue takes (SIOCOUTQ, tcp(7)). It is read in order, and takes at least as much
/// memory as it has bytes.
public struct UnreadDescriptors: Hashable, Sendable {
  /// So many may be unread.
  public let most: Int
  /// So many are not known to have been read.
  public private(set) var count = 0
  /// Bytes that were sent after the last of them.
  private var bytesSince = 0

  /// Of a connection on which nothing was sent.
  public init(most: Int) {
    self.most = most
  }

  /// Whether so many may be sent now; of what comes alone, any number.
  public func hasRoom(for count: Int) -> Bool { self.count == 0 || self.count + count <= most }

  /// Whether there is no room for one more beside so many that are to be sent.
  public func isFull(with count: Int) -> Bool { self.count + count >= most }

  /// The kernel has taken bytes, and descriptors with the first of them.
  public mutating func sent(bytes: Int, descriptors: Int) {
    count += descriptors
    bytesSince = descriptors > 0 ? 0 : bytesSince + bytes
  }

  /// What the peer has not read takes so many bytes of memory.
  public mutating func peerHolds(_ memory: Int) {
    // With the last of them unread it would take more than what came after it.
    if memory <= bytesSince { count = 0 }
  }
}
