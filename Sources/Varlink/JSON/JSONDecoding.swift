/// Reads any `Decodable` from a ``JSON`` value.
///
/// Types are taken as they are: a string is never a number, a float never an integer.
public enum JSONDecoding {
  /// The value as a `Value`.
  ///
  /// - Throws: `DecodingError`, whose coding path names the field.
  public static func decode<Value: Decodable>(_ type: Value.Type, from json: JSON) throws -> Value {
    try ValueDecoder(json: json, codingPath: []).read(type)
  }
}

/// A type that reads its own JSON, because a hundred thousand of them arrive in a second.
public protocol JSONReadable: Decodable {
  /// Reads one whole value; `nil` if it does not fit, and then ``JSONDecoding`` says why.
  init?(reading object: JSONObject)
}

private struct AnyKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(stringValue: String) {
    self.stringValue = stringValue
    intValue = nil
  }

  init(intValue: Int) {
    stringValue = String(intValue)
    self.intValue = intValue
  }
}

private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let json: JSON
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func mismatch(_ type: Any.Type) -> DecodingError {
    .typeMismatch(type, .init(codingPath: codingPath, debugDescription: "expected \(type)"))
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .object(let object) = json else { throw mismatch(JSONObject.self) }
    return KeyedDecodingContainer(ObjectReader<Key>(object: object, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let values) = json else { throw mismatch([JSON].self) }
    return ArrayReader(values: values, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func read<Value: Decodable>(_ type: Value.Type) throws -> Value {
    if type == JSON.self, let json = json as? Value { return json }
    return try Value(from: self)
  }

  func decodeNil() -> Bool { json == .null }

  func decode(_ type: Bool.Type) throws -> Bool {
    guard case .bool(let value) = json else { throw mismatch(type) }
    return value
  }

  func decode(_ type: String.Type) throws -> String {
    guard case .string(let value) = json else { throw mismatch(type) }
    return value
  }

  func decode(_ type: Double.Type) throws -> Double {
    switch json {
    case .float(let value): return value
    case .integer(let value): return Double(value)
    case .null, .bool, .string, .array, .object: throw mismatch(type)
    }
  }

  func decode(_ type: Float.Type) throws -> Float { Float(try decode(Double.self)) }

  private func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
    guard case .integer(let value) = json, let exact = Value(exactly: value) else { throw mismatch(type) }
    return exact
  }

  func decode(_ type: Int.Type) throws -> Int { try integer(type) }
  func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
  func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
  func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
  func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
  func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
  func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try read(type) }
}

private struct ObjectReader<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let object: JSONObject
  let codingPath: [any CodingKey]

  var allKeys: [Key] { object.members.compactMap { Key(stringValue: $0.name) } }

  func contains(_ key: Key) -> Bool { object[key.stringValue] != nil }

  func decodeNil(forKey key: Key) -> Bool { (object[key.stringValue] ?? .null) == .null }

  private func decoder(_ key: Key) throws -> ValueDecoder {
    guard let json = object[key.stringValue] else {
      throw DecodingError.keyNotFound(
        key, .init(codingPath: codingPath, debugDescription: "\(key.stringValue) is missing"))
    }
    return ValueDecoder(json: json, codingPath: codingPath + [key])
  }

  func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
    try decoder(key).read(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder(key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder(key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    ValueDecoder(json: object["super"] ?? .null, codingPath: codingPath)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
}

private struct ArrayReader: UnkeyedDecodingContainer {
  let values: [JSON]
  let codingPath: [any CodingKey]
  private(set) var currentIndex = 0

  init(values: [JSON], codingPath: [any CodingKey]) {
    self.values = values
    self.codingPath = codingPath
  }

  var count: Int? { values.count }
  var isAtEnd: Bool { currentIndex == values.count }

  private mutating func next() throws -> ValueDecoder {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        JSON.self, .init(codingPath: codingPath, debugDescription: "the array has ended"))
    }
    defer { currentIndex += 1 }
    return ValueDecoder(json: values[currentIndex], codingPath: codingPath + [AnyKey(intValue: currentIndex)])
  }

  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd, values[currentIndex] == .null else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().read(type) }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    try next().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try next().unkeyedContainer()
  }

  mutating func superDecoder() throws -> any Decoder { try next() }
}

extension JSON: Codable {
  /// Reads any JSON; only ``JSONDecoding`` can hand a whole value over.
  public init(from decoder: any Decoder) throws {
    guard let decoder = decoder as? ValueDecoder else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: decoder.codingPath, debugDescription: "JSON is read by JSONDecoding only"))
    }
    self = decoder.json
  }

  /// Writes any JSON; only ``JSONEncoding`` can take a whole value.
  public func encode(to encoder: any Encoder) throws {
    throw EncodingError.invalidValue(
      self, .init(codingPath: encoder.codingPath, debugDescription: "JSON is written by JSONEncoding only"))
  }
}
