import Varlink
import VarlinkTransport

/// The client of the certification: passes what each step answered on to the next.
struct CertificationClient {
  let connection: ClientConnection

  func run() throws {
    var parameters = try call(Certification.Step(method: "Start", wants: [:], reply: [:]), [:])
    guard let id = parameters["client_id"] else { throw Unexpected(method: "Start", reply: parameters) }
    for step in Certification.steps {
      parameters["client_id"] = id
      parameters = try call(step, parameters)
      // Servers differ in what Test09 holds (varlink-go answers "Foo" where Python has "foo"); whoever
      // answered it checks in Test10 that it came back whole.
      let isExpected =
        step.wantsMore || step.method == "Test09"
        || JSON.object(parameters).normalized == JSON.object(step.reply).normalized
      guard isExpected else { throw Unexpected(method: step.method, reply: parameters) }
    }
  }

  /// - Returns: what the next step is called with.
  private func call(_ step: Certification.Step, _ parameters: JSONObject) throws -> JSONObject {
    try connection.send(
      Call(
        method: "\(Certification.interface).\(step.method)", parameters: parameters,
        wantsMore: step.wantsMore,
        isOneway: step.isOneway))
    if step.isOneway { return [:] }
    guard step.wantsMore else { return withoutID(try receive(step).parameters) }
    var replies: [JSON] = []
    while true {
      let reply = try receive(step)
      guard let text = reply.parameters["string"] else {
        throw Unexpected(method: step.method, reply: reply.parameters)
      }
      replies.append(text)
      if !reply.continues { return ["last_more_replies": .array(replies)] }
    }
  }

  private func receive(_ step: Certification.Step) throws -> Reply {
    let reply = try connection.receive().reply
    if let error = reply.error { throw RemoteError(name: error, parameters: reply.parameters) }
    return reply
  }

  /// Some servers repeat the id in a reply that does not define it.
  private func withoutID(_ reply: JSONObject) -> JSONObject {
    guard reply.members.count > 1 else { return reply }
    var reply = reply
    reply["client_id"] = nil
    return reply
  }
}

/// A reply that is not the one the certification foresees.
struct Unexpected: Error, CustomStringConvertible {
  let method: String
  let reply: JSONObject

  var description: String { "\(method) answered \(JSON.object(reply))" }
}
