// The errors of org.varlink.service, which every service may answer with. `InvalidParameter` stands
// beside the validation that throws it.

/// No interface of that name here.
public struct InterfaceNotFound: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "org.varlink.service.InterfaceNotFound"
  /// What was asked for.
  public let interface: String

  /// Names the interface.
  public init(interface: String) {
    self.interface = interface
  }
}

/// The interface has no such method.
public struct MethodNotFound: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "org.varlink.service.MethodNotFound"
  /// The full name that was called.
  public let method: String

  /// Names the method in full.
  public init(method: String) {
    self.method = method
  }
}

/// The method is described but not offered here.
public struct MethodNotImplemented: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "org.varlink.service.MethodNotImplemented"
  /// The full name that was called.
  public let method: String

  /// Names the method in full.
  public init(method: String) {
    self.method = method
  }
}

/// The peer may not call this.
public struct PermissionDenied: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "org.varlink.service.PermissionDenied"

  /// The only value.
  public init() {}
}

/// The method answers many times, and the call did not say `more`.
public struct ExpectedMore: VarlinkError, Hashable {
  /// The error's name on the wire.
  public static let name = "org.varlink.service.ExpectedMore"

  /// The only value.
  public init() {}
}
