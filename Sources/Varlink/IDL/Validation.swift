/// A value that is not what the definition says: the standard error `InvalidParameter`.
public struct InvalidParameter: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "org.varlink.service.InvalidParameter"
  /// The field; inside another one as `items[0].filename`.
  public let parameter: String

  /// An error about one field.
  public init(parameter: String) {
    self.parameter = parameter
  }
}

extension InterfaceDescription {
  /// Checks a value against fields of this interface, strictly: nothing missing, nothing unknown,
  /// nothing of another type.
  ///
  /// - Returns: the indexes held by fields named `...FileDescriptor` or `fileDescriptors`, in order.
  /// - Throws: ``InvalidParameter`` with the first field that is wrong.
  @discardableResult
  public func validate(
    _ object: JSONObject, against fields: [VarlinkField]
  ) throws(InvalidParameter) -> [Int] {
    var check = Validation(types: types)
    try check.structure(object, fields, path: "")
    return check.descriptorIndexes
  }
}

private struct Validation {
  let types: [String: VarlinkType]
  var descriptorIndexes: [Int] = []

  mutating func structure(
    _ object: JSONObject, _ fields: [VarlinkField], path: String
  ) throws(InvalidParameter) {
    for member in object.members where !fields.contains(where: { $0.name == member.name }) {
      throw InvalidParameter(parameter: join(path, member.name))
    }
    for field in fields {
      let value = object[field.name] ?? .null
      try self.value(value, field.type, path: join(path, field.name))
      if field.holdsDescriptors { collect(value) }
    }
  }

  private mutating func collect(_ value: JSON) {
    switch value {
    case .integer(let index): descriptorIndexes.append(Int(index))
    case .array(let values): for value in values { collect(value) }
    case .null, .bool, .float, .string, .object: break
    }
  }

  private func join(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  private mutating func value(
    _ value: JSON, _ type: VarlinkType, path: String
  ) throws(InvalidParameter) {
    switch (type, value) {
    case (.bool, .bool), (.int, .integer), (.float, .float), (.float, .integer), (.string, .string),
      (.object, .object), (.optional, .null):
      return
    case (.any, let value) where value != .null: return
    case (.optional(let wrapped), let value): try self.value(value, wrapped, path: path)
    case (.enumeration(let values), .string(let string)) where values.contains(string): return
    case (.structure(let fields), .object(let object)): try structure(object, fields, path: path)
    case (.array(let element), .array(let values)):
      for (index, value) in values.enumerated() { try self.value(value, element, path: "\(path)[\(index)]") }
    case (.map(let element), .object(let object)):
      for member in object.members { try self.value(member.value, element, path: join(path, member.name)) }
    case (.named(let name), let value):
      guard let type = types[name] else { throw InvalidParameter(parameter: path) }
      try self.value(value, type, path: path)
    case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.any, _), (.enumeration, _),
      (.structure, _), (.array, _), (.map, _):
      throw InvalidParameter(parameter: path)
    }
  }
}
