internal import AlbumAPI
internal import Glibc
public import Linux
public import Varlink
internal import VarlinkTransport

/// A connection to albumd that waits for its replies: what a command needs, and a thread can use.
///
/// Every failure is an ``AlbumError``. Replies come in the order of the calls, so while a stream is open
/// nothing else can be called: a program that watches and asks opens two. Not for two threads at once.
///
/// It is long because the interfaces have so many methods, a file of this for each kind; what they share is this one.
public final class AlbumConnection {
  /// The socket that this talks to.
  public let socketPath: String
  private let connection: ClientConnection

  /// Connects to the daemon.
  ///
  /// - Parameters:
  ///   - socket: the socket's path; where clients look by themselves when nil (``SocketPath``).
  ///   - language: of the person, such as `zh-Hans`, in which the daemon says what this program has no sentence for
  ///     (S89); nil for none.
  /// - Throws: an ``AlbumError`` that says where nobody listens and what to do about it.
  public init(socket: String? = nil, language: String? = nil) throws(AlbumError) {
    socketPath = SocketPath.find(explicit: socket)
    do throws(SystemError) { connection = try ClientConnection(path: socketPath) } catch {
      throw AlbumError(connecting: error, to: socketPath)
    }
    guard let language else { return }
    // Nothing waits for it, and a daemon that does not know it says nothing. Whether one is there the next call tells.
    let call = Call(
      method: AuthorizationInterface.SetLanguage.name, parameters: ["language": .string(language)],
      isOneway: true)
    try? connection.send(call)
  }

  /// Another descriptor of the connection's socket.
  func duplicateDescriptor() throws(SystemError) -> OwnedDescriptor {
    try OwnedDescriptor(
      fcntl(connection.descriptor, F_DUPFD_CLOEXEC, 3), call: "fcntl(F_DUPFD_CLOEXEC)")
  }

  /// Calls a method and waits for its one reply.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorBatch? = nil
  ) throws(AlbumError) -> (reply: Method.Reply, descriptors: DescriptorBatch) {
    do { return try connection.call(method, parameters, descriptors: descriptors) } catch {
      throw AlbumError(error, place: method.name)
    }
  }

  /// Calls a method without waiting. The replies are read from the stream.
  ///
  /// - Parameter wantsMore: false for a method with one reply, which is then awaited beside other things.
  public func stream<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, wantsMore: Bool = true,
    descriptors: DescriptorBatch? = nil
  ) throws(AlbumError) -> AlbumStream<Method> {
    do {
      try connection.send(try Call(method, parameters, wantsMore: wantsMore), descriptors: descriptors)
    } catch { throw AlbumError(error, place: method.name) }
    return AlbumStream(connection: connection)
  }
}
