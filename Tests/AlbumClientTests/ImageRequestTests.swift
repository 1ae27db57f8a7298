import AlbumAPI
import Foundation
import Glibc
import Linux
import TestSupport
import Testing
import VarlinkTransport

@testable import AlbumClient

@Suite("What the client library asks for pictures", .blocking, .timeLimit(.minutes(30)))
struct ImageRequestTests {
  /// Where a daemon would be: it takes connections, and reads one message of any of them at a time.
  private final class Peers {
    private let listener: OwnedDescriptor
    private var ends: [OwnedEnd] = []

    private final class OwnedEnd {
      let socket: OwnedDescriptor
      var bytes: [UInt8] = []

      init(_ socket: consuming OwnedDescriptor) { self.socket = socket }
    }

    init(_ path: String) throws { listener = try UnixSocket.listen(at: path) }

    /// The next message, and by what to answer it.
    func next() throws -> (parameters: [String: Any], answer: (String) -> Void) {
      while true {
        for end in ends {
          guard let last = end.bytes.firstIndex(of: 0) else { continue }
          let message = Data(end.bytes[..<last])
          end.bytes.removeFirst(last + 1)
          let object = try #require(try JSONSerialization.jsonObject(with: message) as? [String: Any])
          return (
            object["parameters"] as? [String: Any] ?? [:],
            { text in
              let reply = text + "\0"
              #expect(write(end.socket.number, reply, reply.utf8.count) == reply.utf8.count)
            }
          )
        }
        var waits = [pollfd(fd: listener.number, events: Int16(POLLIN), revents: 0)]
        waits += ends.map { pollfd(fd: $0.socket.number, events: Int16(POLLIN), revents: 0) }
        guard poll(&waits, nfds_t(waits.count), -1) > 0 else { continue }
        for (end, wait) in zip(ends, waits.dropFirst()) where wait.revents != 0 {
          var part = [UInt8](repeating: 0, count: 65_536)
          let count = read(end.socket.number, &part, part.count)
          if count > 0 { end.bytes += part[..<count] }
          if count == 0 { ends.removeAll { $0 === end } }
        }
        if waits[0].revents != 0, let peer = try UnixSocket.accept(from: listener.number) {
          ends.append(OwnedEnd(peer))
        }
      }
    }
  }

  private func asset(_ id: String, _ width: Int, _ height: Int) -> Asset {
    var asset = Asset(
      id: id, filename: "\(id).jpg", albums: [], mediaType: .image, byteCount: 1,
      created: .init(microseconds: 0), modified: .init(microseconds: 0), resources: [.photo], offline: false)
    (asset.pixelWidth, asset.pixelHeight) = (width, height)
    return asset
  }

  @Test("S54: pictures are prepared in the order in which they are asked for, of whatever size each is")
  func order() throws {
    let scratch = try TemporaryDirectory()
    let peers = try Peers(scratch.path + "/s")
    let images = ImageManager(PhotoLibrary(socketPath: scratch.path + "/s"))
    // To fill 100 by 50, each shape needs another size.
    let shapes = [(400, 200), (400, 200), (400, 800), (400, 1200), (400, 200), (400, 800), (400, 800)]
    let assets = shapes.enumerated().map { asset("\($0)", $1.0, $1.1) }
    let many = (7..<47).map { asset("\($0)", 400, 200) }
    images.startCachingImages(
      for: assets + many, targetSize: ImageSize(width: 100, height: 50), contentMode: .aspectFill)
    var told: [(ids: [String], pixels: Int)] = []
    while told.reduce(0, { $0 + $1.ids.count }) < 47 {
      let (parameters, answer) = try peers.next()
      told.append((parameters["ids"] as? [String] ?? [], parameters["pixels"] as? Int ?? 0))
      answer(#"{"parameters":{"completed":1}}"#)
    }
    #expect(told.flatMap(\.ids) == (0..<47).map(String.init))
    #expect(told.prefix(5).map(\.ids) == [["0", "1"], ["2"], ["3"], ["4"], ["5", "6"]])
    #expect(told.map(\.pixels) == [100, 200, 300, 100, 200, 100, 100])
    withExtendedLifetime(images) {}
  }

  @Test("S54: what is prepared is what a request with the same options ends with")
  func preparedAsRequested() throws {
    let scratch = try TemporaryDirectory()
    let peers = try Peers(scratch.path + "/s")
    let images = ImageManager(PhotoLibrary(socketPath: scratch.path + "/s"))
    let modes: [ImageRequestOptions.DeliveryMode] = [.fastFormat, .opportunistic, .highQualityFormat]
    for (number, mode) in modes.enumerated() {
      images.startCachingImages(
        for: [asset("\(number)", 4000, 2000)], targetSize: ImageSize(width: 1000, height: 1000),
        options: .init(deliveryMode: mode))
      let (parameters, answer) = try peers.next()
      #expect(parameters["pixels"] as? Int == (mode == .fastFormat ? 256 : 1000))
      answer(#"{"parameters":{"completed":1}}"#)
    }
    withExtendedLifetime(images) {}
  }

  @Test("S54: a request that was ended while it waited for others is not made")
  func cancelled() async throws {
    let scratch = try TemporaryDirectory()
    let peers = try Peers(scratch.path + "/s")
    let images = ImageManager(PhotoLibrary(socketPath: scratch.path + "/s"))
    func request(_ id: String) -> Task<Void, Never> {
      let stream = images.requestImage(
        for: asset(id, 400, 200), targetSize: ImageSize(width: 100, height: 50),
        options: .init(deliveryMode: .highQualityFormat))
      return Task { do { for try await _ in stream {} } catch {} }
    }
    func next() throws -> (id: String, answer: () -> Void) {
      let (parameters, answer) = try peers.next()
      let id = parameters["id"] as? String ?? ""
      let reply =
        #"{"error":"io.albumd.Library.PreviewUnavailable","parameters":{"id":"\#(id)","reason":"busy"}}"#
      return (id, { answer(reply) })
    }
    let first = (0..<4).map { request("first\($0)") }
    let waiting = try first.map { _ in try next() }
    #expect(Set(waiting.map(\.id)) == ["first0", "first1", "first2", "first3"])
    let others = (0..<16).map { request("ended\($0)") }
    // They come to wait meanwhile, or have not begun: neither is made.
    for _ in 0..<100 { await Task.yield() }
    for task in others { task.cancel() }
    for task in others { await task.value }
    for one in waiting { one.answer() }
    for task in first { await task.value }
    let last = (0..<4).map { request("last\($0)") }
    for _ in last {
      let (id, answer) = try next()
      #expect(id.hasPrefix("last"))
      answer()
    }
    for task in last { await task.value }
  }
}
