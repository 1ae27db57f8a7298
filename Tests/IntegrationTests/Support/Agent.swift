import AlbumAPI
import Testing
import Varlink

/// An owner's agent: a test answers for the person.
final class Agent {
  private let stream: Connection
  private let answers: Connection

  init(_ connect: () throws -> Connection, languages: [String]? = nil) throws {
    stream = try connect()
    answers = try connect()
    try stream.begin(
      AgentInterface.Register.self, .init(name: "test", languages: languages), more: true)
    let first = try stream.receive(AgentInterface.Register.self)
    guard first.prompt == nil, first.withdrawn == nil else {
      throw DaemonProcess.Failure("the first reply is not empty")
    }
    // The daemon knows both by then, with what it holds of them.
    try answers.roundTrip()
  }

  /// The next prompt; a withdrawal is not one.
  func prompt() throws -> AgentInterface.Prompt {
    let reply = try stream.receive(AgentInterface.Register.self)
    guard let prompt = reply.prompt else { throw DaemonProcess.Failure("no prompt but \(reply)") }
    return prompt
  }

  func withdrawal() throws -> AgentInterface.Withdrawal {
    let reply = try stream.receive(AgentInterface.Register.self)
    guard let withdrawn = reply.withdrawn else { throw DaemonProcess.Failure("no withdrawal but \(reply)") }
    return withdrawn
  }

  /// Whether nothing is shown beyond what was received, once the daemon has dealt with what it was sent.
  var isQuiet: Bool {
    get throws {
      // Twice: the second is read in a later turn of the daemon's loop than what was sent before the first.
      try answers.roundTrip()
      try answers.roundTrip()
      return stream.isQuiet
    }
  }

  @discardableResult
  func answer(
    _ prompt: AgentInterface.Prompt, _ answer: AgentInterface.Answer
  ) throws -> AgentInterface.Respond.Reply {
    try answers.call(AgentInterface.Respond.self, .init(prompt: prompt.id, answer: answer))
  }

  @discardableResult
  func answer(
    _ prompt: AgentInterface.Prompt, _ decision: AgentInterface.Decision
  ) throws -> AgentInterface.Respond.Reply {
    try answer(prompt, .init(decision: decision))
  }
}
