/// Appends JSON text to bytes: compact, UTF-8, with only the escapes that RFC 8259 requires.
///
/// Objects and arrays nest by themselves: whoever writes into an outer container again has thereby
/// closed the inner ones. That is the order in which `Encodable` types write.
public struct JSONWriter: ~Copyable {
  private var bytes: ByteBuffer
  /// The innermost container that is open, if any is, the one around it, and those around that. Most replies have two, for
  /// which no memory is asked.
  private var inner = Container.none
  private var second = Container.none
  private var outer: [Container] = []

  private struct Container {
    /// What closes it; zero where none is open.
    let end: UInt8
    var isEmpty = true

    static let none = Container(end: 0)
    var isOpen: Bool { end != 0 }

    /// Has something in it from now on. Where none is open, nothing follows something.
    ///
    /// - Returns: whether it had nothing.
    @inline(__always)
    mutating func begin() -> Bool {
      defer { isEmpty = !isOpen }
      return isEmpty
    }
  }

  /// An empty text.
  public init() {
    self.init(reserving: 512)
  }

  init(reserving capacity: Int) {
    bytes = ByteBuffer(capacity: capacity)
  }

  /// The length of the text so far, in bytes.
  var count: Int { bytes.count }

  /// How many containers are open.
  var depth: Int { !inner.isOpen ? 0 : !second.isOpen ? 1 : outer.count + 2 }

  /// Closes what is open and gives the text away, followed by `terminator` if there is one.
  public consuming func finish(terminator: UInt8? = nil) -> [UInt8] {
    close(to: 0)
    if let terminator { bytes.append(terminator) }
    return bytes.array
  }

  /// Opens `{`; members follow by ``name(_:)``.
  public mutating func beginObject() {
    bytes.append(UInt8(ascii: "{"))
    open(Container(end: UInt8(ascii: "}")))
  }

  /// Opens `[`; each element is announced by ``element()``.
  public mutating func beginArray() {
    bytes.append(UInt8(ascii: "["))
    open(Container(end: UInt8(ascii: "]")))
  }

  private mutating func open(_ container: Container) {
    if second.isOpen { outer.append(second) }
    second = inner
    inner = container
  }

  /// Closes the innermost container.
  public mutating func end() {
    guard inner.isOpen else { return }
    bytes.append(inner.end)
    inner = second
    second = outer.isEmpty ? .none : outer.removeLast()
  }

  /// Closes containers until `depth` are open.
  mutating func close(to depth: Int) {
    while self.depth > depth { end() }
  }

  /// Announces an array's next element.
  public mutating func element() {
    if !inner.begin() { bytes.append(UInt8(ascii: ",")) }
  }

  /// Announces an object's next member.
  ///
  /// - Parameter name: as it is written in a definition: nothing in it is escaped.
  public mutating func name(_ name: StaticString) {
    bytes.append(member: name, isFirst: inner.begin())
  }

