import AlbumAPI
import AlbumClient
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
}
