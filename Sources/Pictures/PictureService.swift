internal import CPictures
internal import Glibc
package import Linux
internal import PictureAPI
internal import Varlink
internal import VarlinkTransport

/// `io.albumd.Pictures` over one socket, until the other side closes it: one call at a time, in turn.
package final class PictureService {
  private let socket: OwnedDescriptor
  private var reader = MessageReader(limit: PictureService.longestCall, descriptors: .received)
  private var writer = MessageWriter()
  private var session = ServerSession()

  /// A call is a few words and a descriptor.
  private static let longestCall = 4096
  /// What one file may take. A signal ends the process after that.
  private static let patience = (seconds: UInt32(30), processor: UInt32(15))

  /// Serves on a connected socket.
  package init(on socket: consuming OwnedDescriptor) {
    self.socket = socket
  }

  /// Serves until the end of the connection.
  ///
  /// - Throws: what the other side did wrong, or the system.
  package func run() throws {
    while true {
      if let (action, descriptors) = try next() {
        switch action {
        case .serve(let call): try serve(call, descriptors)
        case .close(let violation): throw violation
        }
        continue
      }
      switch try reader.fill(from: socket.number) {
      case .read: break
      case .wouldBlock, .descriptors: try wait(for: Int16(POLLIN))
      case .endOfStream: return
      }
    }
  }

  private func next() throws -> (ServerSession.CallAction, DescriptorBatch)? {
    try reader.next { message, arrival in
      (session.received(message), arrival.descriptors ?? DescriptorBatch())
    }
  }

  private func serve(_ call: Call, _ descriptors: DescriptorBatch) throws {
    pictures_set_deadline(Self.patience.seconds, Self.patience.processor)
    let answer = try self.answer(to: call, descriptors)
    pictures_set_deadline(0, 0)
    switch session.reply(continues: false) {
    case .send, .sendAndFinish: try send(answer)
    case .drop, .dropAndFinish: break
    }
  }

  private func answer(to call: Call, _ descriptors: DescriptorBatch) throws -> [UInt8] {
    guard call.method == PicturesInterface.Describe.name else {
      return try Reply.encoded(MethodNotFound(method: call.method))
    }
    let parameters: PicturesInterface.Describe.Parameters
    do { parameters = try PicturesInterface.Describe.read(call.parameters) } catch is DecodingError {
      return try Reply.encoded(InvalidParameter(parameter: "fileDescriptor"))
    }
    guard let file = descriptors.take(parameters.fileDescriptor) else {
      return try Reply.encoded(InvalidParameter(parameter: "fileDescriptor"))
    }
    let description: PicturesInterface.Description
    do throws(PicturesInterface.Unreadable) { description = try OpenPicture.describe(file) } catch {
      return try Reply.encoded(error)
    }
    return try Reply.encoded(PicturesInterface.Describe.Reply(description: description))
  }

  private func send(_ message: [UInt8]) throws {
    try writer.send(message, to: socket.number)
    while !writer.isEmpty {
      try wait(for: Int16(POLLOUT))
      try writer.flush(to: socket.number)
    }
  }

  private func wait(for events: Int16) throws(SystemError) {
    var request = pollfd(fd: socket.number, events: events, revents: 0)
    try retryingInterrupts("poll") { poll(&request, 1, -1) }
  }
}
