import Glibc
import Linux
import Testing
import VarlinkTransport

/// The other end of a connection, as bytes: it may write what no client would.
final class Peer: Sendable {
  private let socket: OwnedDescriptor
  /// The service lasts as long as its peer.
  private let service: TestService

  init(_ socket: consuming OwnedDescriptor, of service: TestService) {
    self.socket = socket
    self.service = service
  }

  /// A peer, and the socket to be served. Both are non-blocking.
  static func pair(of service: TestService) throws -> (Peer, Far) {
    var numbers: [CInt] = [-1, -1]
    let type = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &numbers) == 0)
    // As a listening socket's connections do from their first byte.
    try UnixSocket.tellSenders(numbers[1])
    return (Peer(OwnedDescriptor(owning: numbers[0]), of: service), Far(number: numbers[1]))
  }

  /// The end that is served.
  struct Far: Sendable {
    let number: CInt
    func take() -> OwnedDescriptor { OwnedDescriptor(owning: number) }
  }

  var number: CInt { socket.number }

  /// Writes what the kernel takes now.
  ///
  /// - Returns: how many bytes; 0 when the service takes none at present, -1 when it has closed.
  func write(_ bytes: some Collection<UInt8>) -> Int {
    let bytes = Array(bytes)
    let count = bytes.withUnsafeBytes { send(socket.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    return count < 0 && errno == EAGAIN ? 0 : count
  }

  /// Writes everything, letting the loop go on in between.
  func writeAll(_ bytes: [UInt8]) async {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = write(rest)
      if count < 0 { return }
      rest = rest.dropFirst(count)
      if count == 0 { await TestService.turn() }
    }
  }

  /// What can be read now; `nil` at the end of the stream.
  func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = recv(socket.number, &buffer, buffer.count, 0)
    if count > 0 { return Array(buffer[..<count]) }
    return count < 0 && errno == EAGAIN ? [] : nil
  }

  /// Whether the stream ends within two minutes. A program that another test starts may hold the service's
  /// socket between fork and exec.
  func ends() -> Bool {
    var request = pollfd(fd: socket.number, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 600_000) == 1 && read() == nil
  }

  /// Reads so many messages, or until the stream ends.
  func messages(_ count: Int) async -> [String] {
    var bytes: [UInt8] = []
    var found = 0
    while found < count, let more = read() {
      if more.isEmpty { await TestService.turn() }
      found += more.count { $0 == 0 }
      bytes += more
    }
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Reads until the service has closed.
  func rest() async -> [String] { await messages(.max) }

  /// Sends a call and reads its one reply.
  func call(_ method: String, _ parameters: String = "{}", _ flags: String = "") async -> String {
    await writeAll(Self.call(method, parameters, flags))
    return await messages(1).first ?? "closed"
  }

  /// A call's message, its NUL included.
  static func call(_ method: String, _ parameters: String = "{}", _ flags: String = "") -> [UInt8] {
    Array(#"{"method":"org.example.test.\#(method)","parameters":\#(parameters)\#(flags)}"#.utf8) + [0]
  }

  /// Says that it writes no more.
  func closeWriting() { shutdown(socket.number, CInt(SHUT_WR)) }

  /// Closes both directions, as a process that ends.
  func close() { shutdown(socket.number, CInt(SHUT_RDWR)) }
}
