public import AlbumAPI

/// What a terminal agent shows and does, without the terminal: prompts, keys and the daemon's news go in,
/// actions and a screen come out.
///
/// One prompt is shown at a time; others wait, oldest first (S9). Nothing is answered that a person did
/// not answer (S11).
public struct AgentDialog: Sendable {
  /// What the shell does next.
  public enum Action: Hashable, Sendable {
    /// Send the answer; then ``answered()`` or ``answerFailed(_:isFinal:)``.
    case respond(prompt: String, answer: AgentInterface.Answer)
    /// Fetch what can be selected, the first page or the one at a cursor; then ``loaded(_:cursor:)`` or
    /// ``loadFailed(_:)``.
    case load(cursor: String?)
    /// A line for the record above the dialog.
    case report(String)
    /// The person leaves.
    case end
  }

  enum State: Hashable, Sendable {
    case idle
    case choosing(problem: String?)
    case selecting(Selection)
    case choosingDuration(AgentInterface.Answer)
    case choosingTime(AgentInterface.Answer)
    case sending(AgentInterface.Answer)
  }

  /// The open prompt.
  public private(set) var prompt: AgentInterface.Prompt?
  private(set) var waiting: [AgentInterface.Prompt] = []
  private(set) var state = State.idle

  /// An agent that was asked nothing yet.
  public init() {}

  /// Whether a prompt is on the screen.
  public var isOpen: Bool { prompt != nil }

  /// The answer that is on its way.
  public var answer: AgentInterface.Answer? {
    if case .sending(let answer) = state { answer } else { nil }
  }

  /// The daemon asks.
  public mutating func show(_ prompt: AgentInterface.Prompt) {
    waiting.append(prompt)
    openNext()
  }

  /// The daemon takes a prompt back.
  public mutating func withdraw(_ withdrawal: AgentInterface.Withdrawal) -> [Action] {
    let gone: AgentInterface.Prompt
    if let prompt, prompt.id == withdrawal.id {
      gone = prompt
      close()
    } else if let index = waiting.firstIndex(where: { $0.id == withdrawal.id }) {
      gone = waiting.remove(at: index)
    } else {
      return []
    }
    return [.report("\(gone.app.label): no answer needed any more (\(SafeText(withdrawal.reason)))")]
  }

  /// The daemon has gone, and every prompt with it (S11).
  public mutating func connectionLost() {
    waiting = []
    close()
  }

  /// The daemon took the answer.
  public mutating func answered() -> [Action] {
    guard let prompt, case .sending(let answer) = state else { return [] }
    close()
    return [.report("\(prompt.app.label): \(answer.inPlainWords)")]
  }

  /// The daemon did not take the answer.
  ///
  /// - Parameter isFinal: the prompt is no more; else it can be answered again.
  public mutating func answerFailed(_ reason: String, isFinal: Bool) -> [Action] {
    guard let prompt, case .sending = state else { return [] }
    guard isFinal else {
      state = .choosing(problem: reason)
      return []
    }
    close()
    return [.report("\(prompt.app.label): not answered. \(SafeText(reason))")]
  }

  /// A page of what can be selected.
  public mutating func loaded(_ items: [Selection.Item], cursor: String?) {
    guard case .selecting(var selection) = state else { return }
    selection.add(items, cursor: cursor)
    state = .selecting(selection)
  }

  /// What can be selected cannot be read.
  public mutating func loadFailed(_ reason: String) {
    guard case .selecting = state else { return }
    state = .choosing(problem: reason)
  }

  /// A key was pressed.
  ///
  /// - Parameter now: from which spans of time are counted.
  public mutating func press(_ key: Key, now: Instant) -> [Action] {
    guard let prompt else { return key == .character("q") ? [.end] : [] }
    switch state {
    case .idle, .sending: return []
    case .choosing: return choose(key, prompt)
    case .selecting(let selection): return select(key, selection, prompt)
    case .choosingDuration(let answer): return chooseDuration(key, answer)
    case .choosingTime(let answer): return chooseTime(key, answer, now)
    }
  }

  /// A script answers the open prompt.
  public mutating func answer(with script: ScriptedAnswer) -> [Action] {
    guard let prompt, case .choosing = state else { return [] }
    return send(script.answer(to: prompt))
  }

