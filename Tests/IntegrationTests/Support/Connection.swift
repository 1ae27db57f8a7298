import Glibc
import Linux
import Varlink
import VarlinkTransport

/// One connection to the daemon, on which every wait has an end.
final class Connection {
  private let socket: OwnedDescriptor
  private var reader = MessageReader(limit: 64 << 20, descriptors: .received)
  private var writer = MessageWriter()
  private var session = ClientSession<Void>()

  init(_ socket: consuming OwnedDescriptor) { self.socket = socket }

  convenience init(path: String) throws { self.init(try UnixSocket.connect(to: path)) }

  /// The socket, for poll(2); it stays this object's.
  var descriptor: CInt { socket.number }

  /// One reply and the descriptors that came with it.
  struct Answer {
    let reply: Reply
    let descriptors: DescriptorBatch

    /// The reply as the method's type; an error is thrown.
    func decoded<Method: VarlinkMethod>(_ method: Method.Type) throws -> Method.Reply {
      if let error = reply.error { throw RemoteError(name: error, parameters: reply.parameters) }
      return try JSONDecoding.decode(Method.Reply.self, from: .object(reply.parameters))
    }
  }

  // MARK: Typed

  /// Calls a method; an error of the service is thrown as `RemoteError`.
  @discardableResult
  func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorBatch? = nil
  ) throws -> Method.Reply {
    try send(Call(method, parameters), descriptors: descriptors)
    return try receive(method)
  }

  /// Begins a stream, or a call whose answer comes later.
  func begin<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, more: Bool = false
  ) throws {
    try send(Call(method, parameters, wantsMore: more))
  }

  /// The next reply of a call that was begun.
  func receive<Method: VarlinkMethod>(_ method: Method.Type) throws -> Method.Reply {
    try receive().decoded(method)
  }

  // MARK: Messages

  func send(_ call: Call, descriptors: DescriptorBatch? = nil) throws {
    session.sent(call, ())
    try sendBytes(call.encoded(), descriptors: descriptors)
  }

  /// A call whose answer is waited for here, and that another process is to send.
  func prepare(_ call: Call) -> [UInt8] {
    session.sent(call, ())
    return call.encoded()
  }

  /// Sends anything.
  func sendBytes(_ bytes: [UInt8], descriptors: DescriptorBatch? = nil) throws {
    try writer.send(bytes, descriptors: descriptors, to: socket.number)
    let deadline = Deadline.generous
    while !writer.isEmpty {
      try deadline.poll([socket.number], POLLOUT, for: "the daemon to read")
      try writer.flush(to: socket.number)
    }
  }

  /// Calls a method without waiting, as text.
  func send(_ method: String, _ parameters: JSONObject = [:], more: Bool = false) throws {
    try send(Call(method: method, parameters: parameters, wantsMore: more))
  }

  /// The next reply, error or not.
  func receive() throws -> Answer {
    let deadline = Deadline.generous
    while true {
      let next = try reader.next { message, arrival in
        (session.received(message), arrival.descriptors ?? DescriptorBatch())
      }
      if let (action, descriptors) = next {
        switch action {
        case .deliver(_, let reply), .finish(_, let reply):
          return Answer(reply: reply, descriptors: descriptors)
        case .close(let violation): throw violation
        }
      }
      switch try reader.fill(from: socket.number) {
      case .read: break
      case .wouldBlock, .descriptors: try deadline.poll([socket.number], for: "a reply")
      case .endOfStream: throw Closed()
      }
    }
  }

  /// Whether nothing was sent that was not received. After a round trip on any connection, what the
  /// daemon had to say before it is here.
  var isQuiet: Bool { !reader.holdsBytes && !isReady(socket.number) }

  /// A call that changes nothing: when it returns, what was sent before was dealt with.
  func roundTrip() throws { try call(ServiceInterface.GetInfo.self, .init()) }

  /// Waits until the daemon closes the connection.
  ///
  /// - Returns: the bytes that came before.
  func waitUntilClosed() throws -> [UInt8] {
    let deadline = Deadline.generous
    var received: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65536)
    while true {
      try deadline.poll([socket.number], for: "the daemon to close")
      let count = recv(socket.number, &buffer, buffer.count, 0)
      if count > 0 { received += buffer[..<count] }
      if count == 0 || count < 0 && errno == ECONNRESET { return received }
    }
  }

  /// Says that nothing more will be sent.
  func finishSending() { shutdown(socket.number, CInt(SHUT_WR)) }

  struct Closed: Error {}
}

/// The error that a call ends with.
func failure(_ body: () throws -> Void) throws -> RemoteError {
  do { try body() } catch let error as RemoteError { return error }
  throw DaemonProcess.Failure("the call succeeded")
}
