import Testing

@testable import Varlink

@Suite("What peers send is bytes")
struct BytesTests {
  private let composed = "caf\u{E9}"
  private let decomposed = "cafe\u{301}"

  @Test("names that Unicode holds to be equal are two, in an object and in a message")
  func names() throws {
    let object = try JSON(parsing: Array("{\"\(composed)\":1,\"\(decomposed)\":2}".utf8))
    #expect(object.object?[composed] == 1 && object.object?[decomposed] == 2)
    #expect(JSON.string(composed) != JSON.string(decomposed))
    #expect(Set([JSON.string(composed), JSON.string(decomposed), JSON.string(composed)]).count == 2)
  }

  @Test("the same name twice is refused, among few and among many", arguments: [1, 31, 32, 33, 200])
  func twice(count: Int) {
    let names = (0..<count).map { "\"n\($0)\":1" } + ["\"n\(count - 1)\":1"]
    #expect(throws: JSONSyntaxError.self) {
      try JSON(parsing: Array("{\(names.joined(separator: ","))}".utf8))
    }
  }

  @Test("a call has so many values, a reply any number")
  func values() throws {
    let values = Array(repeating: "[]", count: Call.maximumCount).joined(separator: ",")
    let text = Array("{\"method\":\"a.b.C\",\"parameters\":{\"x\":[\(values)]}}".utf8)
    #expect(throws: ProtocolViolation.self) { try text.withUnsafeBufferPointer { try Call(parsing: $0) } }
    let reply = Array("{\"parameters\":{\"x\":[\(values)]}}".utf8)
    _ = try reply.withUnsafeBufferPointer { try Reply(parsing: $0) }
  }

  @Test("a text of a parameter is as long as it may be, shorter where its comparison costs more")
  func texts() throws {
    let interface = try InterfaceDescription(
      parsing: "interface a.b\n\nmethod C(text: string, kind: ?(one, two)) -> ()\n")
    let fields = try #require(interface.methods["C"]).input
    func isValid(_ text: String) -> Bool {
      (try? interface.validate(["text": .string(text)], against: fields, longestText: 4096)) != nil
    }
    #expect(isValid(String(repeating: "x", count: 4096)) && !isValid(String(repeating: "x", count: 4097)))
    let mark = "\u{301}"
    #expect(isValid(String(repeating: mark, count: 512)) && !isValid(String(repeating: mark, count: 513)))
    #expect(throws: InvalidParameter(parameter: "kind")) {
      try interface.validate(
        ["text": "", "kind": .string(String(repeating: mark, count: 100_000))], against: fields)
    }
  }

  @Test("what is wrong is named in short, whatever its name")
  func named() {
    let text = Array("{\"\(String(repeating: "A", count: 100_000))\":1,\"method\":\"a.b.C\"}".utf8)
    let error = #expect(throws: ProtocolViolation.self) {
      try text.withUnsafeBufferPointer { try Call(parsing: $0) }
    }
    #expect(error?.description.utf8.count ?? .max < 120)
  }
}
