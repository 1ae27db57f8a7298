/// `org.varlink.service`, the interface through which every service describes itself.
public enum ServiceInterface {
  /// Source: https://varlink.org/Service.
  public static let description = """
    # The Varlink Service Interface is provided by every varlink service. It
    # describes the service and the interfaces it implements.
    interface org.varlink.service

    # Get a list of all the interfaces a service provides and information
    # about the implementation.
    method GetInfo() -> (
      vendor: string,
      product: string,
      version: string,
      url: string,
      interfaces: []string
    )

    # Get the description of an interface that is implemented by this service.
    method GetInterfaceDescription(interface: string) -> (description: string)

    # The requested interface was not found.
    error InterfaceNotFound (interface: string)

    # The requested method was not found
    error MethodNotFound (method: string)

    # The interface defines the requested method, but the service does not
    # implement it.
    error MethodNotImplemented (method: string)

    # One of the passed parameters is invalid.
    error InvalidParameter (parameter: string)

    # Client is denied access
    error PermissionDenied ()

    # Method is expected to be called with 'more' set to true, but wasn't
    error ExpectedMore ()

    """

  /// Who the service is.
  public enum GetInfo: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "org.varlink.service.GetInfo"
    /// No parameters.
    public typealias Parameters = Empty

    /// Who made what, and which interfaces it has.
    public struct Reply: Codable, Hashable, Sendable {
      /// Who made it.
      public var vendor: String
      /// What it is.
      public var product: String
      /// Which of it.
      public var version: String
      /// Where to read on.
      public var url: String
      /// The names of its interfaces.
      public var interfaces: [String]

      /// A service's card.
      public init(vendor: String, product: String, version: String, url: String, interfaces: [String]) {
        self.vendor = vendor
        self.product = product
        self.version = version
        self.url = url
        self.interfaces = interfaces
      }
    }
  }

  /// The definition of one interface.
  public enum GetInterfaceDescription: VarlinkMethod {
    /// The method's name on the wire.
    public static let name = "org.varlink.service.GetInterfaceDescription"

    /// Which interface.
    public struct Parameters: Codable, Hashable, Sendable {
      /// Its name.
      public var interface: String

      /// Names the interface.
      public init(interface: String) {
        self.interface = interface
      }
    }

    /// Its definition.
    public struct Reply: Codable, Hashable, Sendable {
      /// The text.
      public var description: String

      /// A definition's text.
      public init(description: String) {
        self.description = description
      }
    }
  }
}
