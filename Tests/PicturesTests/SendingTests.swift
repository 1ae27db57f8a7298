import Glibc
import Linux
import PictureAPI
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@Suite("What others of the same user do", .blocking, .timeLimit(.minutes(5))) struct SendingTests {
  /// A socket on which so many descriptors are that nobody has received.
  private final class OnTheirWay {
    private let near, far: OwnedDescriptor

    init(_ count: Int) throws {
      var ends: [CInt] = [-1, -1]
      guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0, &ends) == 0
      else {
        throw SystemError("socketpair")
      }
      near = OwnedDescriptor(owning: ends[0])
      far = OwnedDescriptor(owning: ends[1])
      var writer = MessageWriter()
      for _ in 0..<count {
        let batch = DescriptorBatch()
        _ = batch.append(try OwnedDescriptor(dup(near.number), call: "dup"))
        try writer.send([0], descriptors: batch, to: near.number)
      }
    }
  }

  @Test(
    "S52: one who sends descriptors that nobody receives makes a preview late, and ends no reader",
    .enabled(if: geteuid() == 0, "only root sees what a reader has open: nothing is tested here"))
  func late() throws {
    let process = try PictureProcess("albumd-pictures")
    let path = try Corpus.shared.get().path("plain.jpg")
    var others: OnTheirWay? = try OnTheirWay(100)
    let batch = DescriptorBatch()
    let file = try OwnedDescriptor(open(path, O_RDONLY | O_CLOEXEC), call: "open", subject: path)
    let index = batch.append(file)
    let call = try Call(
      PicturesInterface.Render.self, .init(fileDescriptor: index, pixels: 64, square: false))
    var writer = MessageWriter()
    try writer.send(call.encoded(), descriptors: batch, to: process.socket)
    // It is made, and cannot be sent.
    while !process.hasMemoryFile, !isReadable(process.socket) { sched_yield() }
    #expect(!isReadable(process.socket))
    #expect(others != nil)
    others = nil
    var reply = [UInt8](repeating: 0, count: 4096)
    let count = recv(process.socket, &reply, reply.count, 0)
    #expect(String(decoding: reply.prefix(max(0, count)), as: UTF8.self).contains("\"pixelWidth\":64"))
  }

  private func isReadable(_ socket: CInt) -> Bool {
    var request = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&request, 1, 0) > 0
  }
}
