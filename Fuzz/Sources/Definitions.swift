import AlbumAPI
import Varlink

/// Interface definitions, and parameters against them.
let definitionFuzzers = [
  Fuzzer("idl", longest: 16384) { bytes in
    guard let text = bytes.text, let interface = try? InterfaceDescription(parsing: text) else { return }
    expect(interface.text == text, "the text is kept")
    expect(InterfaceName.isValid(interface.name), "it has a name")
    let names = interface.members.map(\.name)
    expect(Set(names).count == names.count, "no two members have one name")
    expect(
      names.count == interface.types.count + interface.methods.count + interface.errors.count,
      "every member is a type, a method or an error")
    expect(
      interface.types.values.flatMap(\.references).allSatisfy { interface.types[$0] != nil },
      "every type that is named is there")
    _ = interface.portabilityIssues
    let again = try? InterfaceDescription(parsing: text + "\n# an end\n")
    expect(again?.members == interface.members, "a comment changes nothing")
  },

  // A definition, a NUL, and what is to be checked against each of its methods.
  Fuzzer("validation", longest: 8192) { bytes in
    guard let end = bytes.firstIndex(of: 0),
      let text = UnsafeBufferPointer(rebasing: bytes[..<end]).text,
      let interface = try? InterfaceDescription(parsing: text),
      case .object(let object)? = try? JSON(parsing: UnsafeBufferPointer(rebasing: bytes[(end + 1)...]))
    else { return }
    for method in interface.methods.values { checkStrictness(of: interface, method.input, object) }
  },

  // The first byte chooses a method of albumd's; then come its parameters.
  Fuzzer("parameters", longest: 16384) { bytes in
    guard let first = bytes.first,
      case .object(let object)? = try? JSON(parsing: UnsafeBufferPointer(rebasing: bytes.dropFirst()))
    else { return }
    methods[Int(first) % methods.count](object)
  },
]

/// What is missing, too much, or of another kind is refused.
private func checkStrictness(
  of interface: InterfaceDescription, _ fields: [VarlinkField], _ object: JSONObject
) {
  guard (try? interface.validate(object, against: fields)) != nil else { return }
  var other = object
  other["no field is called so"] = .integer(1)
  expect((try? interface.validate(other, against: fields)) == nil, "nothing is too much")
  for field in fields {
    other = object
    other[field.name] = nil
    if case .optional = field.type {
      expect((try? interface.validate(other, against: fields)) != nil, "what is optional may be missing")
    } else {
      expect((try? interface.validate(other, against: fields)) == nil, "nothing else is missing")
    }
  }
  let longest = object.longestText
  expect(
    longest == 0 || (try? interface.validate(object, against: fields, longestText: longest * 4)) != nil,
    "a text of the length that is allowed is taken")
}

extension JSONObject {
  fileprivate var longestText: Int { members.map(\.value.longestText).max() ?? 0 }
}

extension JSON {
  fileprivate var longestText: Int {
    switch self {
    case .null, .bool, .integer, .float: 0
    case .string(let text): text.utf8.count
    case .array(let values): values.map(\.longestText).max() ?? 0
    case .object(let object): object.longestText
    }
  }
}

/// What is valid and can be read is written as something that is valid, and read as the same.
private func method<Method: VarlinkMethod>(
  _ method: Method.Type, of interface: InterfaceDescription
) -> @Sendable (JSONObject) -> Void {
  guard let name = InterfaceName.split(Method.name)?.member, let fields = interface.methods[name]?.input
  else {
    fatalError("\(Method.name) is not defined")
  }
  return { object in
    guard let named = try? interface.validate(object, against: fields),
      let parameters = try? Method.read(object)
    else { return }
    guard let written = try? JSONEncoding.encode(parameters),
      case .object(let again)? = try? JSON(parsing: written)
    else { return expect(false, "what was read can be written") }
    expect((try? interface.validate(again, against: fields)) == named, "what is written is valid")
    let twice = (try? Method.read(again)).flatMap { try? JSONEncoding.encode($0) }
    expect(twice == written, "what is written is read as the same")
    // What reads itself, for speed, and what the compiler reads are of one mind.
    let decoded = try? JSONEncoding.encode(JSONDecoding.decode(Method.Parameters.self, from: .object(object)))
    expect(decoded == written, "there is one way to read it")
  }
}

