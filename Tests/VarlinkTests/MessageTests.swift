import Testing

@testable import Varlink

@Suite("Messages")
struct MessageTests {
  private func call(_ text: String) throws -> Call {
    try Array(text.utf8).withUnsafeBufferPointer { try Call(parsing: $0) }
  }

  private func reply(_ text: String) throws -> Reply {
    try Array(text.utf8).withUnsafeBufferPointer { try Reply(parsing: $0) }
  }

  @Test("parameters absent, null and {} are the same")
  func parameters() throws {
    for text in [
      #"{"method":"a.b.C"}"#, #"{"method":"a.b.C","parameters":null}"#,
      #"{"method":"a.b.C","parameters":{}}"#,
    ] {
      #expect(try call(text) == Call(method: "a.b.C"))
    }
  }

  @Test("flags, true or absent")
  func flags() throws {
    let parsed = try call(#"{"method":"a.b.C","more":true,"oneway":false,"upgrade":null}"#)
    #expect(parsed.wantsMore && !parsed.isOneway && !parsed.wantsUpgrade)
    #expect(String(decoding: Call(method: "a.b.C").encoded(), as: UTF8.self) == "{\"method\":\"a.b.C\"}\0")
  }

  @Test(
    "what cannot be honoured closes the connection",
    arguments: [
      "", "[]", "1", "{}", #"{"method":1}"#, #"{"method":"a.b.C","parameters":[]}"#,
      #"{"method":"a.b.C","more":1}"#,
      #"{"method":"a.b.C","more":true,"oneway":true}"#, #"{"method":"a.b.C","extra":1}"#,
      #"{"method":"a.b.C","method":"a.b.D"}"#,
    ])
  func violations(_ text: String) {
    #expect(throws: ProtocolViolation.self) { try call(text) }
  }

  @Test("replies")
  func replies() throws {
    #expect(try reply(#"{"parameters":{"a":1},"continues":true}"#).continues)
    #expect(try reply(#"{"error":"a.b.E"}"#).error == "a.b.E")
    #expect(throws: ProtocolViolation.self) { try reply(#"{"error":"a.b.E","continues":true}"#) }
    #expect(throws: ProtocolViolation.self) { try reply(#"{"parameters":1}"#) }
  }

  @Test("an error carries its fields")
  func errors() throws {
    let bytes = try Reply.encoded(InvalidParameter(parameter: "x"))
    #expect(
      String(decoding: bytes, as: UTF8.self)
        == "{\"error\":\"org.varlink.service.InvalidParameter\",\"parameters\":{\"parameter\":\"x\"}}\0")
    let remote = RemoteError(name: InvalidParameter.name, parameters: ["parameter": "x"])
    #expect(remote.typed(InvalidParameter.self) == InvalidParameter(parameter: "x"))
    #expect(remote.typed(ExpectedMore.self) == nil)
  }
}
