internal import AlbumClient
internal import Glibc
internal import Varlink

/// A signal that ends the program came while a reply was awaited.
struct Interrupted: Error {}

/// Calls of a program that has blocked its signals: they are taken while a reply is awaited, for a daemon that
/// has stopped may never give one.
struct InterruptibleCalls {
  private let signals: CInt
  private let endsBySignal: () -> Bool

  /// - Parameters:
  ///   - signals: readable when a signal came, for poll(2).
  ///   - endsBySignal: takes the signals that came, if any; whether one ended the program, now or before.
  init(signals: CInt, endsBySignal: @escaping () -> Bool) {
    self.signals = signals
    self.endsBySignal = endsBySignal
  }

  /// Calls a method with one reply and waits for it.
  ///
  /// - Throws: ``AlbumClient/AlbumError``; ``Interrupted``.
  func call<Method: VarlinkMethod>(
    _ connection: AlbumConnection, _ method: Method.Type, _ parameters: Method.Parameters
  ) throws -> Method.Reply {
    let stream = try connection.stream(method, parameters, wantsMore: false)
    // A call without `more` has a reply or an error: nil does not come.
    guard let reply = try first(of: stream) else { throw Interrupted() }
    return reply
  }

  /// The first reply of a stream, awaited. Those after it come with it.
  func first<Method: VarlinkMethod>(of stream: AlbumStream<Method>) throws -> Method.Reply? {
    while !stream.mayHaveReply {
      // Also one that was taken before this call.
      if endsBySignal() { throw Interrupted() }
      var requests = [
        pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stream.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      try Poll.wait(&requests)
      if requests[1].revents != 0 { break }
    }
    return try stream.next()
  }
}
