/// What is wrong with a text that should be JSON, and at which byte.
public struct JSONSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule that is broken.
  public let reason: String
  /// Bytes from the start of the text.
  public let offset: Int

  /// Both in a sentence.
  public var description: String { "not valid JSON at byte \(offset): \(reason)" }
}

extension JSON {
  /// How deeply arrays and objects may nest. sd-varlink allows 2048; each level here costs stack.
  public static let maximumDepth = 128

  /// Reads one value that fills the text.
  ///
  /// Strict where peers could disagree about a message: RFC 8259 without duplicate names, raw control
  /// characters, `\u0000`, lone surrogates or malformed UTF-8.
  ///
  /// - Parameter maximumCount: how many values there may be: each costs memory that is a multiple of its text.
  /// - Throws: ``JSONSyntaxError``.
  public init(
    parsing text: UnsafeBufferPointer<UInt8>, maximumCount: Int = .max
  ) throws(JSONSyntaxError) {
    var parser = JSONParser(text: text, maximumCount: maximumCount)
    self = try parser.parseDocument()
  }

  /// Reads one value that fills the text; see ``init(parsing:)-(UnsafeBufferPointer<UInt8>)``.
  public init(parsing text: [UInt8]) throws(JSONSyntaxError) {
    let result = text.withUnsafeBufferPointer { buffer -> Result<JSON, JSONSyntaxError> in
      do throws(JSONSyntaxError) { return .success(try JSON(parsing: buffer)) } catch {
        return .failure(error)
      }
    }
    self = try result.get()
  }
}

/// A recursive-descent reader over borrowed bytes. Every access is behind `peek`, which knows the end.
struct JSONParser {
  let text: UnsafeBufferPointer<UInt8>
  var offset = 0
  var depth = 0
  /// How many values may follow.
  var countLeft: Int

  /// From so many members on an object's names are looked up in a set.
  static let manyNames = 32

  init(text: UnsafeBufferPointer<UInt8>, maximumCount: Int = .max, offset: Int = 0) {
    self.text = text
    self.offset = offset
    countLeft = maximumCount
  }

  func failure(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(reason: reason, offset: offset)
  }

  var peek: UInt8? { offset < text.count ? text[offset] : nil }

  mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { offset += 1 }
  }

  mutating func parseDocument() throws(JSONSyntaxError) -> JSON {
    let value = try parseValue()
    skipSpace()
    if peek != nil { throw failure("something follows the value") }
    return value
  }

  mutating func parseValue() throws(JSONSyntaxError) -> JSON {
    skipSpace()
    guard countLeft > 0 else { throw failure("too many values") }
    countLeft -= 1
    guard let byte = peek else { throw failure("the text ends where a value should be") }
    switch byte {
    case UInt8(ascii: "{"): return try nested { (parser) throws(JSONSyntaxError) in try parser.parseObject() }
    case UInt8(ascii: "["): return try nested { (parser) throws(JSONSyntaxError) in try parser.parseArray() }
    case UInt8(ascii: "\""): return .string(try parseString())
    case UInt8(ascii: "t"): return try parseWord("true", .bool(true))
    case UInt8(ascii: "f"): return try parseWord("false", .bool(false))
    case UInt8(ascii: "n"): return try parseWord("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try parseNumber()
    default: throw failure("no value begins like this")
    }
  }

  mutating func nested(
    _ parse: (inout JSONParser) throws(JSONSyntaxError) -> JSON
  ) throws(JSONSyntaxError) -> JSON {
    guard depth < JSON.maximumDepth else { throw failure("nested deeper than \(JSON.maximumDepth)") }
    depth += 1
    offset += 1
    let value = try parse(&self)
    depth -= 1
    return value
  }

  mutating func parseObject() throws(JSONSyntaxError) -> JSON {
    var members: [JSONObject.Member] = []
    // Few names are looked through; of many, each comparison would be the peer's to multiply.
    var names: Set<ByteKey> = []
    skipSpace()
    if peek == UInt8(ascii: "}") {
      offset += 1
      return .object(JSONObject())
    }
    members.reserveCapacity(4)
    while true {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw failure("a name in quotes should be here") }
      let name = try parseString()
      skipSpace()
      guard peek == UInt8(ascii: ":") else { throw failure("a colon should follow the name") }
      offset += 1
      let value = try parseValue()
      if members.count == Self.manyNames { names = Set(members.map { ByteKey($0.name) }) }
      let isKnown =
        members.count < Self.manyNames
        ? members.contains { $0.name.isSame(as: name) } : !names.insert(ByteKey(name)).inserted
      if isKnown { throw failure("the name \"\(Quoted(name))\" occurs twice") }
      members.append(JSONObject.Member(name: name, value: value))
      skipSpace()
      switch peek {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "}"):
        offset += 1
        return .object(JSONObject(members: members))
      default: throw failure("a comma or } should be here")
      }
    }
  }

  mutating func parseArray() throws(JSONSyntaxError) -> JSON {
    var values: [JSON] = []
    skipSpace()
    if peek == UInt8(ascii: "]") {
      offset += 1
      return .array(values)
    }
    while true {
      values.append(try parseValue())
      skipSpace()
      switch peek {
      case UInt8(ascii: ","): offset += 1
      case UInt8(ascii: "]"):
        offset += 1
        return .array(values)
      default: throw failure("a comma or ] should be here")
      }
    }
  }

  mutating func parseWord(_ word: StaticString, _ value: JSON) throws(JSONSyntaxError) -> JSON {
    let bytes = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard text[offset...].starts(with: bytes) else { throw failure("no value begins like this") }
    offset += bytes.count
    return value
  }
}

