import EventLoop
import Glibc
import Linux
import TestSupport
import Testing
import VarlinkTransport

/// A connection of which the last close(2) waits for an hour, or until ``end()``: what was written to it is not
/// read, and it lingers (SO_LINGER, socket(7)). Every process may make one, and send it.
///
/// A child would inherit both ends. Once the service has closed its own, the child's close(2) is the last, and waits
/// for ever for a process that cannot go on before it has: so none is started (``StartingNoProcess``).
final class LingeringSocket {
  private var near: CInt?
  private var far: CInt?

  init() throws {
    try #require(StartOfProcesses.isPrevented)
    let listener = try OwnedDescriptor(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0), call: "socket")
    let near = try OwnedDescriptor(socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0), call: "socket")
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isConnected = withUnsafeMutableBytes(of: &address) { bytes in
      guard let pointer = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self) else { return false }
      return bind(listener.number, pointer, size) == 0 && listen(listener.number, 1) == 0
        && getsockname(listener.number, pointer, &size) == 0 && connect(near.number, pointer, size) == 0
    }
    try #require(isConnected)
    far = try OwnedDescriptor(accept(listener.number, nil, nil), call: "accept").take()
    try near.makeNonBlocking()
    let bytes = [UInt8](repeating: 0, count: 1 << 16)
    while write(near.number, bytes, bytes.count) > 0 {}
    var hour = linger(l_onoff: 1, l_linger: 3600)
    let result = setsockopt(
      near.number, SOL_SOCKET, SO_LINGER, &hour, socklen_t(MemoryLayout<linger>.size))
    try #require(result == 0 && fcntl(near.number, F_SETFL, 0) == 0)
    self.near = near.take()
  }

  deinit {
    end()
    if let near { _ = OwnedDescriptor(owning: near) }
  }

  /// Sends it with a message, and keeps none: the receiver's is the last, because this is one turn of the loop, and
  /// the service receives in another. Otherwise this close(2) may be the one that waits, for who is to call ``end()``.
  @EventLoopActor
  func send(with message: [UInt8], to peer: Peer, flags: CInt = 0) throws {
    let descriptor = OwnedDescriptor(owning: try #require(near))
    near = nil
    #expect(sendDescriptor(descriptor.number, with: message, to: peer.number, flags: flags) == message.count)
  }

  /// The other end goes: who waits in close(2) waits no longer.
  func end() {
    if let far { _ = OwnedDescriptor(owning: far) }
    far = nil
  }
}

/// Lets no test start a process meanwhile.
struct StartingNoProcess: TestTrait, TestScoping {
  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await StartOfProcesses.prevented(function)
  }
}

extension Trait where Self == StartingNoProcess {
  static var startingNoProcess: Self { Self() }
}

/// sendmsg(2) with one descriptor and any flags.
private func sendDescriptor(_ descriptor: CInt, with bytes: [UInt8], to socket: CInt, flags: CInt) -> Int {
  // CMSG_SPACE(sizeof(int)), cmsg(3).
  var control = [UInt8](repeating: 0, count: 24)
  control.withUnsafeMutableBytes { buffer in
    buffer.storeBytes(of: 20, toByteOffset: 0, as: Int.self)
    buffer.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: CInt.self)
    buffer.storeBytes(of: 1, toByteOffset: 12, as: CInt.self)
    buffer.storeBytes(of: descriptor, toByteOffset: 16, as: CInt.self)
  }
  var bytes = bytes
  return bytes.withUnsafeMutableBytes { data in
    control.withUnsafeMutableBytes { control in
      var vector = iovec(iov_base: data.baseAddress, iov_len: data.count)
      return withUnsafeMutablePointer(to: &vector) { vector in
        var message = msghdr()
        message.msg_iov = vector
        message.msg_iovlen = 1
        message.msg_control = control.baseAddress
        message.msg_controllen = control.count
        return sendmsg(socket, &message, flags)
      }
    }
  }
}
