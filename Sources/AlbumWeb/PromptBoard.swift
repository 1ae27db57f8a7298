package import AlbumAPI

/// The prompt that every open page shows (S62): which it is, since when each page has it, and whether an answer is
/// meant for it.
///
/// An agent is shown one prompt at a time (S9); more are kept all the same, in their order.
package struct PromptBoard: Sendable {
  /// How long after a page has shown a prompt its answers do not count, in microseconds: they were meant for what was
  /// there before.
  package static let settling: Int64 = 500_000
  /// Prompts and pages that are kept.
  static let limit = 64

  /// What becomes of an answer.
  package enum Verdict: Hashable, Sendable {
    /// Send it.
    case send
    /// This page has not shown the prompt for long enough, or not at all.
    case tooSoon
    /// It was answered or withdrawn, or is being answered.
    case gone
  }

  /// The prompts, that first which is shown.
  package private(set) var prompts: [AgentInterface.Prompt] = []
  private var shown: [String: Int64] = [:]
  private var answering: Set<String> = []

  /// Nobody asks.
  package init() {}

  /// What is shown.
  package var current: AgentInterface.Prompt? { prompts.first }

  /// A prompt by its id.
  package func prompt(_ id: String) -> AgentInterface.Prompt? { prompts.first { $0.id == id } }

  /// The daemon asks.
  package mutating func show(_ prompt: AgentInterface.Prompt) {
    guard prompts.count < Self.limit else { return }
    prompts.removeAll { $0.id == prompt.id }
    prompts.append(prompt)
    if prompts.count == 1 { shown = [:] }
  }

  /// The daemon takes a prompt back, or has its answer.
  package mutating func close(_ id: String) {
    prompts.removeAll { $0.id == id }
    answering.remove(id)
    shown = shown.filter { !$0.key.hasPrefix(id + " ") }
  }

  /// The daemon has gone, and every prompt with it (S11).
  package mutating func lost() { self = PromptBoard() }

  /// A session's page shows the prompt. What it showed before goes on counting.
  ///
  /// - Parameter now: microseconds of a clock that nobody sets.
  package mutating func shown(_ id: String, to session: Session, now: Int64) {
    let key = "\(id) \(session.name)"
    // It may have gone while the page was made.
    guard prompt(id) != nil, shown[key] == nil, shown.count < Self.limit else { return }
    shown[key] = now
  }

  /// A session answers a prompt.
  package func verdict(on id: String, from session: Session, now: Int64) -> Verdict {
    guard prompt(id) != nil, !answering.contains(id) else { return .gone }
    guard let since = shown["\(id) \(session.name)"], now - since >= Self.settling else { return .tooSoon }
    return .send
  }

  /// The answer is on its way.
  package mutating func send(_ id: String) { answering.insert(id) }

  /// The daemon did not take the answer; it can be given again.
  package mutating func notTaken(_ id: String) { answering.remove(id) }
}
