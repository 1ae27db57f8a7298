import Testing

@testable import Varlink

@Suite("Swift types as JSON")
struct CodingTests {
  struct Everything: Codable, Equatable {
    enum Kind: String, Codable { case one, two }
    struct Inner: Codable, Equatable {
      var list: [Int]
      var map: [String: Bool]
    }
    var bool = true
    var int = -1
    var small: UInt8 = 255
    var float = 1.5
    var text = "é"
    var kind = Kind.two
    var absent: String?
    var present: String? = "p"
    var inner = Inner(list: [1, 2], map: ["a": true])
    var many = [Inner(list: [], map: [:])]
    var json: JSON = ["any": [nil]]
  }

  @Test("round trip; what is absent stays off the wire")
  func roundTrip() throws {
    let value = Everything()
    let bytes = try JSONEncoding.encode(value)
    let json = try JSON(parsing: bytes)
    #expect(json.object?["absent"] == nil)
    #expect(json.object?["many"] == [["list": [], "map": [:]]])
    #expect(try JSONDecoding.decode(Everything.self, from: json) == value)
  }

  @Test("a type without fields is an object")
  func empty() throws {
    #expect(try JSONEncoding.encode(Empty()) == Array("{}".utf8))
  }

  struct Nested: Encodable {
    enum Keys: String, CodingKey { case outer, after, a, b }
    func encode(to encoder: any Encoder) throws {
      var outer = encoder.container(keyedBy: Keys.self)
      var inner = outer.nestedContainer(keyedBy: Keys.self, forKey: .outer)
      try inner.encode(1, forKey: .a)
      var list = inner.nestedUnkeyedContainer(forKey: .b)
      try list.encode("x")
      try list.encodeNil()
      try outer.encode(2, forKey: .after)
    }
  }

  @Test("containers close when an outer one goes on")
  func nesting() throws {
    let json = try JSON(parsing: JSONEncoding.encode(Nested()))
    #expect(json == ["outer": ["a": 1, "b": ["x", nil]], "after": 2])
  }

  @Test(
    "types are taken as they are",
    arguments: [
      (#"{"bool":1}"#, "bool"), (#"{"int":1.0}"#, "int"), (#"{"int":"1"}"#, "int"),
      (#"{"small":256}"#, "small"),
    ])
  func mismatch(_ text: String, _ field: String) throws {
    struct Some: Decodable {
      var bool: Bool?
      var int: Int?
      var small: UInt8?
    }
    let json = try JSON(parsing: Array(text.utf8))
    let error = #expect(throws: DecodingError.self) { try JSONDecoding.decode(Some.self, from: json) }
    guard case .typeMismatch(_, let context)? = error else {
      Issue.record("expected a type mismatch")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == [field])
  }
}
