internal import CLinux
internal import Glibc

/// Gives messages to the kernel, and has those with descriptors wait where the peer leaves too many unread.
struct DescriptorGate {
  /// What the peer has not read; nil where that is not counted, and none waits.
  private(set) var unread: UnreadDescriptors?
  /// Whether the message that came last waits: for its peer, or for room of the kernel's.
  private(set) var isShut = false
  /// sendmsg(2) with descriptors, unless a test says otherwise.
  var give: (CInt, UnsafeRawPointer?, Int, UnsafePointer<CInt>?, Int) -> Int = linux_send_descriptors

  init(mostUnread: Int?) {
    unread = mostUnread.map { UnreadDescriptors(most: $0) }
  }

  /// As sendmsg(2), and EAGAIN as well for what waits.
  mutating func send(_ bytes: UnsafeRawBufferPointer, _ numbers: [CInt], to socket: CInt) -> Int {
    isShut = !hasRoom(for: numbers.count, on: socket)
    guard !isShut else { return again() }
    let sent =
      numbers.isEmpty
      ? Glibc.send(socket, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      : give(socket, bytes.baseAddress, bytes.count, numbers, numbers.count)
    if sent >= 0 {
      unread?.sent(bytes: sent, descriptors: numbers.count)
    } else if errno == ETOOMANYREFS, unread != nil {
      // Others, of whom some may be no peers of this process, leave too many unread.
      isShut = true
      return again()
    }
    return sent
  }

  /// Whether one more would wait for the peer to read, beside so many that are to be sent.
  mutating func isFull(with count: Int, on socket: CInt) -> Bool {
    guard unread?.isFull(with: count) == true else { return false }
    unread?.peerHolds(UnixSocket.unreadMemory(of: socket))
    return unread?.isFull(with: count) ?? false
  }

  private func again() -> Int {
    errno = EAGAIN
    return -1
  }

  private mutating func hasRoom(for count: Int, on socket: CInt) -> Bool {
    guard count > 0, unread?.hasRoom(for: count) == false else { return true }
    unread?.peerHolds(UnixSocket.unreadMemory(of: socket))
    return unread?.hasRoom(for: count) ?? true
  }
}
