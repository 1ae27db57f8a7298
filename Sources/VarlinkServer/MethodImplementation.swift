internal import EventLoop
internal import Varlink

/// A method that the server offers: its definition, and what it does where it is implemented.
@EventLoopActor
final class MethodImplementation {
  private let description: MethodDescription
  private let interface: InterfaceDescription
  private let handler: InterfaceImplementation.Handler?

  init(_ description: MethodDescription, of interface: InterfaceImplementation) {
    self.description = description
    self.interface = interface.description
    handler = interface.handlers[description.name]
  }

  /// Checks the call against the definition and runs the handler.
  func serve(_ call: ServerCall) throws {
    let named = try interface.validate(call.call.parameters, against: description.input)
    guard let handler, !call.call.wantsUpgrade else {
      throw MethodNotImplemented(method: call.call.method)
    }
    if description.requiresMore && !call.call.wantsMore { throw ExpectedMore() }
    try call.checkDescriptors(named: named)
    try handler(call)
  }
}
