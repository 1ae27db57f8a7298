internal import Glibc

/// Reads JSON text in place, value by value, where it is as ``JSONWriter`` writes it: an object's members in the order of
/// its type, and compact, or with a space after each comma and colon, as many write it by hand and Python does.
///
/// Each method answers nil, or false, for whatever else stands there, valid or not, and moves on only when it does
/// not. That ends the reading: the whole text is then read again by ``JSON/init(parsing:maximumCount:)``, which takes
/// every order and says what is wrong. So nothing is accepted here that would not be there.
public struct JSONReader {
  private let text: UnsafeBufferPointer<UInt8>
  private var offset = 0

  /// - Parameter text: has to stay for as long as this is used.
  @usableFromInline
  package init(text: UnsafeBufferPointer<UInt8>) {
    self.text = text
  }

  /// Whether nothing follows.
  var isAtEnd: Bool { offset == text.count }

  @inline(__always)
  private var peek: UInt8? { offset < text.count ? text[offset] : nil }

  @inline(__always)
  private mutating func skip(_ byte: UInt8) -> Bool {
    guard peek == byte else { return false }
    offset &+= 1
    return true
  }

  /// Skips text that stands here to the byte.
  mutating func skip(_ expected: StaticString) -> Bool {
    skip(UnsafeBufferPointer(start: expected.utf8Start, count: expected.utf8CodeUnitCount))
  }

  @inline(__always)
  mutating func skip(_ expected: UnsafeBufferPointer<UInt8>) -> Bool {
    guard text.count &- offset >= expected.count, let base = text.baseAddress,
      let other = expected.baseAddress, memcmp(base + offset, other, expected.count) == 0
    else { return false }
    offset &+= expected.count
    return true
  }

  /// One at most: that is what writers put between what belongs together.
  @inline(__always)
  private mutating func skipSpace() { _ = skip(UInt8(ascii: " ")) }

  /// Opens `{`.
  public mutating func beginObject() -> Bool { skip(UInt8(ascii: "{")) }

  /// Opens `[`.
  public mutating func beginArray() -> Bool { skip(UInt8(ascii: "[")) }

  /// Closes an object.
  public mutating func endObject() -> Bool { skip(UInt8(ascii: "}")) }

  /// Closes an array, if it ends here.
  public mutating func endArray() -> Bool { skip(UInt8(ascii: "]")) }

  /// Whether the next member is this one; its value follows.
  ///
  /// - Parameter name: as it is written in a definition: nothing in it is escaped.
  public mutating func member(_ name: StaticString) -> Bool {
    guard let base = text.baseAddress else { return false }
    let count = name.utf8CodeUnitCount
    var start = offset
    // The first of an object follows its brace, which was skipped.
    if start > 0, base[start &- 1] != UInt8(ascii: "{") {
      guard peek == UInt8(ascii: ",") else { return false }
      start &+= 1
      if start < text.count, base[start] == UInt8(ascii: " ") { start &+= 1 }
    }
    guard text.count &- start >= count &+ 3 else { return false }
    let found = base + start
    // Most that are asked for and not there begin with another letter.
    guard count > 0, found[1] == name.utf8Start[0], found[0] == UInt8(ascii: "\""),
      memcmp(found + 1, name.utf8Start, count) == 0, found[count &+ 1] == UInt8(ascii: "\""),
      found[count &+ 2] == UInt8(ascii: ":")
    else { return false }
    offset = start &+ count &+ 3
    skipSpace()
    return true
  }

  /// Opens a call of this method; its parameters follow.
  @usableFromInline
  mutating func beginCall(of method: String) -> Bool {
    guard beginObject(), member("method"), skip(UInt8(ascii: "\"")) else { return false }
    // The name in a program is in one piece.
    let isNext = method.utf8.withContiguousStorageIfAvailable { skip($0) } ?? false
    return isNext && skip(UInt8(ascii: "\"")) && member("parameters")
  }

  /// Closes a message, of which nothing is left.
  @usableFromInline
  mutating func endMessage() -> Bool { endObject() && isAtEnd }

