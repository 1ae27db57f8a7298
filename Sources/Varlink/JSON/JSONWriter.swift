/// Appends JSON text to bytes: compact, UTF-8, with only the escapes that RFC 8259 requires.
///
/// Objects and arrays nest by themselves: whoever writes into an outer container again has thereby
/// closed the inner ones. That is the order in which `Encodable` types write.
public struct JSONWriter: ~Copyable {
  /// The text so far.
  public private(set) var bytes: [UInt8] = []
  private var open: [Container] = []

  private struct Container {
    let end: UInt8
    var isEmpty = true
  }

  /// An empty text.
  public init() {
    self.init(reserving: 256)
  }

  init(reserving capacity: Int) {
    bytes.reserveCapacity(capacity)
  }

  /// How many containers are open.
  var depth: Int { open.count }

  /// Closes what is open and gives the text away, followed by `terminator` if there is one.
  public consuming func finish(terminator: UInt8? = nil) -> [UInt8] {
    close(to: 0)
    if let terminator { bytes.append(terminator) }
    return bytes
  }

  /// Opens `{`; members follow by ``name(_:)``.
  public mutating func beginObject() {
    bytes.append(UInt8(ascii: "{"))
    open.append(Container(end: UInt8(ascii: "}")))
  }

  /// Opens `[`; each element is announced by ``element()``.
  public mutating func beginArray() {
    bytes.append(UInt8(ascii: "["))
    open.append(Container(end: UInt8(ascii: "]")))
  }

  /// Closes the innermost container.
  public mutating func end() {
    if let container = open.popLast() { bytes.append(container.end) }
  }

  /// Closes containers until `depth` are open.
  mutating func close(to depth: Int) {
    while open.count > depth { end() }
  }

  /// Announces an array's next element.
  public mutating func element() {
    guard !open.isEmpty else { return }
    if !open[open.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    open[open.count - 1].isEmpty = false
  }

  /// Announces an object's next member.
  public mutating func name(_ name: String) {
    element()
    string(name)
    bytes.append(UInt8(ascii: ":"))
  }

  /// Writes `null`.
  public mutating func null() {
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes an integer.
  public mutating func integer(_ value: some BinaryInteger) {
    guard let value = Int64(exactly: value) else { return bytes.append(contentsOf: String(value).utf8) }
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }

  /// Writes a number; `null` for what JSON cannot say (infinities, NaN).
  public mutating func float(_ value: Double) {
    if value.isFinite { bytes.append(contentsOf: value.description.utf8) } else { null() }
  }

  /// Writes text in quotes.
  public mutating func string(_ value: String) {
    bytes.append(UInt8(ascii: "\""))
    var value = value
    value.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices {
        let byte = utf8[index]
        guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
        bytes.append(contentsOf: utf8[start..<index])
        escape(byte)
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
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
      bytes.append(contentsOf: "u00".utf8)
      for digit in [byte >> 4, byte & 15] {
        bytes.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }

  /// Appends text that is JSON already: one whole value.
  public mutating func raw(_ text: some Sequence<UInt8>) {
    bytes.append(contentsOf: text)
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
      name(member.name)
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
