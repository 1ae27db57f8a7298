internal import AlbumAPI
internal import AlbumTerminal
internal import Words

/// What an agent leaves on standard output: a record for a person, or for a program.
struct AgentOutput {
  let asJSON: Bool
  let words: Words

  func registered() throws {
    if asJSON { return try Output.json(["registered": true]) }
    try Output.line(words[.registered])
  }

  func lost() throws {
    if asJSON { return try Output.json(["registered": false]) }
    try Output.line(words[.lost])
  }

  /// The open prompt, for who has no screen.
  func show(_ dialog: AgentDialog) throws {
    let lines = dialog.screen(columns: 80, rows: .max)
    try Output.write(lines.map { $0.text + "\n" }.joined())
  }

  func answered(_ prompt: AgentInterface.Prompt, _ answer: AgentInterface.Answer) throws {
    if asJSON { try Output.json(AnsweredPrompt(prompt: prompt, answer: answer)) }
  }

  func report(_ line: String) throws {
    if !asJSON { try Output.line("\(LocalTime(.now))  \(line)") }
  }
}

private struct AnsweredPrompt: Encodable {
  let prompt: AgentInterface.Prompt
  let answer: AgentInterface.Answer
}
