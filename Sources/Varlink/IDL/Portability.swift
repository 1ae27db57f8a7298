extension InterfaceDescription {
  /// What in this definition one of the known parsers refuses although the language has it: systemd's an
  /// array directly inside an array or map and optional elements, Python's a one-value enum.
  public var portabilityIssues: [String] {
    let methods = self.methods.values.flatMap { method in
      [(method.name, VarlinkType.structure(method.input)), (method.name, .structure(method.output))]
    }
    let errors = self.errors.map { ($0.key, VarlinkType.structure($0.value)) }
    let types = self.types.map { ($0.key, $0.value) }
    return (methods + errors + types).flatMap { name, type in
      type.portabilityIssues.map { "\(name): \($0)" }
    }.sorted()
  }
}

extension VarlinkType {
  fileprivate var portabilityIssues: [String] {
    switch self {
    case .bool, .int, .float, .string, .object, .named: []
    case .any: ["\"any\" is new"]
    case .structure(let fields): fields.flatMap(\.type.portabilityIssues)
    case .enumeration(let values): values.count > 1 ? [] : ["an enum of one value"]
    case .optional(let wrapped): wrapped.portabilityIssues
    case .array(.optional): ["optional elements of an array"]
    case .array(.array), .array(.map), .map(.array), .map(.map): ["an array or map directly inside another"]
    case .array(let element), .map(let element): element.portabilityIssues
    }
  }
}