  /// Announces an object's next member, of any name.
  public mutating func member(_ name: String) {
    element()
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes `null`.
  public mutating func null() {
    bytes.append("null")
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    bytes.append(value ? "true" : "false")
  }

  /// Writes an integer.
  public mutating func integer(_ value: some BinaryInteger) {
    guard let value = Int64(exactly: value) else { return raw(String(value).utf8) }
    bytes.append(atMost: 20) { digits in
      var rest = value.magnitude
      var start = digits.count
      repeat {
        start &-= 1
        digits[start] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
        rest /= 10
      } while rest > 0
      if value < 0 {
        start &-= 1
        digits[start] = UInt8(ascii: "-")
      }
      for place in start..<digits.count { digits[place &- start] = digits[place] }
      return digits.count - start
    }
  }

  /// Writes a number; `null` for what JSON cannot say (infinities, NaN).
  public mutating func float(_ value: Double) {
    if value.isFinite { raw(value.description.utf8) } else { null() }
  }

  /// Writes text in quotes.
  public mutating func string(_ value: String) {
    var value = value
    value.withUTF8 { string(utf8: $0) }
  }

  /// Writes text in quotes.
  ///
  /// - Parameter utf8: valid UTF-8.
  public mutating func string(utf8: UnsafeBufferPointer<UInt8>) {
    var plain = utf8.countOfPlainJSON
    guard plain < utf8.count else { return bytes.append(utf8, between: "\"", and: "\"") }
    bytes.append(UInt8(ascii: "\""))
    var rest = utf8
    while true {
      bytes.append(UnsafeBufferPointer(rebasing: rest[..<plain]))
      guard plain < rest.count else { break }
      escape(rest[plain])
      rest = UnsafeBufferPointer(rebasing: rest[(plain + 1)...])
      plain = rest.countOfPlainJSON
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes text in quotes that is made in place.
  ///
  /// - Parameters:
  ///   - most: room for so many bytes is made.
  ///   - write: fills it with ASCII of which nothing needs an escape, and returns how many bytes it wrote.
  public mutating func ascii(atMost most: Int, _ write: (UnsafeMutableBufferPointer<UInt8>) -> Int) {
    bytes.append(UInt8(ascii: "\""))
    bytes.append(atMost: most, write)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    default:
      bytes.append("u00")
      for digit in [byte >> 4, byte & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  /// Appends text that is JSON already: one whole value.
  public mutating func raw(_ text: some Sequence<UInt8>) {
    guard text.withContiguousStorageIfAvailable({ bytes.append($0) }) == nil else { return }
    for byte in text { bytes.append(byte) }
  }

  /// Writes a value.
  public mutating func value(_ value: JSON) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): integer(value)
    case .float(let value): float(value)
    case .string(let value): string(value)
    case .array(let values):
      beginArray()
      for value in values {
        element()
        self.value(value)
      }
      end()
    case .object(let object): self.object(object)
    }
  }

  /// Writes an object.
  public mutating func object(_ object: JSONObject) {
    beginObject()
    for member in object.members {
      self.member(member.name)
      value(member.value)
    }
    end()
  }
}

extension JSON: CustomStringConvertible {
  /// The value as compact JSON text.
  public var description: String {
    var writer = JSONWriter()
    writer.value(self)
    return String(decoding: writer.finish(), as: UTF8.self)
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How many bytes at the start stand in a JSON string as they are: up to a quote, a backslash or a control character.
  var countOfPlainJSON: Int { plainJSON.count }

  /// The same, and whether all of these are ASCII.
  var plainJSON: (count: Int, isASCII: Bool) {
    guard let base = UnsafeRawPointer(baseAddress) else { return (0, true) }
    var index = 0
    var all: UInt64 = 0
    // Eight at a time, while none of them is one; a byte above 0x7f is none.
    while index &+ 8 <= count {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if word.hasByte(below: 0x20) || word.hasByte(UInt8(ascii: "\"")) || word.hasByte(UInt8(ascii: "\\")) {
        break
      }
      all |= word
      index &+= 8
    }
    while index < count, !self[index].needsEscape {
      all |= UInt64(self[index])
      index &+= 1
    }
    return (index, !all.hasHighBit)
  }
}

extension UInt8 {
  fileprivate var needsEscape: Bool {
    self < 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "\\")
  }
}

// Source: Sean Eron Anderson, "Bit Twiddling Hacks": whether a word has a byte that is zero, or less than n.
extension UInt64 {
  private static var ones: UInt64 { 0x0101_0101_0101_0101 }
  private static var highs: UInt64 { 0x8080_8080_8080_8080 }

  @inline(__always)
  fileprivate var hasHighBit: Bool { self & Self.highs != 0 }

  @inline(__always)
  fileprivate func hasByte(below bound: UInt8) -> Bool {
    (self &- Self.ones &* UInt64(bound)) & ~self & Self.highs != 0
  }

  @inline(__always)
  fileprivate func hasByte(_ byte: UInt8) -> Bool {
    (self ^ Self.ones &* UInt64(byte)).hasByte(below: 1)
  }
}
