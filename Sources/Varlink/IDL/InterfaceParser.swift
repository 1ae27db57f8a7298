/// A definition that does not follow the grammar, and where.
public struct InterfaceSyntaxError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rule that is broken.
  public let reason: String
  /// Counted from one.
  public let line: Int

  /// Both in a sentence.
  public var description: String { "line \(line): \(reason)" }
}

extension InterfaceDescription {
  /// Reads a definition. What is legal but refused by some parser is ``portabilityIssues``' affair.
  ///
  /// - Throws: ``InterfaceSyntaxError``.
  public init(parsing text: String) throws(InterfaceSyntaxError) {
    var parser = InterfaceParser(text: text)
    self = try parser.parse()
  }
}

private struct InterfaceParser {
  let text: String
  private let bytes: [UInt8]
  private var offset = 0
  private var line = 1
  /// How many types the next one is inside of. No value can be deeper, and each of them costs some of the stack.
  private var depth = 0
  /// The comment above the last token, and what was read of the next one's.
  private var comment = InterfaceComment(startsLine: true)
  private var nextComment = InterfaceComment(startsLine: true)

  private var members: [InterfaceMember] = []
  private var types: [String: VarlinkType] = [:]
  private var methods: [String: MethodDescription] = [:]
  private var errors: [String: [VarlinkField]] = [:]
  private var comments: [String: String] = [:]

  init(text: String) {
    self.text = text
    bytes = Array(text.utf8)
  }

  mutating func parse() throws(InterfaceSyntaxError) -> InterfaceDescription {
    guard try word() == "interface" else { throw failure("a definition begins with \"interface\"") }
    keepComment(of: "")
    skipSpace()
    let name = takeName { $0.isVarlinkNameByte || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "-") }
    guard InterfaceName.isValid(name) else { throw failure("\"\(name)\" is not an interface name") }
    while true {
      skipSpace()
      guard offset < bytes.count else { break }
      try parseMember()
    }
    try checkReferences()
    return InterfaceDescription(
      name: name, text: text, members: members, comments: comments, types: types, methods: methods,
      errors: errors)
  }

  private mutating func parseMember() throws(InterfaceSyntaxError) {
    let keyword = try word()
    let comment = self.comment
    let name = try word()
    guard let first = name.utf8.first, first.isUppercase, !name.contains("_") else {
      throw failure("\"\(name)\" should begin with a capital letter and hold letters and digits only")
    }
    guard types[name] == nil, methods[name] == nil, errors[name] == nil else {
      throw failure("\"\(name)\" is defined twice")
    }
    comments[name] = comment.text
    switch keyword {
    case "type":
      let type = try structure(at: name)
      types[name] = type
      members.append(.type(name, type))
    case "error":
      let parameters = try fields(at: name)
      errors[name] = parameters
      members.append(.error(name, parameters))
    case "method":
      let input = try fields(at: "\(name).Parameters")
      try expect("->")
      let method = MethodDescription(
        name: name, input: input, output: try fields(at: "\(name).Reply"),
        requiresMore: comment.lines.contains { $0.contains("[Requires 'more' flag]") })
      methods[name] = method
      members.append(.method(method))
    default: throw failure("\"type\", \"method\" or \"error\" should be here, not \"\(keyword)\"")
    }
  }

  // MARK: Types

  private mutating func fields(at place: String) throws(InterfaceSyntaxError) -> [VarlinkField] {
    switch try structure(at: place) {
    case .structure(let fields): return fields
    case .enumeration, .bool, .int, .float, .string, .object, .any, .array, .map, .optional, .named:
      throw failure("named and typed fields should be here")
    }
  }

  /// `(name: type, ...)` or `(one, two)`; which of them shows after the first name.
  private mutating func structure(at place: String) throws(InterfaceSyntaxError) -> VarlinkType {
    try expect("(")
    if consume(")") { return .structure([]) }
    var fields: [VarlinkField] = []
    var values: [String] = []
    repeat {
      let name = try word()
      let inner = "\(place).\(name)"
      keepComment(of: inner)
      guard VarlinkField.isValidName(name) else { throw failure("\"\(name)\" is not a field name") }
      if fields.contains(where: { $0.name == name }) || values.contains(name) {
        throw failure("\"\(name)\" occurs twice")
      }
      if consume(":") {
        fields.append(VarlinkField(name: name, type: try type(at: inner)))
      } else {
        values.append(name)
      }
    } while consume(",")
    try expect(")")
    guard fields.isEmpty || values.isEmpty else { throw failure("a field has no type") }
    if !fields.isEmpty { return .structure(fields) }
    return .enumeration(values)
  }

  private mutating func type(at place: String) throws(InterfaceSyntaxError) -> VarlinkType {
    guard depth < JSON.maximumDepth else {
      throw failure("a type has more than \(JSON.maximumDepth) inside of one another")
    }
    depth += 1
    defer { depth -= 1 }
    if consume("?") {
      let wrapped = try type(at: place)
      if case .optional = wrapped { throw failure("a type can be optional once only") }
      return .optional(wrapped)
    }
    if consume("[") {
      let isMap = !consume("]")
      if isMap {
        guard try word() == "string" else { throw failure("a map's key is a string") }
        try expect("]")
      }
      return isMap ? .map(try type(at: place)) : .array(try type(at: place))
    }
    skipSpace()
    if offset < bytes.count, bytes[offset] == UInt8(ascii: "(") { return try structure(at: place) }
    let name = try word()
    switch name {
    case "bool": return .bool
    case "int": return .int
    case "float": return .float
    case "string": return .string
    case "object": return .object
    case "any": return .any
    default:
      guard let first = name.utf8.first, first.isUppercase else {
        throw failure("no type is named \"\(name)\"")
      }
      return .named(name)
    }
  }

  private func checkReferences() throws(InterfaceSyntaxError) {
    let roots =
      Array(types.values)
      + methods.values.flatMap { [.structure($0.input), .structure($0.output)] }
      + errors.values.map { .structure($0) }
    for root in roots {
      for name in root.references where types[name] == nil {
        throw InterfaceSyntaxError(reason: "no type is named \"\(name)\"", line: 1)
      }
    }
  }

  // MARK: Tokens

  private func failure(_ reason: String) -> InterfaceSyntaxError {
    InterfaceSyntaxError(reason: reason, line: line)
  }

  private mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case 0x0A:
        line += 1
        offset += 1
        nextComment.endLine()
      case 0x20, 0x09, 0x0D: offset += 1
      case UInt8(ascii: "#"):
        let end = bytes[offset...].firstIndex(of: 0x0A) ?? bytes.count
        nextComment.add(String(decoding: bytes[(offset + 1)..<end], as: UTF8.self))
        offset = end
      default: return
      }
    }
  }

  /// A token was read: what was above it is its comment.
  private mutating func endToken() {
    comment = nextComment
    nextComment = InterfaceComment(startsLine: false)
  }

  private mutating func keepComment(of place: String) {
    comments[place] = comment.text
  }

  private mutating func takeName(_ belongs: (UInt8) -> Bool) -> String {
    let start = offset
    while offset < bytes.count, belongs(bytes[offset]) { offset += 1 }
    endToken()
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func word() throws(InterfaceSyntaxError) -> String {
    skipSpace()
    let name = takeName(\.isVarlinkNameByte)
    if name.isEmpty { throw failure("a name should be here") }
    return name
  }

  private mutating func consume(_ token: StaticString) -> Bool {
    skipSpace()
    let wanted = UnsafeBufferPointer(start: token.utf8Start, count: token.utf8CodeUnitCount)
    guard bytes[offset...].starts(with: wanted) else { return false }
    offset += wanted.count
    endToken()
    return true
  }

  private mutating func expect(_ token: StaticString) throws(InterfaceSyntaxError) {
    guard consume(token) else { throw failure("\"\(token)\" should be here") }
  }
}

