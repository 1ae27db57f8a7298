import AlbumAPI
import AlbumClient
import Foundation
import TestSupport
import Testing

/// A daemon that is older or newer than the client library: each call that differs fails, and nothing else does.
@Suite("The client library, with a daemon of another version", .blocking, .timeLimit(.minutes(30)))
struct OtherVersionTests {
  @Test("S1: a status that is none of the five is an error of that call, and the next one is answered")
  func unknownStatus() async throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let first = Task { try await library.authorizationStatus(for: .readWrite) }
    let visitor = try daemon.accept()
    _ = try visitor.call()
    try visitor.reply(#"{"status":"sometimes"}"#)
    let error = await #expect(throws: AlbumError.self) { try await first.value }
    #expect(error?.code == .protocolViolation)
    async let second = library.authorizationStatus(for: .readWrite)
    // What broke the protocol is asked nothing more.
    let next = try daemon.accept()
    _ = try next.call()
    try next.reply(#"{"status":"limited"}"#)
    #expect(try await second == .limited)
  }

  @Test(
    "a call that the daemon does not have says so",
    arguments: ["MethodNotFound", "InterfaceNotFound", "MethodNotImplemented"])
  func missing(_ name: String) async throws {
    let daemon = try ScriptedDaemon()
    let library = PhotoLibrary(socketPath: daemon.path)
    let status = Task { try await library.authorizationStatus(for: .readWrite) }
    let visitor = try daemon.accept()
    _ = try visitor.call()
    try visitor.fail("org.varlink.service.\(name)")
    let error = await #expect(throws: AlbumError.self) { try await status.value }
    #expect(error?.code == .notSupported && error?.advice.isEmpty == false)
  }

  @Test("S89: an error of a newer daemon says what the daemon says of it, in the library's language")
  func unknownError() async throws {
    let daemon = try ScriptedDaemon()
    for (parameters, shown) in [
      (#"{"message":"照片在月球上。"}"#, "照片在月球上。"),
      (#"{"message":"a\u001b[2Jb"}"#, #"a\u{1b}[2Jb"#),
      (#"{"where":"moon"}"#, #"albumd refused: io.albumd.Library.TooFar {"where":"moon"}."#),
      (#"{"message":7}"#, #"albumd refused: io.albumd.Library.TooFar {"message":7}."#),
      (#"{"message":"\#(String(repeating: "a", count: 5000))"}"#, String(repeating: "a", count: 4096) + "…"),
    ] {
      let library = PhotoLibrary(socketPath: daemon.path, language: "zh-Hans")
      let status = Task { try await library.authorizationStatus(for: .readWrite) }
      let visitor = try daemon.accept()
      let named = try visitor.message()
      #expect(named.contains("io.albumd.Authorization.SetLanguage") && named.contains("zh-Hans"))
      #expect(named.contains(#""oneway":true"#), "an older daemon answers nothing to it")
      #expect(try visitor.message().contains("io.albumd.Authorization.GetStatus"))
      try visitor.fail("io.albumd.Library.TooFar", parameters)
      let error = await #expect(throws: AlbumError.self) { try await status.value }
      #expect(error?.code == .unknown && error?.message == shown, "\(parameters.prefix(50))")
    }
  }

  @Test("S89: albumctl shows what the daemon says of an error that it does not know")
  func unknownErrorOfCommand() throws {
    let daemon = try ScriptedDaemon()
    let directory = try TemporaryDirectory()
    let command = try ChildProcess(
      BuildFolder.albumctl, ["whoami"], environment: ["ALBUMD_SOCKET=\(daemon.path)", "LANG=zh_CN.UTF-8"],
      log: "\(directory.path)/output")
    let visitor = try daemon.accept()
    #expect(try visitor.message().contains(#""language":"zh-CN""#))
    _ = try visitor.call()
    try visitor.fail("io.albumd.Authorization.TooFar", #"{"message":"照片在月球上。"}"#)
    #expect(try command.wait() == .status(1))
    let shown = try String(contentsOfFile: "\(directory.path)/output", encoding: .utf8)
    #expect(shown.contains("照片在月球上。"), "\(shown)")
  }
}
