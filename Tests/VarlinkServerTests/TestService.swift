import EventLoop
import Linux
import LoopTesting
import Varlink
import VarlinkServer

/// A service with one method for each way to answer.
enum TestInterface {
  static let definition = """
    interface org.example.test

    type Item (name: string, count: int)

    method Echo(text: string) -> (text: string)

    method Keep() -> ()

    method Sleep() -> ()

    # [Requires 'more' flag]
    method Stream(count: int, size: int) -> (text: string)

    method Take(fileDescriptor: int) -> ()

    method List(items: []Item) -> ()

    """

  struct Text: Codable, Sendable { var text: String }
  struct Stretch: Codable, Sendable {
    var count: Int
    var size: Int
  }
  struct Descriptor: Codable, Sendable { var fileDescriptor: Int }
  struct Items: Codable, Sendable {
    struct Item: Codable, Sendable {
      var name: String
      var count: Int
    }
    var items: [Item]
  }

  enum Echo: VarlinkMethod {
    static let name = "org.example.test.Echo"
    typealias Parameters = Text
    typealias Reply = Text
  }
  enum Keep: VarlinkMethod {
    static let name = "org.example.test.Keep"
    typealias Parameters = Empty
    typealias Reply = Empty
  }
  enum Sleep: VarlinkMethod {
    static let name = "org.example.test.Sleep"
    typealias Parameters = Empty
    typealias Reply = Empty
  }
  enum Stream: VarlinkMethod {
    static let name = "org.example.test.Stream"
    typealias Parameters = Stretch
    typealias Reply = Text
  }
  enum Take: VarlinkMethod {
    static let name = "org.example.test.Take"
    typealias Parameters = Descriptor
    typealias Reply = Empty
  }
  enum List: VarlinkMethod {
    static let name = "org.example.test.List"
    typealias Parameters = Items
    typealias Reply = Empty
  }
}

/// The service on the loop, and what its handlers saw.
@EventLoopActor
final class TestService {
  let server: VarlinkServer
  /// How many calls of Echo were served.
  private(set) var echoes = 0
  /// Which of them a text was.
  private(set) var places: [String: Int] = [:]
  /// Calls that Keep keeps without an answer.
  var kept: [ServerCall] = []
  /// What Keep does instead of keeping a call.
  var answering: (@EventLoopActor (ServerCall) -> Void)?
  /// What Keep does before it keeps a call.
  var beforeKeeping: (@EventLoopActor () -> Void)?
  /// How many handlers of Sleep were cancelled.
  private(set) var cancelled = 0
  /// How many replies Stream gave before its call was over.
  private(set) var streamed = 0
  var refusals: [String] { heard.refusals }
  private let heard: Heard
  /// What files were like that Take took.
  private(set) var taken: [Result<[UInt8], PeerFiles.Failure>] = []

  private final class Heard {
    var refusals: [String] = []
  }

  /// A porter of the service's own. It shares nothing but code with this process, which has threads.
  private static func porter(_ limits: Porter.Limits) -> Porter {
    do throws(SystemError) { return Porter(control: try Porter.fork(), limits: limits) } catch {
      fatalError("\(error)")
    }
  }

  init(
    admission: any Admission = TestAdmission(), porterLimits: Porter.Limits = Porter.Limits(),
    rewording: ErrorRewording? = nil, _ adjust: (inout VarlinkServer.Limits) -> Void = { _ in }
  ) {
    var limits = VarlinkServer.Limits()
    adjust(&limits)
    let heard = Heard()
    self.heard = heard
    server = VarlinkServer(
      identity: .init(vendor: "Example", product: "Test", version: "1", url: "https://example.org"),
      limits: limits, porter: Self.porter(porterLimits), admission: admission,
      failureText: { error, _ in "\(error)" }, rewording: rewording,
      onRefusal: { _, reason in heard.refusals.append(reason) })
    var interface = InterfaceImplementation(definition: TestInterface.definition)
    interface.on(TestInterface.Echo.self) { [unowned self] parameters, _ in
      echoes += 1
      if !parameters.text.isEmpty { places[parameters.text] = echoes }
      return parameters
    }
    interface.handle(TestInterface.Keep.self) { [unowned self] _, call in
      beforeKeeping?()
      if let answering { answering(call) } else { kept.append(call) }
    }
    interface.onTask(TestInterface.Sleep.self) { [unowned self] _, _ in
      await untilCancelled()
      cancelled += 1
      return Empty()
    }
    interface.handle(TestInterface.Stream.self) { [unowned self] parameters, call in
      let reply = TestInterface.Text(text: String(repeating: "x", count: parameters.size))
      for _ in 0..<parameters.count where !call.isOver {
        call.reply(reply, continues: true)
        streamed += 1
      }
      if !call.isOver { call.reply(reply) }
    }
    interface.onTask(TestInterface.Take.self) { [unowned self] parameters, call in
      do throws(PeerFiles.Failure) {
        taken.append(.success(try await call.files.look(at: parameters.fileDescriptor, 16)))
      } catch { taken.append(.failure(error)) }
      return Empty()
    }
    interface.on(TestInterface.List.self) { _, _ in Empty() }
    server.add(interface)
  }

  isolated deinit {
    server.close()
  }

  /// A peer that is connected to it.
  func connect() throws -> Peer {
    let (mine, its) = try Peer.pair(of: self)
    server.serve(connection: its.take())
    return mine
  }

  /// Lets the loop go on until `condition` holds; the suite's time limit is what ends a failure.
  func until(_ condition: @EventLoopActor () -> Bool) async {
    while !condition() { await Self.turn() }
  }

  /// The most calls of Echo that were served in one turn of the loop, until so many are.
  func largestShare(until count: Int) async -> Int {
    await withCheckedContinuation { continuation in
      measure(until: count, before: echoes, largest: 0) { continuation.resume(returning: $0) }
    }
  }

  /// A task that is made on the loop runs in its next turn, unlike one that yields.
  private func measure(
    until count: Int, before: Int, largest: Int, done: @escaping @EventLoopActor (Int) -> Void
  ) {
    let largest = max(largest, echoes - before)
    if echoes >= count { return done(largest) }
    let before = echoes
    Task { measure(until: count, before: before, largest: largest, done: done) }
  }

  /// A turn of the loop: every source that was ready before it was asked.
  nonisolated static func turn() async {
    await EventLoopActor.run {}
  }
}

/// Returns when its task is cancelled.
private func untilCancelled() async {
  let (stream, continuation) = AsyncStream<Void>.makeStream()
  await withTaskCancellationHandler {
    for await _ in stream {}
  } onCancel: {
    continuation.finish()
  }
}