/// What is read straight from a message's text is what the general way makes of it.
private func reading<Method: VarlinkMethod>(
  _ method: Method.Type, of interface: InterfaceDescription
) -> @Sendable (UnsafeBufferPointer<UInt8>) -> Void where Method.Parameters: CallTextReadable & Equatable {
  guard let name = InterfaceName.split(Method.name)?.member, let fields = interface.methods[name]?.input
  else { fatalError("\(Method.name) is not defined") }
  return { bytes in
    var parameters: Method.Parameters?
    guard Method.read(callIn: bytes, { parameters = $0 }), let read = parameters else { return }
    guard let call = try? Call(parsing: bytes) else { return expect(false, "what was read is a call") }
    expect(call == Call(method: Method.name, parameters: call.parameters), "of this method, without flags")
    expect(
      (try? interface.validate(call.parameters, against: fields)) == [], "which the definition allows")
    expect((try? Method.read(call.parameters)) == read, "there is one way to read it")
  }
}

/// The calls that are read straight from their text.
let callReadings: [@Sendable (UnsafeBufferPointer<UInt8>) -> Void] = [
  reading(AuthorizationInterface.GetStatus.self, of: interface(AuthorizationInterface.definition)),
  reading(LibraryInterface.OpenAsset.self, of: interface(LibraryInterface.definition)),
]

private func interface(_ definition: String) -> InterfaceDescription {
  do throws(InterfaceSyntaxError) { return try InterfaceDescription(parsing: definition) } catch {
    fatalError("\(error)")
  }
}

private let methods: [@Sendable (JSONObject) -> Void] = {
  let agent = interface(AgentInterface.definition)
  let authorization = interface(AuthorizationInterface.definition)
  let library = interface(LibraryInterface.definition)
  let manager = interface(ManagerInterface.definition)
  let picker = interface(PickerInterface.definition)
  return [
    method(AuthorizationInterface.GetStatus.self, of: authorization),
    method(AuthorizationInterface.Request.self, of: authorization),
    method(LibraryInterface.FetchAlbums.self, of: library),
    method(LibraryInterface.FetchAssets.self, of: library),
    method(LibraryInterface.Subscribe.self, of: library),
    method(LibraryInterface.OpenAsset.self, of: library),
    method(LibraryInterface.AddAssets.self, of: library),
    method(LibraryInterface.CreateAlbum.self, of: library),
    method(LibraryInterface.RenameAlbum.self, of: library),
    method(LibraryInterface.MoveAlbum.self, of: library),
    method(LibraryInterface.SetKeyAsset.self, of: library),
    method(LibraryInterface.DeleteAlbum.self, of: library),
    method(LibraryInterface.AddToAlbum.self, of: library),
    method(LibraryInterface.RemoveFromAlbum.self, of: library),
    method(LibraryInterface.RenameAsset.self, of: library),
    method(LibraryInterface.MoveAssets.self, of: library),
    method(LibraryInterface.MoveInAlbum.self, of: library),
    method(LibraryInterface.ReplaceAsset.self, of: library),
    method(LibraryInterface.GetAdjustment.self, of: library),
    method(LibraryInterface.RevertAsset.self, of: library),
    method(LibraryInterface.DeleteAssets.self, of: library),
    method(PickerInterface.Pick.self, of: picker),
    method(AgentInterface.Register.self, of: agent),
    method(AgentInterface.Respond.self, of: agent),
    method(ManagerInterface.ListApps.self, of: manager),
    method(ManagerInterface.SetAuthorization.self, of: manager),
    method(ManagerInterface.SetSelection.self, of: manager),
    method(ManagerInterface.GetSelection.self, of: manager),
    method(ManagerInterface.Reset.self, of: manager),
    method(ManagerInterface.ListAccessLog.self, of: manager),
    method(ManagerInterface.Check.self, of: manager),
    method(ManagerInterface.RestoreDeleted.self, of: manager),
    method(ManagerInterface.PurgeDeleted.self, of: manager),
  ]
}()