  // What is generic here is compiled where its type is known: a type that is known at run time only costs more than reading.

  /// Reads an array's elements, each by `element`.
  @inlinable
  public mutating func array<Element>(_ element: (inout JSONReader) -> Element?) -> [Element]? {
    guard beginArray() else { return nil }
    if endArray() { return [] }
    var elements: [Element] = []
    repeat {
      guard let next = element(&self) else { return nil }
      elements.append(next)
    } while skipComma()
    return endArray() ? elements : nil
  }

  @usableFromInline
  mutating func skipComma() -> Bool {
    guard skip(UInt8(ascii: ",")) else { return false }
    skipSpace()
    return true
  }

  /// Reads text.
  public mutating func string() -> String? {
    let start = offset
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let rest = UnsafeBufferPointer(rebasing: text[offset...])
    let (count, isASCII) = rest.plainJSON
    guard count < rest.count else { return nil }
    if rest[count] == UInt8(ascii: "\"") {
      offset &+= count &+ 1
      let bytes = UnsafeBufferPointer(rebasing: rest[..<count])
      // Nearly always nothing but ASCII, which is UTF-8.
      return isASCII
        ? String(copying: unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: true))
        : String(validating: bytes, as: UTF8.self)
    }
    // It has escapes: one of many, so its time is of no account.
    var parser = JSONParser(text: text, offset: start)
    guard let string = try? parser.parseString() else { return nil }
    offset = parser.offset
    return string
  }

  /// Reads text of nothing but ASCII that has no escapes, such as a word of a definition: Swift takes some other letters
  /// for the same, which a definition does not.
  public mutating func ascii() -> String? {
    guard let (bytes, isASCII) = unescaped(), isASCII else { return nil }
    return String(copying: unsafe UTF8Span(unchecked: bytes.span, isKnownASCII: true))
  }

  /// Reads text that has no escapes, where it stands.
  @inlinable
  public mutating func plain<Value>(_ read: (UnsafeBufferPointer<UInt8>) -> Value?) -> Value? {
    guard let text = plainText() else { return nil }
    return read(text)
  }

  @usableFromInline
  mutating func plainText() -> UnsafeBufferPointer<UInt8>? { unescaped()?.bytes }

  @inline(__always)
  private mutating func unescaped() -> (bytes: UnsafeBufferPointer<UInt8>, isASCII: Bool)? {
    guard skip(UInt8(ascii: "\"")) else { return nil }
    let rest = UnsafeBufferPointer(rebasing: text[offset...])
    let (count, isASCII) = rest.plainJSON
    guard count < rest.count, rest[count] == UInt8(ascii: "\"") else { return nil }
    offset &+= count &+ 1
    return (UnsafeBufferPointer(rebasing: rest[..<count]), isASCII)
  }

  /// Reads `true` or `false`.
  public mutating func bool() -> Bool? {
    if skip("true") { return true }
    return skip("false") ? false : nil
  }

  /// Reads an integer of up to eighteen digits, which always fit.
  @inlinable
  public mutating func integer<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) -> Value? {
    guard let value = integer64() else { return nil }
    return Value(exactly: value)
  }

  @usableFromInline
  mutating func integer64() -> Int64? {
    let isNegative = skip(UInt8(ascii: "-"))
    let start = offset
    var value: Int64 = 0
    while let byte = peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
      guard offset &- start < 18 else { return nil }
      value = value &* 10 &+ Int64(byte &- UInt8(ascii: "0"))
      offset &+= 1
    }
    let digits = offset &- start
    if digits == 0 || digits > 1 && text[start] == UInt8(ascii: "0") { return nil }
    // A fraction or an exponent makes it another number.
    if let byte = peek, byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") { return nil }
    return isNegative ? -value : value
  }

  /// Reads any number.
  public mutating func float() -> Double? {
    if let value = shortFraction() { return value }
    var parser = JSONParser(text: text, offset: offset)
    guard let byte = peek, byte == UInt8(ascii: "-") || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte,
      let number = try? parser.parseNumber()
    else { return nil }
    offset = parser.offset
    switch number {
    case .float(let value): return value
    case .integer(let value): return Double(value)
    case .null, .bool, .string, .array, .object: return nil
    }
  }
}

