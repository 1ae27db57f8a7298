public import EventLoop
public import Varlink

/// An interface with what its methods do. The handlers are typed; checking against the definition is
/// done before they run.
@EventLoopActor
public struct InterfaceImplementation {
  /// What a method does.
  struct Handler: Sendable {
    /// Serves a call with these parameters.
    let serve: @EventLoopActor @Sendable (JSONObject, ServerCall) throws -> Void
    /// Reads parameters on another thread; serves a call with them on the loop.
    let prepare: @Sendable (JSONObject) throws -> MethodImplementation.Prepared
    /// Reads a whole call straight from its text; nil where its parameters are not read so.
    let read: Reading?

    typealias Reading = @Sendable (UnsafeBufferPointer<UInt8>) -> MethodImplementation.Prepared?
  }

  /// The definition.
  public nonisolated let description: InterfaceDescription
  nonisolated private(set) var handlers: [String: Handler] = [:]
  /// Texts that may be longer than others, by the names of their types.
  public nonisolated var longTexts: [String: LongText] = [:]
  /// How many values of a type a call may hold, by the name of the type: for those that hold others of their kind.
  public nonisolated var mostValues: [String: Int] = [:]

  /// An interface none of whose methods is implemented yet.
  ///
  /// - Precondition: the definition is well-formed; it is part of the program.
  public init(definition: String) {
    do throws(InterfaceSyntaxError) { description = try InterfaceDescription(parsing: definition) } catch {
      fatalError("a definition in this program is malformed: \(error)\n\(definition)")
    }
  }

  /// A method that answers at once.
  public mutating func on<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ body: @escaping @EventLoopActor (Method.Parameters, ServerCall) throws -> Method.Reply
  ) {
    handle(method) { parameters, call in call.reply(try body(parameters, call), of: method) }
  }

  /// A method that answers later or many times: the handler keeps the call and answers by it.
  public mutating func handle<Method: VarlinkMethod>(
    _ method: Method.Type, _ body: @escaping @EventLoopActor (Method.Parameters, ServerCall) throws -> Void
  ) {
    guard let (interface, name) = InterfaceName.split(Method.name), interface == description.name,
      description.methods[name] != nil
    else { fatalError("\(description.name) does not define \(Method.name)") }
    handlers[name] = Handler(
      serve: { object, call in try body(try Method.parameters(in: object), call) },
      prepare: { object in
        let parameters = try Method.parameters(in: object)
        return { call in try body(parameters, call) }
      },
      read: Self.reading(method, body))
  }

  /// How calls are read straight from their text; nil where they are not.
  private static func reading<Method: VarlinkMethod>(
    _ method: Method.Type, _ body: @escaping @EventLoopActor (Method.Parameters, ServerCall) throws -> Void
  ) -> Handler.Reading? {
    guard Method.Parameters.self is any CallTextReadable.Type else { return nil }
    return { message -> MethodImplementation.Prepared? in
      var prepared: MethodImplementation.Prepared?
      _ = Method.read(callIn: message) { parameters in
        prepared = { call in
          try call.checkDescriptors(named: [])
          try body(parameters, call)
        }
      }
      return prepared
    }
  }

  /// A method whose answer takes other work first; cancelled when its caller has gone.
  public mutating func onTask<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ body: @escaping @EventLoopActor (Method.Parameters, ServerCall) async throws -> Method.Reply
  ) {
    handle(method) { parameters, call in
      // Begun in the caller's turn: what it costs before it first waits is counted there.
      let task = Task.onLoopNow {
        do { call.reply(try await body(parameters, call), of: method) } catch { call.fail(error) }
      }
      call.onEnd { task.cancel() }
    }
  }
}

extension VarlinkMethod {
  /// The parameters of a call.
  ///
  /// - Throws: ``Varlink/InvalidParameter`` with the field that does not fit.
  fileprivate static func parameters(in object: JSONObject) throws -> Parameters {
    do { return try read(object) } catch let error as DecodingError {
      throw InvalidParameter(parameter: error.fieldPath)
    }
  }
}

extension DecodingError {
  /// The field that does not fit.
  fileprivate var fieldPath: String {
    switch self {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
      context.codingPath.map(\.stringValue).joined(separator: ".")
    case .keyNotFound(let key, let context):
      (context.codingPath + [key]).map(\.stringValue).joined(separator: ".")
    @unknown default: ""
    }
  }
}