  private mutating func choose(_ key: Key, _ prompt: AgentInterface.Prompt) -> [Action] {
    if key == .character("q") { return [.end] }
    guard let decision = prompt.choices.first(where: { key == .character($0.key) }) else { return [] }
    let answer = AgentInterface.Answer(decision: decision)
    switch decision {
    case .allow: return finish(answer, prompt)
    case .deny, .notNow: return send(answer)
    case .limited:
      state = .selecting(Selection(selected: Set(prompt.selection ?? [])))
      return [.load(cursor: nil)]
    }
  }

  private mutating func select(
    _ key: Key, _ selection: Selection, _ prompt: AgentInterface.Prompt
  ) -> [Action] {
    var selection = selection
    switch key {
    case .escape:
      state = .choosing(problem: nil)
      return []
    case .enter:
      guard selection.isLoaded else { return [] }
      return finish(
        AgentInterface.Answer(
          decision: .limited, assets: selection.selectedAssets, albums: selection.selectedAlbums), prompt)
    case .character("m"):
      guard let cursor = selection.cursor else { return [] }
      return [.load(cursor: cursor)]
    case .character(" "): selection.toggle()
    case .up, .character("k"): selection.move(by: -1)
    case .down, .character("j"): selection.move(by: 1)
    case .pageUp: selection.move(by: -10)
    case .pageDown: selection.move(by: 10)
    case .character, .backspace: return []
    }
    state = .selecting(selection)
    return []
  }

  /// A grant needs its duration (S10); everything else is for once.
  private mutating func finish(
    _ answer: AgentInterface.Answer, _ prompt: AgentInterface.Prompt
  ) -> [Action] {
    guard prompt.kind == .authorization else { return send(answer) }
    state = .choosingDuration(answer)
    return []
  }

  private mutating func chooseDuration(_ key: Key, _ answer: AgentInterface.Answer) -> [Action] {
    var answer = answer
    switch key {
    case .character("a"): answer.duration = .always
    case .character("e"): answer.duration = .untilExit
    case .character("t"):
      state = .choosingTime(answer)
      return []
    case .escape:
      state = .choosing(problem: nil)
      return []
    case .character, .enter, .backspace, .up, .down, .pageUp, .pageDown: return []
    }
    return send(answer)
  }

  private mutating func chooseTime(_ key: Key, _ answer: AgentInterface.Answer, _ now: Instant) -> [Action] {
    if key == .escape {
      state = .choosingDuration(answer)
      return []
    }
    guard let span = TimeSpan.allCases.first(where: { key == .character($0.key) }),
      let expires = Instant(argument: span.rawValue, now: now)
    else { return [] }
    var answer = answer
    answer.duration = .until
    answer.expires = expires
    return send(answer)
  }

  private mutating func send(_ answer: AgentInterface.Answer) -> [Action] {
    guard let prompt else { return [] }
    state = .sending(answer)
    return [.respond(prompt: prompt.id, answer: answer)]
  }

  private mutating func close() {
    prompt = nil
    state = .idle
    openNext()
  }

  private mutating func openNext() {
    guard prompt == nil, !waiting.isEmpty else { return }
    prompt = waiting.removeFirst()
    state = .choosing(problem: nil)
  }
}

/// The spans that a key stands for.
enum TimeSpan: String, CaseIterable {
  case hour = "1h"
  case day = "1d"
  case week = "7d"
  case month = "30d"

  var key: Character {
    switch self {
    case .hour: "h"
    case .day: "d"
    case .week: "w"
    case .month: "m"
    }
  }

  var title: String {
    switch self {
    case .hour: "One hour"
    case .day: "One day"
    case .week: "One week"
    case .month: "Thirty days"
    }
  }
}

extension AgentInterface.Decision {
  /// What chooses it.
  var key: Character {
    switch self {
    case .allow: "a"
    case .limited: "s"
    case .deny: "d"
    case .notNow: "n"
    }
  }

  var title: String {
    switch self {
    case .allow: "Allow"
    case .limited: "Select photos"
    case .deny: "Don't allow"
    case .notNow: "Not now"
    }
  }
}

extension AgentInterface.PromptApp {
  /// Its name, and the id that the name could pretend to be.
  public var label: String { "\(SafeText(name)) (\(SafeText(id)))" }
}