extension UInt8 {
  fileprivate var isUppercase: Bool { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= self }
  fileprivate var isLetter: Bool { isUppercase || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self }
  fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }
  fileprivate var isVarlinkNameByte: Bool { isLetter || isDigit || self == UInt8(ascii: "_") }
}

extension VarlinkField {
  /// `[A-Za-z](_?[A-Za-z0-9])*`
  static func isValidName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard let first = bytes.first, let last = bytes.last, first.isLetter, last != UInt8(ascii: "_") else {
      return false
    }
    return bytes.allSatisfy(\.isVarlinkNameByte) && !name.contains("__")
  }
}

extension VarlinkType {
  /// The named types it mentions.
  package var references: [String] {
    switch self {
    case .bool, .int, .float, .string, .object, .any, .enumeration: []
    case .structure(let fields): fields.flatMap(\.type.references)
    case .array(let element), .map(let element), .optional(let element): element.references
    case .named(let name): [name]
    }
  }
}

/// Names of interfaces, `[A-Za-z]([-]*[A-Za-z0-9])*(\.[A-Za-z0-9]([-]*[A-Za-z0-9])*)+`.
public enum InterfaceName {
  /// Whether `name` can name an interface.
  public static func isValid(_ name: String) -> Bool {
    let labels = name.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard labels.count > 1, let first = name.utf8.first, first.isLetter else { return false }
    return labels.allSatisfy { label in
      guard let first = label.first, let last = label.last else { return false }
      return (first.isLetter || first.isDigit) && (last.isLetter || last.isDigit)
        && label.allSatisfy { $0.isLetter || $0.isDigit || $0 == UInt8(ascii: "-") }
    }
  }

  /// `io.albumd.Library.Subscribe` → (`io.albumd.Library`, `Subscribe`).
  public static func split(_ qualified: String) -> (interface: String, member: String)? {
    guard let dot = qualified.lastIndex(of: "."), dot != qualified.startIndex else { return nil }
    let member = qualified[qualified.index(after: dot)...]
    return member.isEmpty ? nil : (String(qualified[..<dot]), String(member))
  }
}
