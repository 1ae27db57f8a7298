/// A Varlink interface: what https://varlink.org/Interface-Definition calls a definition.
public struct InterfaceDescription: Sendable {
  /// The reversed domain name, such as `io.albumd.Library`.
  public let name: String
  /// The text it was parsed from, as a service hands it out.
  public let text: String
  /// Everything it defines, in the order of the text.
  public let members: [InterfaceMember]
  /// What the text says above a place: above the interface (the empty place), a member (`Asset`), a field or an
  /// enum's value (`Asset.created`, `Asset.mediaType.image`), a method's (`OpenAsset.Parameters.id`, `OpenAsset.Reply.asset`).
  public let comments: [String: String]
  /// Named types by name.
  public let types: [String: VarlinkType]
  /// Methods by name, without the interface's.
  public let methods: [String: MethodDescription]
  /// The parameters of each error by name.
  public let errors: [String: [VarlinkField]]
}

/// One thing that an interface defines.
public enum InterfaceMember: Hashable, Sendable {
  /// A named type.
  case type(String, VarlinkType)
  /// A method.
  case method(MethodDescription)
  /// An error, and its parameters.
  case error(String, [VarlinkField])

  /// Its name; members of all kinds share one namespace.
  public var name: String {
    switch self {
    case .type(let name, _), .error(let name, _): name
    case .method(let method): method.name
    }
  }
}

/// A method's parameters and reply.
public struct MethodDescription: Hashable, Sendable {
  /// The name without the interface's.
  public let name: String
  /// What a call carries.
  public let input: [VarlinkField]
  /// What each reply carries.
  public let output: [VarlinkField]
  /// Whether the comment above it says `[Requires 'more' flag]`: such a method is only ever streamed.
  public let requiresMore: Bool
}

/// A named value of a struct, a call, a reply or an error.
public struct VarlinkField: Hashable, Sendable {
  /// The name.
  public let name: String
  /// The type.
  public let type: VarlinkType
  /// Whether its value is an index among the descriptors of its message.
  package let holdsDescriptors: Bool

  init(name: String, type: VarlinkType) {
    self.name = name
    self.type = type
    holdsDescriptors =
      name.hasSuffix("FileDescriptor") || name == "fileDescriptor" || name == "fileDescriptors"
  }
}

/// A type of the interface definition language.
public indirect enum VarlinkType: Hashable, Sendable {
  /// `bool`
  case bool
  /// `int`: 64 bits.
  case int
  /// `float`
  case float
  /// `string`
  case string
  /// `object`: any JSON object.
  case object
  /// `any`: any JSON value.
  case any
  /// `(name: type, ...)`
  case structure([VarlinkField])
  /// `(one, two, ...)`
  case enumeration([String])
  /// `[]type`
  case array(VarlinkType)
  /// `[string]type`
  case map(VarlinkType)
  /// `?type`
  case optional(VarlinkType)
  /// A named type of the same interface.
  case named(String)
}
