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

  /// Has the kernel tell who sends each message; on a listener, for every connection that it accepts from then on.
  public static func tellSenders(of descriptor: CInt) throws(SystemError) {
    guard linux_tell_senders(descriptor) == 0 else { throw SystemError("setsockopt(SO_PASSCRED)") }
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

  /// Ends a connection, for its peer at once. What the peer sent and nobody received is closed with the socket:
  /// descriptors, whose close(2) may wait for as long as the peer likes. Then `closer` does it.
  public static func close(_ socket: consuming OwnedDescriptor, by closer: DescriptorCloser) {
    // From here on nothing can be added to what is unread.
    shutdown(socket.number, CInt(SHUT_RDWR))
    var byte: UInt8 = 0
    var hasDescriptors: CInt = 0
    guard linux_peek(socket.number, &byte, 1, &hasDescriptors, nil) > 0 else { return }
    closer.close([socket.take()])
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
