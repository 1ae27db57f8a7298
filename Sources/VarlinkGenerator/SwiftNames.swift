import Varlink

/// How things of one interface are called in Swift, so that no name hides another.
struct SwiftNames {
  /// The enum that holds everything.
  let interface: String
  /// Names of members, which hide those of the standard library inside of that enum.
  private let members: Set<String>
  /// Names of types that lie deeper, and hide members where they are.
  private let nested: Set<String>

  init(of description: InterfaceDescription, as interface: String) {
    self.interface = interface
    members = Set(description.members.map(\.name))
    nested = description.members.reduce(into: ["Parameters", "Reply"]) { nested, member in
      switch member {
      case .type(_, let type): type.collectAnonymous(into: &nested)
      case .method(let method):
        VarlinkType.structure(method.input + method.output).collectAnonymous(into: &nested)
      case .error(_, let fields): VarlinkType.structure(fields).collectAnonymous(into: &nested)
      }
    }
  }

  /// `io.albumd.Library` → `LibraryInterface`.
  static func interface(_ name: String) -> String {
    let label = name.split(separator: ".").last ?? ""
    let words = label.split(separator: "-").map { String($0).capitalizedFirst }.joined()
    return (words.first?.isNumber == true ? "_" : "") + words + "Interface"
  }

  /// A type of the standard library.
  func standard(_ name: String) -> String { isHidden(name) ? "Swift.\(name)" : name }

  /// A type of `Varlink`.
  func varlink(_ name: String) -> String { isHidden(name) ? "Varlink.\(name)" : name }

  /// A named type of this interface.
  func member(_ name: String) -> String {
    nested.contains(name) ? "\(interface).\(name.escaped)" : name.escaped
  }

  private func isHidden(_ name: String) -> Bool { members.contains(name) || nested.contains(name) }
}

extension VarlinkType {
  /// The names of the types that have none here, but in Swift.
  fileprivate func collectAnonymous(into names: inout Set<String>) {
    guard case .structure(let fields) = self else { return }
    for field in fields {
      guard let anonymous = field.type.anonymous else { continue }
      names.insert(field.name.anonymousTypeName)
      anonymous.collectAnonymous(into: &names)
    }
  }

  /// The structure or enumeration without a name that a field of this type holds, alone or in arrays, maps and optionals.
  var anonymous: VarlinkType? {
    switch self {
    case .structure(let fields): fields.isEmpty ? nil : self
    case .enumeration: self
    case .array(let element), .map(let element), .optional(let element): element.anonymous
    case .bool, .int, .float, .string, .object, .any, .named: nil
    }
  }

  var isOptional: Bool {
    if case .optional = self { true } else { false }
  }
}

extension String {
  fileprivate var capitalizedFirst: String {
    guard let first else { return self }
    return first.uppercased() + dropFirst()
  }

  /// What the type is called that a field of this name brings with it: `dust_jacket` → `DustJacket`.
  var anonymousTypeName: String { split(separator: "_").map { String($0).capitalizedFirst }.joined() }

  /// The name as an identifier: in backticks where Swift needs them.
  var escaped: String { Self.keywords.contains(self) ? "`\(self)`" : self }

  /// The name as a parameter, and as what was given for it: `self` would hide what is initialized.
  var parameter: String { self == "self" ? "\(escaped) \(argument)" : escaped }
  var argument: String { self == "self" ? "self_" : escaped }

  /// Source: The Swift Programming Language, "Keywords and Punctuation": those used in declarations, statements,
  /// expressions and types, and the two names that no member may have.
  private static let keywords: Set<String> = [
    "associatedtype", "class", "deinit", "enum", "extension", "fileprivate", "func", "import", "init",
    "inout",
    "internal", "let", "operator", "precedencegroup", "private", "protocol", "public", "rethrows",
    "static", "struct", "subscript", "typealias", "var", "break", "case", "catch", "continue", "default",
    "defer", "do", "else", "fallthrough", "for", "guard", "if", "in", "repeat", "return", "switch", "throw",
    "where", "while", "Any", "as", "await", "false", "is", "nil", "self", "Self", "super", "throws", "true",
    "try", "Protocol", "Type",
  ]
}
