/// Writes any `Encodable` as JSON, straight into bytes: no tree in between.
///
/// Absent optionals are left out, as Varlink wants. A type that must be fast writes itself by
/// ``JSONWritable``.
public enum JSONEncoding {
  /// The JSON text of a value.
  ///
  /// - Throws: what the value's own `encode(to:)` throws.
  public static func encode(_ value: some Encodable) throws -> [UInt8] {
    var writer = JSONWriter()
    try encode(value, into: &writer)
    return writer.finish()
  }

  /// Writes a value in the place that `writer` has come to.
  public static func encode(_ value: some Encodable, into writer: inout JSONWriter) throws {
    if let value = value as? any JSONWritable { return value.write(to: &writer) }
    let sink = Sink(borrowing: &writer)
    defer { sink.giveBack(to: &writer) }
    try sink.write(value, depth: sink.writer.depth)
  }
}

/// A type that writes its own JSON, because a million of them go by.
public protocol JSONWritable: Encodable {
  /// Writes one whole value.
  func write(to writer: inout JSONWriter)
}

/// Where all containers of one encoding write to.
private final class Sink {
  var writer = JSONWriter(reserving: 0)

  init(borrowing other: inout JSONWriter) {
    swap(&writer, &other)
  }

  func giveBack(to other: inout JSONWriter) {
    swap(&writer, &other)
  }

  func write(_ value: some Encodable, depth: Int) throws {
    switch value {
    case let value as any JSONWritable: value.write(to: &writer)
    case let value as String: writer.string(value)
    case let value as Int: writer.integer(value)
    case let value as Int64: writer.integer(value)
    case let value as Bool: writer.bool(value)
    case let value as JSON: writer.value(value)
    case let value as Double: writer.float(value)
    default:
      let start = writer.count
      try value.encode(to: ValueEncoder(sink: self, depth: depth))
      // A type without properties opens no container.
      if writer.count == start { writer.beginObject() }
      writer.close(to: depth)
    }
  }
}

private struct ValueEncoder: Encoder {
  let sink: Sink
  let depth: Int
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    sink.writer.beginObject()
    return KeyedEncodingContainer(ObjectContainer<Key>(sink: sink, depth: sink.writer.depth))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    sink.writer.beginArray()
    return ArrayContainer(sink: sink, depth: sink.writer.depth)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    ScalarContainer(sink: sink, depth: depth)
  }
}

private struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let sink: Sink
  let depth: Int
  var codingPath: [any CodingKey] { [] }

  private func announce(_ key: Key) {
    sink.writer.close(to: depth)
    sink.writer.member(key.stringValue)
  }

  mutating func encodeNil(forKey key: Key) {
    announce(key)
    sink.writer.null()
  }

  mutating func encode(_ value: some Encodable, forKey key: Key) throws {
    announce(key)
    try sink.write(value, depth: depth)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    announce(key)
    return ValueEncoder(sink: sink, depth: depth).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    announce(key)
    return ValueEncoder(sink: sink, depth: depth).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    sink.writer.close(to: depth)
    sink.writer.name("super")
    return ValueEncoder(sink: sink, depth: depth)
  }

  mutating func superEncoder(forKey key: Key) -> any Encoder {
    announce(key)
    return ValueEncoder(sink: sink, depth: depth)
  }
}

private struct ArrayContainer: UnkeyedEncodingContainer {
  let sink: Sink
  let depth: Int
  private(set) var count = 0
  var codingPath: [any CodingKey] { [] }

  init(sink: Sink, depth: Int) {
    self.sink = sink
    self.depth = depth
  }

  private mutating func announce() {
    sink.writer.close(to: depth)
    sink.writer.element()
    count += 1
  }

  mutating func encodeNil() {
    announce()
    sink.writer.null()
  }

  mutating func encode(_ value: some Encodable) throws {
    announce()
    try sink.write(value, depth: depth)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy keyType: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    announce()
    return ValueEncoder(sink: sink, depth: depth).container(keyedBy: keyType)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    announce()
    return ValueEncoder(sink: sink, depth: depth).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder {
    announce()
    return ValueEncoder(sink: sink, depth: depth)
  }
}

private struct ScalarContainer: SingleValueEncodingContainer {
  let sink: Sink
  let depth: Int
  var codingPath: [any CodingKey] { [] }

  mutating func encodeNil() { sink.writer.null() }
  mutating func encode(_ value: Bool) { sink.writer.bool(value) }
  mutating func encode(_ value: String) { sink.writer.string(value) }
  mutating func encode(_ value: Double) { sink.writer.float(value) }
  mutating func encode(_ value: Float) { sink.writer.float(Double(value)) }
  mutating func encode(_ value: Int) { sink.writer.integer(value) }
  mutating func encode(_ value: Int8) { sink.writer.integer(value) }
  mutating func encode(_ value: Int16) { sink.writer.integer(value) }
  mutating func encode(_ value: Int32) { sink.writer.integer(value) }
  mutating func encode(_ value: Int64) { sink.writer.integer(value) }
  mutating func encode(_ value: UInt) { sink.writer.integer(value) }
  mutating func encode(_ value: UInt8) { sink.writer.integer(value) }
  mutating func encode(_ value: UInt16) { sink.writer.integer(value) }
  mutating func encode(_ value: UInt32) { sink.writer.integer(value) }
  mutating func encode(_ value: UInt64) { sink.writer.integer(value) }
  mutating func encode(_ value: some Encodable) throws { try sink.write(value, depth: depth) }
}
