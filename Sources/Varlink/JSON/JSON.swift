/// A JSON value as Varlink uses it: integers and floats apart, objects in the order they came in.
///
/// Source: RFC 8259, and the restrictions of https://varlink.org/Method-Call.
public enum JSON: Hashable, Sendable {
  /// `null`: the same as an absent field.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other number.
  case float(Double)
  /// Unicode text.
  case string(String)
  /// A list.
  case array([JSON])
  /// Named values.
  case object(JSONObject)
}

/// The members of a JSON object in their order; no name occurs twice.
///
/// Varlink objects are small, so a name is found by looking at each.
public struct JSONObject: Hashable, Sendable {
  /// One named value.
  public struct Member: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The value.
    public var value: JSON

    /// Names are bytes.
    public static func == (one: Member, other: Member) -> Bool {
      one.name.isSame(as: other.name) && one.value == other.value
    }

    /// Of the name's bytes.
    public func hash(into hasher: inout Hasher) {
      name.hashBytes(into: &hasher)
      value.hash(into: &hasher)
    }
  }

  /// In the order of the text.
  public private(set) var members: [Member]

  /// An object without members.
  public init() {
    members = []
  }

  /// The value of a name; setting `nil` removes the member.
  public subscript(name: String) -> JSON? {
    get { members.first { $0.name.isSame(as: name) }?.value }
    set {
      let index = members.firstIndex { $0.name.isSame(as: name) }
      switch (index, newValue) {
      case (let index?, let value?): members[index].value = value
      case (let index?, nil): members.remove(at: index)
      case (nil, let value?): members.append(Member(name: name, value: value))
      case (nil, nil): break
      }
    }
  }

  /// Members of which no two have the same name.
  init(members: [Member]) {
    self.members = members
  }
}

extension JSON {
  /// Texts are the same when their bytes are.
  public static func == (one: JSON, other: JSON) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.bool(let one), .bool(let other)): one == other
    case (.integer(let one), .integer(let other)): one == other
    case (.float(let one), .float(let other)): one == other
    case (.string(let one), .string(let other)): one.isSame(as: other)
    case (.array(let one), .array(let other)): one == other
    case (.object(let one), .object(let other)): one == other
    case (.null, _), (.bool, _), (.integer, _), (.float, _), (.string, _), (.array, _), (.object, _): false
    }
  }

  /// Of a text's bytes.
  public func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .bool(let value): value.hash(into: &hasher)
    case .integer(let value): value.hash(into: &hasher)
    case .float(let value): value.hash(into: &hasher)
    case .string(let value): value.hashBytes(into: &hasher)
    case .array(let values): values.hash(into: &hasher)
    case .object(let object): object.hash(into: &hasher)
    }
  }
}

extension JSONObject {
  /// Two objects are equal when they have the same members, in whatever order.
  public static func == (one: JSONObject, other: JSONObject) -> Bool {
    one.members.count == other.members.count
      && one.members.allSatisfy { other[$0.name] == $0.value }
  }

  /// The same for every order.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(members.reduce(into: 0) { $0 ^= $1.hashValue })
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// The later of two members of the same name wins.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self.init()
    for (name, value) in elements { self[name] = value }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral,
  ExpressibleByNilLiteral
{
  /// Text.
  public init(stringLiteral value: String) { self = .string(value) }
  /// An integer.
  public init(integerLiteral value: Int64) { self = .integer(value) }
  /// A float.
  public init(floatLiteral value: Double) { self = .float(value) }
  /// `true` or `false`.
  public init(booleanLiteral value: Bool) { self = .bool(value) }
  /// A list.
  public init(arrayLiteral elements: JSON...) { self = .array(elements) }
  /// An object.
  public init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(elements.reduce(into: JSONObject()) { $0[$1.0] = $1.1 })
  }
  /// `null`.
  public init(nilLiteral: ()) { self = .null }
}

extension JSON {
  /// The object, if it is one.
  public var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The text, if it is a string.
  public var string: String? {
    if case .string(let string) = self { string } else { nil }
  }
}
