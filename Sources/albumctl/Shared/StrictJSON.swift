internal import AlbumAPI
internal import AlbumClient
internal import ArgumentParser
internal import Varlink

/// A value of an interface's type, as JSON on the command line.
///
/// Strictly: a field that there is not would be left out, and more be found than was asked for.
///
/// - Parameters:
///   - type: which of the interface's types it is.
///   - definition: the interface's.
/// - Returns: the value; or nil, and the field that is wrong, or what is no JSON.
func strictJSON<Value: Decodable>(
  _ argument: String, _ type: String, of definition: String
) -> (value: Value?, fault: String?) {
  do {
    let json = try JSON(parsing: Array(argument.utf8))
    let interface = try InterfaceDescription(parsing: definition)
    guard case .structure(let fields)? = interface.types[type], let object = json.object else {
      return (nil, argument)
    }
    try interface.validate(object, against: fields)
    return (try JSONDecoding.decode(Value.self, from: json), nil)
  } catch let error as InvalidParameter {
    return (nil, error.parameter)
  } catch { return (nil, "\(error)") }
}

/// What may be picked, on the command line, in JSON.
struct PickerFilterArgument: ExpressibleByArgument {
  /// What it is; nil where it is none.
  let filter: PickerFilter?
  /// The field that is wrong, or what is no JSON.
  let fault: String?

  init?(argument: String) {
    (filter, fault) = strictJSON(argument, "PickerFilter", of: PickerInterface.definition)
  }
}
