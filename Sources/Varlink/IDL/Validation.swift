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

/// A text of a definition's type that may be longer than others: bytes that are written as text, which nobody compares.
public struct LongText: Hashable, Sendable {
  /// The field of its type.
  public let field: String
  /// The most bytes that it has, all of them ASCII.
  public let bytes: Int

  /// A long text.
  public init(field: String, bytes: Int) {
    self.field = field
    self.bytes = bytes
  }
}

extension InterfaceDescription {
  /// Checks a value against fields of this interface, strictly: nothing missing, nothing unknown,
  /// nothing of another type.
  ///
  /// - Parameter longestText: how many bytes a text may have, a quarter of it where it is not ASCII: what is compared and
  ///   sorted by Unicode's rules takes time that grows with the square of the length.
  /// - Parameter longTexts: what may be longer, by the name of its type.
  /// - Parameter mostValues: how many values of a named type there may be, wherever they lie: of one that holds others of its
  ///   kind, three bytes are a value.
  /// - Returns: the indexes held by fields named `...FileDescriptor` or `fileDescriptors`, in order.
  /// - Throws: ``InvalidParameter`` with the first field that is wrong.
  @discardableResult
  public func validate(
    _ object: JSONObject, against fields: [VarlinkField], longestText: Int = .max,
    longTexts: [String: LongText] = [:], mostValues: [String: Int] = [:]
  ) throws(InvalidParameter) -> [Int] {
    var check = Validation(
      types: types, longestText: longestText, longTexts: longTexts, left: mostValues)
    do throws(Misfit) { try check.structure(object, fields) } catch {
      throw InvalidParameter(parameter: error.path)
    }
    return check.descriptorIndexes
  }
}

/// A value that is wrong, and the way to it. The way is put together while the error returns: of what is right,
/// however much a peer sends, no path is ever made.
private struct Misfit: Error {
  enum Step {
    case field(String)
    case index(Int)
  }

  /// The innermost first.
  private var steps: [Step] = []

  func inside(_ step: Step) -> Misfit {
    var outer = self
    outer.steps.append(step)
    return outer
  }

  var path: String {
    steps.reversed().reduce(into: "") { path, step in
      switch step {
      case .field(let name): path += path.isEmpty ? name : ".\(name)"
      case .index(let index): path += "[\(index)]"
      }
    }
  }
}

private struct Validation {
  let types: [String: VarlinkType]
  let longestText: Int
  let longTexts: [String: LongText]
  /// How many values there may be still, by the name of their type; others have no bound of their own.
  var left: [String: Int]
  var descriptorIndexes: [Int] = []

  mutating func structure(
    _ object: JSONObject, _ fields: [VarlinkField], _ long: LongText? = nil
  ) throws(Misfit) {
    for member in object.members where !fields.contains(where: { $0.name.isSame(as: member.name) }) {
      throw Misfit().inside(.field(Quoted(member.name).description))
    }
    for field in fields {
      let value = object[field.name] ?? .null
      if let long, long.field == field.name, case .string(let text) = value, text.isASCII(atMost: long.bytes)
      {
        continue
      }
      do throws(Misfit) { try self.value(value, field.type) } catch { throw error.inside(.field(field.name)) }
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

  private mutating func value(_ value: JSON, _ type: VarlinkType) throws(Misfit) {
    switch (type, value) {
    case (.bool, .bool), (.int, .integer), (.float, .float), (.float, .integer), (.object, .object),
      (.optional, .null):
      return
    case (.string, .string(let text)) where text.fits(longestText): return
    case (.any, let value) where value != .null: return
    case (.optional(let wrapped), let value): try self.value(value, wrapped)
    case (.enumeration(let values), .string(let string)) where values.contains { $0.isSame(as: string) }:
      return
    case (.structure(let fields), .object(let object)): try structure(object, fields)
    case (.array(let element), .array(let values)):
      for (index, value) in values.enumerated() {
        do throws(Misfit) { try self.value(value, element) } catch { throw error.inside(.index(index)) }
      }
    case (.map(let element), .object(let object)):
      for member in object.members {
        do throws(Misfit) { try self.value(member.value, element) } catch {
          throw error.inside(.field(Quoted(member.name).description))
        }
      }
    case (.named(let name), let value):
      guard let type = types[name] else { throw Misfit() }
      if let count = left[name] {
        guard count > 0 else { throw Misfit() }
        left[name] = count - 1
      }
      if let long = longTexts[name], case (.structure(let fields), .object(let object)) = (type, value) {
        return try structure(object, fields, long)
      }
      try self.value(value, type)
    case (.bool, _), (.int, _), (.float, _), (.string, _), (.object, _), (.any, _), (.enumeration, _),
      (.structure, _), (.array, _), (.map, _):
      throw Misfit()
    }
  }
}

extension String {
  fileprivate func fits(_ longest: Int) -> Bool {
    utf8.count <= longest / 4 || isASCII(atMost: longest)
  }

  fileprivate func isASCII(atMost longest: Int) -> Bool {
    utf8.count <= longest && utf8.allSatisfy { $0 < 0x80 }
  }
}
