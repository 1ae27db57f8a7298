internal import EventLoop
internal import Glibc
internal import Varlink

/// A method that the server offers: its definition, and what it does where it is implemented.
final class MethodImplementation: Sendable {
  /// The full name.
  let name: String

  /// What serves one call, with the parameters that it came with.
  typealias Prepared = @EventLoopActor @Sendable (ServerCall) throws -> Void

  /// What came of reading the parameters of a call. Not a `Result`: what is generic holds a function in another form.
  enum Read: Sendable {
    case parameters(Prepared)
    case failure(any Error)

    /// Serves the call.
    @EventLoopActor
    func serve(_ call: ServerCall) throws {
      switch self {
      case .parameters(let prepared): try prepared(call)
      case .failure(let error): throw error
      }
    }
  }

  private let description: MethodDescription
  private let interface: InterfaceDescription
  private let handler: InterfaceImplementation.Handler?

  private let longestText: Int
  private let longTexts: [String: LongText]
  private let mostValues: [String: Int]
  /// How the text of a call names parameters that stay with it.
  private let kept: [[UInt8]]

  /// - Parameters:
  ///   - longestText: bytes of a text in a call.
  ///   - kept: the parameters that stay with a call for as long as it is served.
  init(
    _ description: MethodDescription, of interface: InterfaceImplementation, longestText: Int,
    keeping kept: [String]
  ) {
    name = "\(interface.description.name).\(description.name)"
    self.longestText = longestText
    self.kept = kept.filter { name in description.input.contains { $0.name == name } }.map {
      Array("\"\($0)\"".utf8)
    }
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

  /// Whether calls may be read straight from their text: where neither the definition nor the reply asks for more than
  /// their parameters.
  var readsText: Bool {
    handler?.read != nil && !description.requiresMore
      && !description.input.contains(where: \.holdsDescriptors)
  }

  /// Reads a call straight from its text; nil where it is to be read in the general way, which says what is wrong with it.
  ///
  /// What is read here is what would be read there: a text has no more bytes than its message, so it is not too long.
  func read(_ message: UnsafeBufferPointer<UInt8>) -> Prepared? {
    guard message.count <= longestText / 4, mayName(message), let prepared = handler?.read?(message),
      !kept.contains(where: message.holds)
    else { return nil }
    return prepared
  }

  /// Whether a call's name ends where this one would, in a text that begins with it: of nearly all others it does not.
  private func mayName(_ message: UnsafeBufferPointer<UInt8>) -> Bool {
    let end = 11 + name.utf8.count
    guard message.count > end + 1 else { return false }
    let quote = UInt8(ascii: "\"")
    // After the colon there may be a space.
    return message[end] == quote || message[end + 1] == quote
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

extension UnsafeBufferPointer<UInt8> {
  /// Whether these bytes, four at least, are somewhere in it.
  fileprivate func holds(_ bytes: [UInt8]) -> Bool {
    guard let base = UnsafeRawPointer(baseAddress), bytes.count >= 4, count >= bytes.count else {
      return false
    }
    let start = bytes.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    for offset in 0...(count - bytes.count) {
      if base.loadUnaligned(fromByteOffset: offset, as: UInt32.self) == start,
        memcmp(base + offset, bytes, bytes.count) == 0
      {
        return true
      }
    }
    return false
  }
}
