public import Linux
public import Varlink
internal import VarlinkTransport

/// The replies to one call, in their order.
///
/// Dropping the stream does not end it at the daemon: close the connection for that.
public final class AlbumStream<Method: VarlinkMethod> {
  private let connection: ClientConnection
  private var isFinished = false

  init(connection: ClientConnection) {
    self.connection = connection
  }

  /// Waits for the next reply; nil after the last.
  public func next() throws(AlbumError) -> Method.Reply? { try nextWithFiles()?.reply }

  /// Waits for the next reply, and the open files that its fields name by index; nil after the last.
  public func nextWithFiles() throws(AlbumError) -> (reply: Method.Reply, files: DescriptorBatch)? {
    if isFinished { return nil }
    do {
      let answer = try connection.receive(Method.self)
      isFinished = !answer.continues
      return (answer.reply, answer.descriptors)
    } catch {
      isFinished = true
      throw AlbumError(error, place: Method.name)
    }
  }

  /// The method, for errors.
  var place: String { Method.name }

  /// The socket, for poll(2) beside other descriptors. Ask ``mayHaveReply`` first.
  public var descriptor: CInt { connection.descriptor }

  /// Whether bytes of a reply are here already, of which poll(2) knows nothing.
  public var mayHaveReply: Bool { connection.holdsBytes }
}
