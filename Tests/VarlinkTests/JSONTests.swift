import Testing
import TestSupport

@testable import Varlink

@Suite("JSON, strictly")
struct JSONTests {
  private func parse(_ text: String) throws -> JSON { try JSON(parsing: Array(text.utf8)) }

  @Test("values are read as what they are")
  func values() throws {
    #expect(try parse(" null ") == .null)
    #expect(try parse("true") == true)
    #expect(try parse("-9223372036854775808") == .integer(.min))
    #expect(try parse("9223372036854775807") == .integer(.max))
    #expect(try parse("9223372036854775808") == .float(9_223_372_036_854_775_808))
    #expect(try parse("1.5e3") == .float(1500))
    #expect(try parse(#""a\u00e9\ud83d\ude00\n\/""#) == "aé😀\n/")
    #expect(try parse(#"[1,[],{"a":{}}]"#) == [1, [], ["a": [:]]])
  }

  /// What is read in place, and how far, and the same in the general way.
  private func bothWays(_ text: String) -> (read: Double?, general: Double?) {
    Array(text.utf8).withUnsafeBufferPointer { bytes in
      var reader = JSONReader(text: bytes)
      let read = reader.float()
      var parser = JSONParser(text: bytes, offset: 0)
      guard let number = try? parser.parseNumber() else { return (read, nil) }
      #expect(reader.isAtEnd == (parser.offset == bytes.count))
      switch number {
      case .integer(let value): return (read, Double(value))
      case .float(let value): return (read, value)
      case .null, .bool, .string, .array, .object: return (read, nil)
      }
    }
  }

  @Test(
    "a number that is read in place is to the bit the one that it is read as otherwise",
    arguments: [
      "0.0", "-0.0", "-0", "0", "0.1", "0.3", "-11.574852", "48.137154", "179.99999999999",
      "0.000000000000001",
      "999999999999.999", "123456789012.3456", "0.30000000000000004", "9007199254740993.5", "4.35", "1.5e3",
      "2.5E-3", "7", "00.5", "1.", ".5", "-.5", "1.2.3", "-", "", "1.5x", "0.00000000000000001",
      "99999999999999999.9", "9007199254740992.49", "9007199254740992.51", "900719925474099267.5",
      "48.137222222222221", "0.999999999999999999", "10.0", "1.00000000000000011",
    ])
  func floats(_ text: String) {
    let (read, general) = bothWays(text)
    #expect(read?.bitPattern == general?.bitPattern)
  }

  @Test("so is every one of many, whichever their digits are")
  func manyFloats() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<20_000 {
      let digits = Int.random(in: 2...18, using: &random)
      let number = (0..<digits).map { _ in String(Int.random(in: 0...9, using: &random)) }
      let point = Int.random(in: 1..<digits, using: &random)
      let whole = number[..<point].joined().drop { $0 == "0" }
      let text = "\(whole.isEmpty ? "0" : whole).\(number[point...].joined())"
      let (read, general) = bothWays(text)
      #expect(read?.bitPattern == general?.bitPattern, "\(text)")
      // What `Double` writes is what comes back.
      let shown = String(general ?? 0)
      #expect(bothWays(shown).read == general, "\(shown)")
    }
  }

  @Test("many names cost their number, not its square", .timeLimit(.minutes(30)))
  func manyNames() throws {
    let members = (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",")
    #expect(try parse("{\(members)}").object?.members.count == 100_000)
    #expect(throws: JSONSyntaxError.self) { try parse("{\(members),\"7\":0}") }
    #expect(throws: JSONSyntaxError.self) { try parse("{\(members),\"99999\":0}") }
  }

  @Test(
    "what peers could read differently is refused",
    arguments: [
      "", " ", "nul", "truex", "01", "-", "1.", ".5", "+1", "1e", "0x10", "NaN", "Infinity", "1e999",
      #""unended"#, #""\x""#, #""\u12""#, #""\u0000""#, #""\ud800""#, #""\udc00""#, #""\ud800\u0041""#,
      "\"\u{1}\"", "\"\t\"", "[1,]", "[1 2]", "[", "]", "{", "{\"a\"}", "{\"a\":1,}", "{a:1}",
      "{\"a\":1 \"b\":2}",
      #"{"a":1,"a":2}"#, "1 2", "{}{}",
    ])
  func refused(_ text: String) {
    #expect(throws: JSONSyntaxError.self) { try parse(text) }
  }

  @Test("bytes that are not UTF-8 are refused")
  func malformedText() {
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: [0x22, 0xFF, 0x22]) }
    #expect(throws: JSONSyntaxError.self) { try JSON(parsing: [0x22, 0xC0, 0x80, 0x22]) }
  }

  @Test("of every byte of a text it is looked whether it is ASCII, else whether it is UTF-8")
  func everyPlace() throws {
    for count in 0..<40 {
      let plain = [UInt8](repeating: UInt8(ascii: "a"), count: count)
      for place in 0...count {
        let quoted = { (bytes: [UInt8]) in [0x22] + plain[..<place] + bytes + plain[place...] + [0x22] }
        #expect(
          try JSON(parsing: quoted([0xC3, 0xA9])).string.map { Array($0.utf8) }
            == Array(quoted([0xC3, 0xA9])[1...].dropLast()))
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: quoted([0x80])) }
        #expect(throws: JSONSyntaxError.self) { try JSON(parsing: quoted([0xC3])) }
      }
    }
  }

  @Test("nesting has an end")
  func depth() throws {
    let deepest = JSON.maximumDepth
    _ = try parse(String(repeating: "[", count: deepest) + String(repeating: "]", count: deepest))
    #expect(throws: JSONSyntaxError.self) {
      try parse(String(repeating: "[", count: deepest + 1) + String(repeating: "]", count: deepest + 1))
    }
  }

  @Test("an error says where")
  func offset() {
    let error = #expect(throws: JSONSyntaxError.self) { try parse(#"{"a": nope}"#) }
    #expect(error?.offset == 6)
  }

  @Test("what is written is read back")
  func roundTrip() throws {
    let value: JSON = [
      "text": "quote \" backslash \\ control \u{1}\u{1F} newline \n tab \t é 😀", "int": -7, "float": 0.1,
      "huge": .float(1e300), "list": [nil, true, false, [], [:]],
    ]
    #expect(try parse(value.description) == value)
  }

  @Test("objects are equal whatever their order")
  func order() throws {
    #expect(try parse(#"{"a":1,"b":2}"#) == parse(#"{"b":2,"a":1}"#))
    #expect(try parse(#"{"a":1}"#) != parse(#"{"b":1}"#))
    #expect(Set([try parse(#"{"a":1,"b":2}"#), try parse(#"{"b":2,"a":1}"#)]).count == 1)
  }

  @Test("random bytes and damaged texts never crash, and what is accepted is written back the same")
  func fuzz() throws {
    var random = SeededGenerator(seed: 1)
    let seeds = [
      #"{"method":"a.b.C","parameters":{"x":[1,2.5,"\u00e9\n",null,true]},"more":true}"#,
      #"[[[[{"a":{"b":{"c":[-0,1e-5]}}}]]]]"#, #""\ud83d\ude00""#,
    ].map { Array($0.utf8) }
    var accepted = 0
    for _ in 0..<60_000 {
      var bytes = seeds[Int.random(in: 0..<seeds.count, using: &random)]
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: index)
        default: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
        }
        if bytes.isEmpty { bytes = [0x30] }
      }
      guard let value = try? JSON(parsing: bytes) else { continue }
      accepted += 1
      #expect(try parse(value.description) == value)
    }
    #expect(accepted > 1000)
  }
}
