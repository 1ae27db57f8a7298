import Varlink

/// Writes the Swift of one interface: an enum of its name that holds a type for everything that it defines.
struct InterfaceWriter {
  let swiftName: String
  private(set) var usedHints: Set<String> = []

  private let interface: InterfaceDescription
  private let interfaces: [String: InterfaceDescription]
  private let hints: SwiftHints
  private let names: SwiftNames
  private var source = SwiftSource()
  /// The fields of structures that were named by a hint and written.
  private var named: [String: [VarlinkField]] = [:]

  init(
    _ interface: InterfaceDescription, among interfaces: [String: InterfaceDescription], hints: SwiftHints
  ) {
    self.interface = interface
    self.interfaces = interfaces
    self.hints = hints
    swiftName = Self.swiftName(of: interface.name, hints)
    names = SwiftNames(of: interface, as: swiftName)
    if hints.names[interface.name] != nil { usedHints.insert(interface.name) }
  }

  private static func swiftName(of interface: String, _ hints: SwiftHints) -> String {
    hints.names[interface] ?? SwiftNames.interface(interface)
  }

  mutating func write() throws(SwiftHintError) -> String {
    source.line("// Made by varlink-interfaces of \(interface.name).varlink: change that.")
    source.line("public import Varlink")
    source.gap()
    source.document(interface.comments[""])
    source.open("public enum \(swiftName)")
    for member in interface.members {
      source.gap()
      source.document(interface.comments[member.name])
      switch member {
      case .type(let name, let type): try self.type(name, type)
      case .method(let method): try self.method(method)
      case .error(let name, let fields):
        try structure(
          name, fields, at: name,
          conforming: "\(names.varlink("VarlinkError")), \(names.standard("Hashable"))",
          wireName: "\(interface.name).\(name)")
      }
    }
    source.close()
    source.gap()
    source.open("extension \(swiftName)")
    source.document("What `org.varlink.service.GetInterfaceDescription` answers.")
    source.literal("public static let definition", interface.text)
    source.close()
    return source.text
  }

  // MARK: Members

  private mutating func type(_ name: String, _ type: VarlinkType) throws(SwiftHintError) {
    if let owner = hints.shared[name], owner != interface.name {
      return try alias(of: name, in: owner)
    }
    try anonymous(name, type, at: name)
  }

  private mutating func alias(of name: String, in owner: String) throws(SwiftHintError) {
    usedHints.insert(name)
    guard let other = interfaces[owner] else {
      throw SwiftHintError(place: name, reason: "\(owner) is not among the interfaces")
    }
    guard interface.isAlike(other, type: name) else {
      throw SwiftHintError(place: name, reason: "\(interface.name) and \(owner) define it differently")
    }
    source.line(
      "public typealias \(name.escaped) = \(Self.swiftName(of: owner, hints)).\(name.escaped)")
  }

  private mutating func method(_ method: MethodDescription) throws(SwiftHintError) {
    source.open("public enum \(method.name.escaped): \(names.varlink("VarlinkMethod"))")
    source.document("The method's name on the wire.")
    source.line("public static let name = \"\(interface.name).\(method.name)\"")
    let messages = [
      Message(name: "Parameters", of: method.name, fields: method.input, comment: "What a call carries."),
      Message(name: "Reply", of: method.name, fields: method.output, comment: "What each reply carries."),
    ]
    var shared: [(Message, MessageName)] = []
    for message in messages {
      source.gap()
      source.document(message.comment)
      if let hint = use(hints.names, message.place) {
        let name = try MessageName(hint, of: message, in: interface)
        if try self.alias(message, name) { shared.append((message, name)) }
      } else if message.fields.isEmpty {
        source.line("public typealias \(message.name) = \(names.varlink("Empty"))")
      } else {
        try structure(message.name, message.fields, at: message.place, conforming: plainProtocols)
      }
    }
    source.close()
    for (message, name) in shared { try structure(message, name) }
  }

  /// Writes which structure a message is, and the structure, if it lies inside of the method.
  ///
  /// - Returns: whether the structure is still to be written, beside the method.
  private mutating func alias(_ message: Message, _ name: MessageName) throws(SwiftHintError) -> Bool {
    let argument = name.placeholder == nil ? "" : "<\(names.varlink("JSON"))>"
    source.line("public typealias \(message.name) = \(swiftName).\(name.path)\(argument)")
    if let written = named.updateValue(message.fields, forKey: name.path) {
      guard written == message.fields else {
        throw SwiftHintError(
          place: "\(interface.name).\(message.place)",
          reason: "another message that is called \(name.path) has other fields")
      }
      return false
    }
    if name.isInsideMethod { try structure(message, name) }
    return !name.isInsideMethod
  }