extension JSONReader {
  /// Reads a number with a fraction and at most eighteen digits, such as those of a place are.
  private mutating func shortFraction() -> Double? {
    var place = offset
    var (digits, fraction) = (0, 0)
    var value: UInt64 = 0
    var isFraction = false
    let isNegative = place < text.count && text[place] == UInt8(ascii: "-")
    if isNegative { place &+= 1 }
    let start = place
    while place < text.count {
      let byte = text[place]
      if UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte {
        guard digits < 18 else { return nil }
        value = value &* 10 &+ UInt64(byte &- UInt8(ascii: "0"))
        digits &+= 1
        if isFraction { fraction &+= 1 }
      } else if byte == UInt8(ascii: "."), !isFraction, digits > 0 {
        isFraction = true
      } else if byte == UInt8(ascii: ".") || byte | 0x20 == UInt8(ascii: "e") {
        return nil
      } else {
        break
      }
      place &+= 1
    }
    guard fraction > 0, text[start] != UInt8(ascii: "0") || digits &- fraction == 1 else { return nil }
    offset = place
    let number = Self.quotient(value, Self.powersOfTen[fraction])
    return isNegative ? -number : number
  }

  /// The nearest that there is to a quotient of two numbers below 10¹⁸.
  ///
  /// It is divided as integers, the first moved up so far that the quotient has 62 bits at least, nine more than count. Where
  /// something is left the last of them is set, so that what is rounded then is rounded as the whole would be.
  private static func quotient(_ number: UInt64, _ divisor: UInt64) -> Double {
    guard number > 0 else { return 0 }
    let shift = 63 &+ number.leadingZeroBitCount &- divisor.leadingZeroBitCount
    let high = shift < 64 ? number &>> (64 &- shift) : number &<< (shift &- 64)
    let low = shift < 64 ? number &<< shift : 0
    let (quotient, rest) = divisor.dividingFullWidth((high, low))
    return Double(sign: .plus, exponent: -shift, significand: Double(quotient | (rest == 0 ? 0 : 1)))
  }

  private static let powersOfTen: [UInt64] = (0...18).map { (0..<$0).reduce(1) { power, _ in power * 10 } }
}

/// A type that reads itself from the text, because a hundred thousand of them arrive in a second.
public protocol JSONTextReadable: Decodable {
  /// Reads one value, which is written by its own type; nil for any other text.
  init?(from reader: inout JSONReader)
}

extension VarlinkMethod where Reply: JSONTextReadable {
  /// Lets the reply read itself: in a message with nothing beside it but `continues`.
  public static func read(
    replyIn message: UnsafeBufferPointer<UInt8>
  ) -> (reply: Reply, continues: Bool)? {
    var reader = JSONReader(text: message)
    guard reader.skip(#"{"parameters":"#), let reply = Reply(from: &reader) else { return nil }
    let continues = reader.skip(#","continues":true"#)
    guard reader.endMessage() else { return nil }
    return (reply, continues)
  }
}

/// The parameters of a call that comes all the time, which read themselves from its text, and take nothing that the
/// call's definition does not: what is read in this way is not checked against that
/// (``InterfaceDescription/validate(_:against:longestText:longTexts:mostValues:)``).
public protocol CallTextReadable: JSONTextReadable {}

extension VarlinkMethod where Parameters: CallTextReadable {
  /// Lets the parameters read themselves: in a message with nothing beside them but the method's name.
  @inlinable
  public static func read(callIn message: UnsafeBufferPointer<UInt8>, _ body: (Parameters) -> Void) -> Bool {
    var reader = JSONReader(text: message)
    guard reader.beginCall(of: name), let parameters = Parameters(from: &reader), reader.endMessage() else {
      return false
    }
    body(parameters)
    return true
  }
}
