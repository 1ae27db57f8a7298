import Varlink

extension InterfaceDescription {
  /// Parameters that a method takes: as little as there can be, whatever they are about.
  func leastParameters(of method: MethodDescription) -> JSONObject { least(method.input) }

  private func least(_ fields: [VarlinkField]) -> JSONObject {
    var object = JSONObject()
    for field in fields { object[field.name] = least(field.type) }
    return object
  }

  /// `nil` where nothing is needed.
  private func least(_ type: VarlinkType) -> JSON? {
    switch type {
    case .bool: false
    case .int: 0
    case .float: 0.5
    case .string: "x"
    case .object, .any, .map: [:]
    case .array: []
    case .structure(let fields): .object(least(fields))
    case .enumeration(let names): names.first.map(JSON.string)
    case .named(let name): types[name].flatMap(least)
    case .optional: nil
    }
  }
}
