package import Varlink

/// What the Swift of some interfaces shall be, and a definition cannot say.
///
/// Places are those of ``Varlink/InterfaceDescription/comments``, with the interface's name before them:
/// `org.example.Library.Book.printed`.
package struct SwiftHints: Sendable {
  /// Named types that several interfaces define alike, and the interface that has the Swift type; in the others it is
  /// an alias.
  var shared: [String: String] = [:]
  /// The Swift type of single fields, by their place, in place of that of their `string`, `int` or `object`. Arrays and
  /// optionals of such a field are arrays and optionals of it.
  var types: [String: String] = [:]
  /// The Swift name of an interface, of the parameters of a method, or of its reply, by their place.
  var names: [String: String] = [:]

  /// None.
  package init() {}

  /// Reads them.
  ///
  /// ```json
  /// {
  ///   "shared": {"Language": "org.example.Library"},
  ///   "types": {"Instant": ["org.example.Library.Book.printed"]},
  ///   "names": {"org.example.Library.Watch.Reply": "Watch.Event<Item>"}
  /// }
  /// ```
  ///
  /// - Throws: ``SwiftHintError``, whose place is the key that is wrong.
  package init(_ json: JSON) throws(SwiftHintError) {
    guard let object = json.object else {
      throw SwiftHintError(place: "", reason: "an object should be here")
    }
    for member in object.members {
      switch member.name {
      case "shared": shared = try Self.strings(member.value, of: member.name)
      case "names": names = try Self.strings(member.value, of: member.name)
      case "types":
        guard let lists = member.value.object else {
          throw SwiftHintError(place: member.name, reason: "an object should be here")
        }
        for list in lists.members {
          for place in try Self.list(list.value, of: list.name) { types[place] = list.name }
        }
      default: throw SwiftHintError(place: member.name, reason: "should be shared, types or names")
      }
    }
  }

  private static func strings(_ json: JSON, of key: String) throws(SwiftHintError) -> [String: String] {
    guard let object = json.object else {
      throw SwiftHintError(place: key, reason: "an object should be here")
    }
    var strings: [String: String] = [:]
    for member in object.members {
      guard let string = member.value.string else {
        throw SwiftHintError(place: member.name, reason: "a string should be here")
      }
      strings[member.name] = string
    }
    return strings
  }

  private static func list(_ json: JSON, of key: String) throws(SwiftHintError) -> [String] {
    guard case .array(let values) = json else {
      throw SwiftHintError(place: key, reason: "a list of places should be here")
    }
    let places = values.compactMap(\.string)
    guard places.count == values.count else {
      throw SwiftHintError(place: key, reason: "a list of places should be here")
    }
    return places
  }

  /// Everything that some hint is about.
  var places: Set<String> {
    Set(shared.keys).union(types.keys).union(names.keys)
  }
}

/// A hint that is wrong, and what it is about.
package struct SwiftHintError: Error, Hashable, CustomStringConvertible {
  /// The place or the key.
  package let place: String
  /// What is the matter.
  package let reason: String

  /// Both in a line.
  package var description: String { place.isEmpty ? reason : "\(place): \(reason)" }
}
