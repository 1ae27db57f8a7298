internal import CLinux
internal import Glibc
public import Linux

/// AF_UNIX stream sockets by path (unix(7)): made non-blocking and close-on-exec.
public enum UnixSocket {
  /// The longest path that fits an address, without its NUL.
  public static let maximumPathBytes = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

  /// Connects to a listening socket.
  ///
  /// - Throws: ``Linux/SystemError``: ENOENT nobody ever listened, ECONNREFUSED nobody listens any more,
  ///   EACCES not allowed, EAGAIN its queue is full.
  public static func connect(to path: String) throws(SystemError) -> OwnedDescriptor {
    let descriptor = try make()
    try withAddress(path, for: "connect") { (address, size) throws(SystemError) in
      try retryingInterrupts("connect", subject: path) { Glibc.connect(descriptor.number, address, size) }
    }
    return descriptor
  }

  /// Binds a new socket to `path` and listens.
  ///
  /// What stands at the path is left alone: EADDRINUSE.
  ///
  /// - Parameter mode: who may connect, as chmod(2).
  public static func listen(at path: String, mode: UInt32 = 0o666) throws(SystemError) -> OwnedDescriptor {
    let descriptor = try make()
    try withAddress(path, for: "bind") { (address, size) throws(SystemError) in
      try retryingInterrupts("bind", subject: path) { bind(descriptor.number, address, size) }
    }
    try retryingInterrupts("chmod", subject: path) { chmod(path, mode) }
    try retryingInterrupts("listen", subject: path) { Glibc.listen(descriptor.number, SOMAXCONN) }
    return descriptor
  }

  /// Takes the next waiting connection; `nil` when none waits or it went away again.
  ///
  /// - Throws: ``Linux/SystemError``: EMFILE and ENFILE when descriptors have run out, ENOMEM, ENOBUFS.
  public static func accept(from listener: CInt) throws(SystemError) -> OwnedDescriptor? {
    let descriptor = linux_accept(listener)
    if descriptor >= 0 { return OwnedDescriptor(owning: descriptor) }
    switch errno {
    // accept(2): errors of the new connection are passed on, and to be treated as "none".
    case EAGAIN, EINTR, ECONNABORTED, EPROTO: return nil
    default: throw SystemError("accept4")
    }
  }

  /// Whether a descriptor that was handed over listens (SO_ACCEPTCONN) or is connected already.
  public static func isListening(_ descriptor: CInt) -> Bool {
    var value: CInt = 0
    var size = socklen_t(MemoryLayout<CInt>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &size) == 0 && value != 0
  }

  /// Where a socket is bound (getsockname(2)); nil when it has no path.
  public static func path(of descriptor: CInt) -> String? {
    var address = sockaddr_un()
    var size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    guard result == 0, address.sun_family == sa_family_t(AF_UNIX) else { return nil }
    // Abstract names begin with a NUL, unix(7).
    let bytes = withUnsafeBytes(of: &address.sun_path) { Array($0.prefix { $0 != 0 }) }
    return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
  }

  /// Lets a socket tell who sends, as ``MessageReader/Descriptors/left`` needs it. Of a listening socket: the connections
  /// to it do, from their first byte.
  public static func tellSenders(_ socket: CInt) throws(SystemError) {
    try retryingInterrupts("setsockopt(SO_PASSCRED)") { linux_tell_senders(socket) }
  }

  /// Bytes of memory that what the peer has not read takes (SIOCOUTQ, tcp(7)), more than it has bytes; 0 once everything was
  /// read, or its last descriptor is closed.
  public static func unreadMemory(of socket: CInt) -> Int {
    let memory = linux_unread_memory(socket)
    return memory < 0 ? .max : Int(memory)
  }

  /// Ends a connection of a socket that tells senders for its peer, and throws away what is unread.
  ///
  /// - Returns: whether descriptors are among it, which only others may close: their close(2) waits for as long as the
  ///   peer likes.
  public static func hangUp(_ socket: CInt) -> Bool {
    // From here on nothing can be added to it.
    shutdown(socket, CInt(SHUT_RDWR))
    return withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { scratch in
      var hasDescriptors: CInt = 0
      var sender = linux_sender()
      while linux_pending(socket) > 0 {
        let count = linux_peek_sender(socket, scratch.baseAddress, scratch.count, &hasDescriptors, &sender)
        guard count > 0, hasDescriptors == 0 else { return true }
        guard recv(socket, scratch.baseAddress, count, CInt(MSG_DONTWAIT)) == count else { return true }
      }
      return false
    }
  }

  private static func make() throws(SystemError) -> OwnedDescriptor {
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    return try OwnedDescriptor(socket(AF_UNIX, type, 0), call: "socket")
  }

  private static func withAddress(
    _ path: String, for call: StaticString,
    _ body: (UnsafePointer<sockaddr>, socklen_t) throws(SystemError) -> Void
  ) throws(SystemError) {
    guard path.utf8.count <= maximumPathBytes, !path.utf8.contains(0) else {
      throw SystemError(call, code: ENAMETOOLONG, subject: path)
    }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> Result<Void, SystemError> in
        do throws(SystemError) {
          return .success(try body(address, socklen_t(MemoryLayout<sockaddr_un>.size)))
        } catch { return .failure(error) }
      }
    }
    try result.get()
  }
}