// MARK: Strings

extension JSONParser {
  mutating func parseString() throws(JSONSyntaxError) -> String {
    offset += 1
    let start = offset
    let plain = UnsafeBufferPointer(rebasing: text[start...]).plainJSON
    offset += plain.count
    if peek == UInt8(ascii: "\"") {
      // The common case: nothing to unescape, and nearly always nothing but ASCII, which is UTF-8.
      let bytes = UnsafeBufferPointer(rebasing: text[start..<offset])
      let string =
        plain.isASCII
        ? String(copying: unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: true))
        : try decode(bytes, at: start)
      offset += 1
      return string
    }
    var bytes = Array(text[start..<offset])
    while true {
      guard let byte = peek else { throw failure("the text ends within a string") }
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        return try bytes.withUnsafeBufferPointer { (buffer) throws(JSONSyntaxError) in
          try decode(buffer, at: start)
        }
      case UInt8(ascii: "\\"): try parseEscape(into: &bytes)
      case 0..<0x20: throw failure("a control character must be escaped")
      default: bytes.append(byte)
      }
    }
  }

  private func decode(
    _ bytes: UnsafeBufferPointer<UInt8>, at start: Int
  ) throws(JSONSyntaxError) -> String {
    do throws(UTF8.ValidationError) { return String(copying: try UTF8Span(validating: bytes.span)) } catch {
      throw JSONSyntaxError(reason: "a string is not UTF-8", offset: start)
    }
  }

  private mutating func parseEscape(into bytes: inout [UInt8]) throws(JSONSyntaxError) {
    guard let byte = peek else { throw failure("the text ends within a string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): bytes.append(byte)
    case UInt8(ascii: "b"): bytes.append(0x08)
    case UInt8(ascii: "f"): bytes.append(0x0C)
    case UInt8(ascii: "n"): bytes.append(0x0A)
    case UInt8(ascii: "r"): bytes.append(0x0D)
    case UInt8(ascii: "t"): bytes.append(0x09)
    case UInt8(ascii: "u"): bytes.append(contentsOf: try parseUnicodeEscape().utf8)
    default: throw failure("no such escape")
    }
  }

  private mutating func parseUnicodeEscape() throws(JSONSyntaxError) -> Character {
    var code = UInt32(try parseHex4())
    if 0xD800..<0xDC00 ~= code {
      guard peek == UInt8(ascii: "\\"), offset + 1 < text.count, text[offset + 1] == UInt8(ascii: "u") else {
        throw failure("half of a surrogate pair")
      }
      offset += 2
      let low = UInt32(try parseHex4())
      guard 0xDC00..<0xE000 ~= low else { throw failure("half of a surrogate pair") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard code != 0 else { throw failure("\\u0000 is not allowed") }
    guard let scalar = Unicode.Scalar(code) else { throw failure("half of a surrogate pair") }
    return Character(scalar)
  }

  private mutating func parseHex4() throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw failure("\\u needs four hexadecimal digits")
      }
      value = value << 4 | UInt16(digit)
      offset += 1
    }
    return value
  }
}

// MARK: Numbers

extension JSONParser {
  mutating func parseNumber() throws(JSONSyntaxError) -> JSON {
    let start = offset
    if peek == UInt8(ascii: "-") { offset += 1 }
    let digits = offset
    try skipDigits()
    if text[digits] == UInt8(ascii: "0"), offset - digits > 1 { throw failure("a number begins with 0") }
    var isInteger = true
    if peek == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      try skipDigits()
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if peek == UInt8(ascii: "+") || peek == UInt8(ascii: "-") { offset += 1 }
      try skipDigits()
    }
    if isInteger, let value = integer(text[start..<offset]) { return .integer(value) }
    guard let value = Double(String(decoding: text[start..<offset], as: UTF8.self)), value.isFinite else {
      throw failure("a number beyond every range")
    }
    return .float(value)
  }

  private func integer(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int64? {
    let isNegative = digits.first == UInt8(ascii: "-")
    var value: Int64 = 0
    for digit in isNegative ? digits.dropFirst() : digits {
      // Counted downwards, because the range of Int64 reaches one further there.
      let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
      let (sum, overflowedToo) = product.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
      if overflowed || overflowedToo { return nil }
      value = sum
    }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  private mutating func skipDigits() throws(JSONSyntaxError) {
    let start = offset
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    if offset == start { throw failure("a digit should be here") }
  }
}
