public import Linux
public import Varlink

extension ClientConnection {
  /// Calls a method and waits for its one reply.
  ///
  /// - Throws: ``Varlink/RemoteError`` when the service answers with an error; ``ConnectionError``.
  public func call<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorBatch? = nil
  ) throws -> (reply: Method.Reply, descriptors: DescriptorBatch) {
    try send(try Call(method, parameters), descriptors: descriptors)
    let answer = try receive()
    return (try answer.decoded(method), answer.descriptors)
  }

  /// Calls a method that answers many times and waits for each reply in turn.
  ///
  /// - Parameter body: receives each reply and whether more follow; `false` ends the waiting, after which
  ///   the connection is of no further use.
  public func stream<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, descriptors: DescriptorBatch? = nil,
    _ body: (Method.Reply, DescriptorBatch) throws -> Bool
  ) throws {
    try send(try Call(method, parameters, wantsMore: true), descriptors: descriptors)
    while true {
      let answer = try receive()
      let goesOn = try body(try answer.decoded(method), answer.descriptors)
      if !goesOn || !answer.reply.continues { return }
    }
  }
}

extension ClientConnection.Answer {
  /// The reply as the method's type.
  ///
  /// - Throws: ``Varlink/RemoteError`` when it is an error.
  public func decoded<Method: VarlinkMethod>(_ method: Method.Type) throws -> Method.Reply {
    if let error = reply.error { throw RemoteError(name: error, parameters: reply.parameters) }
    return try JSONDecoding.decode(Method.Reply.self, from: .object(reply.parameters))
  }
}

extension Call {
  /// A call of a typed method.
  public init<Method: VarlinkMethod>(
    _ method: Method.Type, _ parameters: Method.Parameters, wantsMore: Bool = false, isOneway: Bool = false
  ) throws {
    guard case .object(let object) = try JSON(parsing: JSONEncoding.encode(parameters)) else {
      throw ProtocolViolation("parameters are an object")
    }
    self.init(method: method.name, parameters: object, wantsMore: wantsMore, isOneway: isOneway)
  }
}
