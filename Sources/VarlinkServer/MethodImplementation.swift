internal import EventLoop
internal import Varlink

/// A method that the server offers: its definition, and what it does where it is implemented.
final class MethodImplementation: Sendable {
  /// What serves one call, with the parameters that it came with.
  typealias Prepared = @EventLoopActor @Sendable (ServerCall) throws -> Void

  private let description: MethodDescription
  private let interface: InterfaceDescription
  private let handler: InterfaceImplementation.Handler?

  private let longestText: Int
  private let longTexts: [String: LongText]
  private let mostValues: [String: Int]

  init(_ description: MethodDescription, of interface: InterfaceImplementation, longestText: Int) {
    self.longestText = longestText
    longTexts = interface.longTexts
    mostValues = interface.mostValues
    self.description = description
    self.interface = interface.description
    handler = interface.handlers[description.name]
  }

  /// Checks the call against the definition and runs the handler.
  @EventLoopActor
  func serve(_ call: ServerCall) throws {
    let (handler, named) = try check(call.call)
    try call.checkDescriptors(named: named)
    try handler.serve(call.call.parameters, call)
  }

  /// Checks a call against the definition and reads its parameters, on whatever thread.
  func prepare(_ call: Call) throws -> Prepared {
    let (handler, named) = try check(call)
    let body = try handler.prepare(call.parameters)
    return { call in
      try call.checkDescriptors(named: named)
      try body(call)
    }
  }

  private func check(_ call: Call) throws -> (InterfaceImplementation.Handler, named: [Int]) {
    let named = try interface.validate(
      call.parameters, against: description.input, longestText: longestText, longTexts: longTexts,
      mostValues: mostValues)
    guard let handler, !call.wantsUpgrade else { throw MethodNotImplemented(method: call.method) }
    if description.requiresMore && !call.wantsMore { throw ExpectedMore() }
    return (handler, named)
  }
}
