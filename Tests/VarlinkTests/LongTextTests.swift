import Testing
import Varlink

@Suite("Texts that may be longer than others")
struct LongTextTests {
  private static let definition = """
    interface org.example.test
    type Data (name: string, bytes: string)
    type Other (bytes: string)
    method Send(data: ?Data, all: ?[]Data, other: ?Other, bytes: ?string) -> ()
    """

  private func wrong(_ parameters: JSONObject) throws -> String? {
    let interface = try InterfaceDescription(parsing: Self.definition)
    let fields = try #require(interface.methods["Send"]).input
    do throws(InvalidParameter) {
      try interface.validate(
        parameters, against: fields, longestText: 8, longTexts: ["Data": .init(field: "bytes", bytes: 20)])
      return nil
    } catch { return error.parameter }
  }

  private func text(_ count: Int) -> JSON { .string(String(repeating: "a", count: count)) }

  @Test("it has its own bound, in its type and nowhere else, and no other field of that has it")
  func bounds() throws {
    func data(_ name: Int, _ bytes: JSON) -> JSON { .object(["name": text(name), "bytes": bytes]) }
    #expect(try wrong(["data": data(8, text(20))]) == nil)
    #expect(try wrong(["data": data(8, text(21))]) == "data.bytes")
    #expect(try wrong(["data": data(9, text(20))]) == "data.name")
    #expect(try wrong(["all": .array([data(1, text(20)), data(1, text(21))])]) == "all[1].bytes")
    #expect(try wrong(["other": .object(["bytes": text(9)])]) == "other.bytes")
    #expect(try wrong(["bytes": text(9)]) == "bytes")
    // What is compared by Unicode's rules is no such text.
    #expect(try wrong(["data": data(1, .string(String(repeating: "é", count: 9)))]) == "data.bytes")
    #expect(try wrong(["data": data(1, .integer(5))]) == "data.bytes")
    #expect(try wrong(["data": .object(["name": text(1)])]) == "data.bytes")
  }
}