  private mutating func structure(_ message: Message, _ name: MessageName) throws(SwiftHintError) {
    source.gap()
    let item = name.placeholder.map { " `\($0)` is the type of the objects in it." } ?? ""
    source.document(message.comment + item)
    try structure(
      name.name, message.fields, at: message.place, conforming: plainProtocols, placeholder: name.placeholder)
  }

  // MARK: Types

  private var plainProtocols: String {
    ["Codable", "Hashable", "Sendable"].map(names.standard).joined(separator: ", ")
  }

  /// - Parameters:
  ///   - wireName: an error's full name.
  ///   - placeholder: what stands for the type of its objects.
  private mutating func structure(
    _ name: String, _ fields: [VarlinkField], at place: String, conforming protocols: String,
    wireName: String? = nil, placeholder: String? = nil
  ) throws(SwiftHintError) {
    let generic = placeholder.map { "<\($0): \(plainProtocols.replacing(", ", with: " & "))>" } ?? ""
    source.open("public struct \(name.escaped)\(generic): \(protocols)")
    if let wireName {
      source.document("The error's name on the wire.")
      source.line("public static let name = \"\(wireName)\"")
    }
    var parameters: [String] = []
    for field in fields {
      let type = swiftType(field.type, at: "\(place).\(field.name)", objects: placeholder)
      source.document(interface.comments["\(place).\(field.name)"])
      source.line("public var \(field.name.escaped): \(type)")
      parameters.append("\(field.name.parameter): \(type)\(field.type.isOptional ? " = nil" : "")")
    }
    for field in fields {
      guard let type = field.type.anonymous else { continue }
      source.gap()
      source.document("What `\(field.name)` holds.")
      try anonymous(field.name.anonymousTypeName, type, at: "\(place).\(field.name)")
    }
    source.gap()
    source.document("Every field by name; absent optionals stay off the wire.")
    source.open("public init", parameters: parameters)
    for field in fields { source.line("self.\(field.name.escaped) = \(field.name.argument)") }
    source.close()
    source.close()
  }

  /// A structure or an enumeration; nothing else is defined by a name or without one.
  private mutating func anonymous(
    _ name: String, _ type: VarlinkType, at place: String
  ) throws(SwiftHintError) {
    switch type {
    case .structure(let fields): try structure(name, fields, at: place, conforming: plainProtocols)
    case .enumeration(let values):
      let protocols = ["String", "Codable", "CaseIterable", "Hashable", "Sendable"].map(names.standard)
      source.open("public enum \(name.escaped): \(protocols.joined(separator: ", "))")
      for value in values {
        source.document(interface.comments["\(place).\(value)"])
        source.line("case \(value.escaped)")
      }
      source.close()
    case .bool, .int, .float, .string, .object, .any, .array, .map, .optional, .named: break
    }
  }

  private mutating func swiftType(_ type: VarlinkType, at place: String, objects: String?) -> String {
    switch type {
    case .array(let element): "[\(swiftType(element, at: place, objects: objects))]"
    case .map(let element):
      "[\(names.standard("String")): \(swiftType(element, at: place, objects: objects))]"
    case .optional(let wrapped): "\(swiftType(wrapped, at: place, objects: objects))?"
    case .named(let name): names.member(name)
    case .structure([]): names.varlink("Empty")
    case .structure, .enumeration:
      String(place.split(separator: ".").last ?? "").anonymousTypeName.escaped
    case .bool: use(hints.types, place) ?? names.standard("Bool")
    case .int: use(hints.types, place) ?? names.standard("Int")
    case .float: use(hints.types, place) ?? names.standard("Double")
    case .string: use(hints.types, place) ?? names.standard("String")
    case .object: use(hints.types, place) ?? objects ?? names.varlink("JSON")
    case .any: use(hints.types, place) ?? names.varlink("JSON")
    }
  }

  private mutating func use(_ hints: [String: String], _ place: String) -> String? {
    let full = "\(interface.name).\(place)"
    guard let hint = hints[full] else { return nil }
    usedHints.insert(full)
    return hint
  }
}
