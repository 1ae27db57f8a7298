import AlbumAPI
import Foundation
import Glibc
import TestSupport
import Testing
import Varlink

@Suite("What a message costs everybody", .blocking)
struct MessageCostTests {
  /// Milliseconds of the loop that a message may cost. Without optimization a byte costs twenty times as much.
  private static var most: Double {
    #if DEBUG
      100
    #else
      5
    #endif
  }

  /// What of a message of so many bytes costs more than others do: marks that have to be put in order before two texts
  /// are compared, names and values that are many, and what is wrong at its end only.
  static func messages(of bytes: Int) -> [String] {
    func status(_ parameters: String) -> String {
      #"{"method":"io.albumd.Authorization.GetStatus","parameters":{\#(parameters)}}"#
    }
    func about(_ parameters: String) -> String {
      #"{"method":"org.varlink.service.GetInfo","parameters":{\#(parameters)}}"#
    }
    func many(_ count: Int, _ part: (Int) -> String) -> String {
      (0..<count).map(part).joined(separator: ",")
    }
    // Each has two bytes, and another place among those that follow one letter.
    let marks = String(repeating: "\u{301}\u{323}", count: bytes / 4)
    let someMarks = String(repeating: "\u{301}\u{323}", count: bytes / 124 - 12)
    var all: [String] = []
    all.append(status(#""accessLevel":"readWrite","language":"\#(marks)""#))
    all.append(status(#""accessLevel":"\#(marks)""#))
    all.append(#"{"method":"\#(marks)"}"#)
    all.append(
      #"{"method":"org.varlink.service.GetInterfaceDescription","parameters":{"interface":"\#(marks)"}}"#)
    all.append(about(many(31) { #""\#(someMarks)\#(String(repeating: "\u{316}", count: $0))":1"# }))
    let parts = String(repeating: "a.", count: bytes / 2)
    all.append(status(#""accessLevel":"readWrite","language":"\#(parts)""#))
    all.append(#"{"method":"\#(parts)x"}"#)
    all.append(about(many(bytes / 12) { #""\#(String($0, radix: 16))":1"# }))
    all.append(about(#""a":[\#(many(bytes / 3 - 40) { _ in "[]" })]"#))
    all.append(about(#""a":[\#(many(bytes / 6 - 40) { _ in "1e308" })]"#))
    all.append(about(#""a":"\#(String(repeating: #"\u00e9"#, count: bytes / 6 - 40))""#))
    all.append(about(#""a":0.\#(String(repeating: "1", count: bytes - 100))"#))
    all.append(String(repeating: #"{"a":"#, count: bytes / 5))
    all.append(String(repeating: "[", count: bytes))
    let (types, ids) = (
      many(bytes / 9) { _ in #""image""# }, many(bytes / 20) { _ in #""0123456789abcdef""# }
    )
    all.append(#"{"method":"io.albumd.Picker.Pick","parameters":{"mediaTypes":[\#(types)]}}"#)
    // No message has more values than 100,000.
    let filters = many(min(bytes / 3 - 40, 99_000)) { _ in "{}" }
    all.append(#"{"method":"io.albumd.Picker.Pick","parameters":{"filter":{"all":[\#(filters)]}}}"#)
    for method in ["FetchAssets", "FetchMoments"] {
      all.append(
        #"{"method":"io.albumd.Library.\#(method)","parameters":{"matching":{"all":[\#(filters)]}}}"#)
    }
    all.append(#"{"method":"io.albumd.Library.FetchAssets","parameters":{"ids":[\#(ids)]}}"#)
    return all
  }

  @Test(
    "no message of somebody who was allowed nothing costs the loop more than five milliseconds",
    arguments: [15_000, 1_000_000])
  func loop(bytes: Int) throws {
    let host = try Host()
    let app = try host.app()
    let bystander = try app.connect()
    for message in Self.messages(of: bytes) {
      #expect(message.utf8.count < 1 << 20)
      // The least of some: what the machine does besides is not the message's.
      let cost = try (0..<3).map { _ in
        let peer = try app.connect()
        _ = try peer.status()
        let before = try host.daemon.loopTime
        try? peer.sendBytes(Array(message.utf8) + [0])
        _ = try? peer.receive()
        try bystander.roundTrip()
        return try host.daemon.loopTime - before
      }.min()
      #expect(try #require(cost) <= Self.most, "\(message.prefix(100))")
    }
  }
}

extension DaemonProcess {
  /// Milliseconds for which its first thread has had a processor (proc_pid_schedstat(5)).
  fileprivate var loopTime: Double {
    get throws {
      let text = try String(contentsOfFile: "/proc/\(pid)/task/\(pid)/schedstat", encoding: .utf8)
      guard let first = text.split(separator: " ").first, let nanoseconds = Double(first) else {
        throw Failure("no times: \(text)")
      }
      return nanoseconds / 1e6
    }
  }
}
