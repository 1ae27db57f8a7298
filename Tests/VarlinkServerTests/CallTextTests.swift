import EventLoop
import Glibc
import Linux
import LoopTesting
import TestSupport
import Testing
import Varlink
import VarlinkTransport

@testable import VarlinkServer

@Suite("Calls that are read straight from their text are served as all others", .timeLimit(.minutes(30)))
struct CallTextTests {
  init() {
    LoopThread.start()
  }

  /// The parameters of both services: read from the text of the one, and in the general way of the other.
  private struct Said: Codable, Sendable {
    enum Manner: String, Codable, Sendable {
      case calm
      case Kelvin
    }
    var text: String
    var manner: Manner?
    var language: String?
  }
  private struct QuicklySaid: CallTextReadable, Encodable, Sendable {
    var said: Said

    init?(from reader: inout JSONReader) {
      guard reader.beginObject(), reader.member("text"), let text = reader.string() else { return nil }
      said = Said(text: text)
      if reader.member("manner") {
        guard let manner = reader.ascii().flatMap(Said.Manner.init) else { return nil }
        said.manner = manner
      }
      if reader.member("language") {
        guard let language = reader.string() else { return nil }
        said.language = language
      }
      guard reader.endObject() else { return nil }
    }
    init(from decoder: any Decoder) throws { said = try Said(from: decoder) }
    func encode(to encoder: any Encoder) throws { try said.encode(to: encoder) }
  }
  private struct Answer: Codable, Sendable { var text: String }
  private enum Quick: VarlinkMethod {
    static let name = "org.example.quick.Say"
    typealias Parameters = QuicklySaid
    typealias Reply = Answer
  }
  private enum General: VarlinkMethod {
    static let name = "org.example.other.Say"
    typealias Parameters = Said
    typealias Reply = Answer
  }
  private struct Unsaid: VarlinkError { static let name = "org.example.Unsaid" }

  @EventLoopActor
  private func service() -> TestService {
    // An error tells what is left of the call's parameters.
    let service = TestService(
      rewording: ErrorRewording(parameters: ["language"]) { error, call in
        let language = call.call.parameters["language"] ?? "none"
        return error is Unsaid ? RemoteError(name: Unsaid.name, parameters: ["language": language]) : nil
      })
    func definition(_ name: String) -> String {
      "interface \(name)\nmethod Say(text: string, manner: ?(calm, Kelvin), language: ?string) -> (text: string)\n"
    }
    func say(_ said: Said) throws -> Answer {
      if said.text == "nothing" { throw Unsaid() }
      return Answer(text: "\(said.text) \(said.manner?.rawValue ?? "-") \(said.language ?? "-")")
    }
    var quick = InterfaceImplementation(definition: definition("org.example.quick"))
    quick.on(Quick.self) { parameters, _ in try say(parameters.said) }
    service.server.add(quick)
    var general = InterfaceImplementation(definition: definition("org.example.other"))
    general.on(General.self) { parameters, _ in try say(parameters) }
    service.server.add(general)
    return service
  }

  private static func message(_ service: String, _ rest: String) -> [UInt8] {
    Array(#"{"method":"org.example.\#(service).Say"\#(rest)"#.utf8)
  }

  /// What follows the method's name, and whether that is read straight from the text.
  private static let calls: [(String, Bool)] = [
    (#","parameters":{"text":"a"}}"#, true),
    (#", "parameters": {"text": "a", "manner": "calm"}}"#, true),
    (#","parameters":{"text":"\u00e9é\n","manner":"Kelvin"}}"#, true),
    (#","parameters":{"text":"nothing"}}"#, true),
    (#","parameters":{"text":"\"language\""}}"#, true),
    ("," + #""parameters":{"text":"\#(String(repeating: "x", count: 900))"}}"#, true),
    // The language stays with the call for its error (S89).
    (#","parameters":{"text":"nothing","language":"de"}}"#, false),
    (#","parameters":{"text":"a","language":"de"}}"#, false),
    (#","parameters":{"text":"a"},"more":true}"#, false),
    (#","parameters":{"text":"a"},"upgrade":true}"#, false),
    (#","parameters":{"text":"a","manner":null}}"#, false),
    (#","parameters":{"manner":"calm","text":"a"}}"#, false),
    (#","parameters":{"t\u0065xt":"a"}}"#, false),
    // Swift's K is the sign of the kelvin as well, the definition's is not.
    (#","parameters":{"text":"a","manner":"\#u{212A}elvin"}}"#, false),
    (#","parameters":{"text":"a","manner":"wild"}}"#, false),
    (#","parameters":{"text":"a","text":"a"}}"#, false),
    (#","parameters":{"text":"a","other":1}}"#, false),
    (#","parameters":{"text":1}}"#, false),
    (#","parameters":{}}"#, false),
    ("}", false),
    (#","parameters":{"text":"\u0000"}}"#, false),
    (#","parameters":{"text":"a"}"#, false),
    (#","parameters":{"text":"a"}}}"#, false),
    (#","parameters":{"text":"a"},"other":1}"#, false),
    // What is not ASCII may have a quarter of 4096 bytes.
    (#","parameters":{"text":"\#(String(repeating: "é", count: 600))"}}"#, false),
    (#","parameters":{"text":"\#(String(repeating: "x", count: 2000))"}}"#, false),
    (#","parameters":{"text":"\#(String(repeating: "x", count: 5000))"}}"#, false),
    (",\"parameters\":{\"text\":" + String(repeating: "[", count: 1000) + "}}", false),
  ]

  @Test("each is answered, or refused, as by a service that reads in the general way", arguments: calls)
  func same(rest: String, isQuick: Bool) async throws {
    let service = await service()
    let quick = Self.message("quick", rest)
    let isRead = await EventLoopActor.run {
      quick.withUnsafeBufferPointer { service.server.methods.call($0) != nil }
    }
    #expect(isRead == isQuick)
    let other = Self.message("other", rest)
    #expect(
      await EventLoopActor.run { other.withUnsafeBufferPointer { service.server.methods.call($0) == nil } })

    func answers(_ message: [UInt8]) async throws -> [String] {
      let peer = try await service.connect()
      await peer.writeAll(message + [0] + Peer.call("Echo", #"{"text":"on"}"#))
      // Two answers, or none and the end.
      return await peer.messages(2).map { $0.replacing("example.quick", with: "example.other") }
    }
    let expected = try await answers(other)
    #expect(try await answers(quick) == expected)
    #expect(expected.isEmpty || expected.count == 2)
  }

  @Test("descriptors that no parameter names are refused there as well")
  func descriptors() async throws {
    let service = await service()
    let peer = try await service.connect()
    let message = Self.message("quick", #","parameters":{"text":"a"}}"#) + [0]
    let file = open("/dev/null", O_RDONLY | O_CLOEXEC)
    var writer = MessageWriter()
    try writer.send(message, descriptors: DescriptorBatch(owning: [file]), to: peer.number)
    #expect(
      await peer.messages(1) == [
        #"{"error":"org.varlink.service.InvalidParameter","parameters":{"parameter":"fileDescriptor"}}"#
      ])
  }
}
