public import EventLoop
public import Varlink

/// An interface with what its methods do. The handlers are typed; checking against the definition is
/// done before they run.
@EventLoopActor
public struct InterfaceImplementation {
  typealias Handler = @EventLoopActor (ServerCall) throws -> Void

  /// The definition.
  public let description: InterfaceDescription
  private(set) var handlers: [String: Handler] = [:]

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
    handle(method) { parameters, call in call.reply(try body(parameters, call)) }
  }

  /// A method that answers later or many times: the handler keeps the call and answers by it.
  public mutating func handle<Method: VarlinkMethod>(
    _ method: Method.Type, _ body: @escaping @EventLoopActor (Method.Parameters, ServerCall) throws -> Void
  ) {
    guard let (interface, name) = InterfaceName.split(Method.name), interface == description.name,
      description.methods[name] != nil
    else { fatalError("\(description.name) does not define \(Method.name)") }
    handlers[name] = { call in try body(try call.parameters(of: method), call) }
  }

  /// A method whose answer takes other work first; cancelled when its caller has gone.
  public mutating func onTask<Method: VarlinkMethod>(
    _ method: Method.Type,
    _ body: @escaping @EventLoopActor (Method.Parameters, ServerCall) async throws -> Method.Reply
  ) {
    handle(method) { parameters, call in
      let task = Task.onLoop {
        do { call.reply(try await body(parameters, call)) } catch { call.fail(error) }
      }
      call.onEnd { task.cancel() }
    }
  }
}
