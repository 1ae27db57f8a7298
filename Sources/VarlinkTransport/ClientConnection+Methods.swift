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
    let answer = try receive(method)
    return (answer.reply, answer.descriptors)
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
      let answer = try receive(method)
      let goesOn = try body(answer.reply, answer.descriptors)
      if !goesOn || !answer.continues { return }
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

/// One reply as its method's type, and the descriptors that came with it.
public struct TypedAnswer<Method: VarlinkMethod> {
  /// What it says.
  public let reply: Method.Reply
  /// Whether more replies to the same call follow.
  public let continues: Bool
  /// To be taken by the index that a field holds.
  public let descriptors: DescriptorBatch

  init(reply: Method.Reply, continues: Bool, descriptors: DescriptorBatch) {
    self.reply = reply
    self.continues = continues
    self.descriptors = descriptors
  }

  init(_ answer: ClientConnection.Answer) throws {
    self.init(
      reply: try answer.decoded(Method.self), continues: answer.reply.continues,
      descriptors: answer.descriptors)
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
