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
  private var patience = (seconds: UInt32(60), processor: UInt32(15))
  /// The same where everybody else goes first: the processor's time alone says what hangs.
  private static let idlePatience = (seconds: UInt32(120), processor: UInt32(15))
  private let confinement: Confinement.Kind

  /// Serves on a connected socket.
  ///
  /// - Parameter confinement: what ``Confinement/enter(endingWith:)`` gave.
  package init(on socket: consuming OwnedDescriptor, in confinement: Confinement.Kind) {
    self.socket = socket
    self.confinement = confinement
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
    pictures_set_deadline(patience.seconds, patience.processor)
    let answer = try self.answer(to: call, descriptors)
    pictures_set_deadline(0, 0)
    switch session.reply(continues: false) {
    case .send, .sendAndFinish: try send(answer)
    case .drop, .dropAndFinish: break
    }
  }

  /// What answers a call: a message, and what goes with it.
  private struct Answer {
    var message: [UInt8]
    var descriptors: DescriptorBatch?
  }

  private func answer(to call: Call, _ descriptors: DescriptorBatch) throws -> Answer {
    do {
      switch call.method {
      case PicturesInterface.Begin.name: return Answer(message: try begin())
      case PicturesInterface.GiveWay.name: return Answer(message: try giveWay())
      case PicturesInterface.Describe.name: return try describe(call, descriptors)
      case PicturesInterface.FindPlaces.name: return try findPlaces(call, descriptors)
      case PicturesInterface.Render.name: return try render(call, descriptors)
      default: return Answer(message: try Reply.encoded(MethodNotFound(method: call.method)))
      }
    } catch let error as PicturesInterface.Unreadable {
      return Answer(message: try Reply.encoded(error))
    } catch is DecodingError { return Answer(message: try Reply.encoded(Self.noFile)) } catch let error
      as InvalidParameter
    {
      return Answer(message: try Reply.encoded(error))
    }
  }

  private static let noFile = InvalidParameter(parameter: "fileDescriptor")

  private func begin() throws -> [UInt8] {
    try Reply.encoded(PicturesInterface.Begin.Reply(landlock: confinement == .whole))
  }

  private func giveWay() throws -> [UInt8] {
    pictures_give_way()
    patience = Self.idlePatience
    return try Reply.encoded(PicturesInterface.GiveWay.Reply())
  }

  private func describe(_ call: Call, _ descriptors: DescriptorBatch) throws -> Answer {
    let parameters = try PicturesInterface.Describe.read(call.parameters)
    guard let file = descriptors.take(parameters.fileDescriptor) else { throw Self.noFile }
    let description = try OpenPicture.describe(file)
    return Answer(message: try Reply.encoded(PicturesInterface.Describe.Reply(description: description)))
  }

  private func findPlaces(_ call: Call, _ descriptors: DescriptorBatch) throws -> Answer {
    let parameters = try PicturesInterface.FindPlaces.read(call.parameters)
    guard let file = descriptors.take(parameters.fileDescriptor) else { throw Self.noFile }
    let overwritings = try OpenPicture.findPlaces(file)
    return Answer(
      message: try Reply.encoded(PicturesInterface.FindPlaces.Reply(overwritings: overwritings)))
  }

  private func render(_ call: Call, _ descriptors: DescriptorBatch) throws -> Answer {
    let parameters = try PicturesInterface.Render.read(call.parameters)
    guard 1...16384 ~= parameters.pixels else { throw InvalidParameter(parameter: "pixels") }
    guard let file = descriptors.take(parameters.fileDescriptor) else { throw Self.noFile }
    let picture = try OpenPicture.render(
      file, .init(pixels: parameters.pixels, isSquare: parameters.square, isPixmap: parameters.pixmap))
    let batch = DescriptorBatch()
    let (size, byteCount) = (picture.size, picture.byteCount)
    let encoding: PicturesInterface.Encoding =
      parameters.pixmap ? .pixmap : picture.isWebP ? .webp : .jpeg
    let reply = PicturesInterface.Render.Reply(
      fileDescriptor: batch.append(picture.take()), byteCount: byteCount, encoding: encoding,
      pixelWidth: size.width, pixelHeight: size.height)
    return Answer(message: try Reply.encoded(reply), descriptors: batch)
  }

  /// How often it is tried to send where others have too many descriptors on their way, and milliseconds between.
  private static let (tries, pause) = (500, CInt(10))

  private func send(_ answer: Answer) throws {
    writer.queue(answer.message, descriptors: answer.descriptors)
    var tries = 0
    while !writer.isEmpty {
      do throws(SystemError) { try writer.flush(to: socket.number) } catch {
        // What all processes of a user have sent and nobody has received yet counts together, against what this one may
        // have open (unix(7)). It tells nothing about the file, and nobody says when it is over.
        guard error.code == ETOOMANYREFS, tries < Self.tries else { throw error }
        tries += 1
        poll(nil, 0, Self.pause)
        continue
      }
      if !writer.isEmpty { try wait(for: Int16(POLLOUT)) }
    }
  }

  private func wait(for events: Int16) throws(SystemError) {
    var request = pollfd(fd: socket.number, events: events, revents: 0)
    try retryingInterrupts("poll") { poll(&request, 1, -1) }
  }
}
