public import AlbumAPI

/// What a terminal agent shows and does, without the terminal: prompts, keys, the size of the window and the
/// daemon's news go in, actions and a screen come out.
///
/// One prompt is shown at a time; others wait, oldest first (S9). Nothing is answered that a person did
/// not answer (S11).
public struct AgentDialog: Sendable {
  /// What the shell does next.
  public enum Action: Hashable, Sendable {
    /// Send the answer; then ``answered()`` or ``answerFailed(_:isFinal:)``.
    case respond(prompt: String, answer: AgentInterface.Answer)
    /// Read a part of the library; then ``loaded(_:for:)`` or ``loadFailed(_:for:)``.
    case load(PhotoPicker.Request)
    /// A line for the record above the dialog.
    case report(String)
    /// The person leaves.
    case end
  }

  enum State: Hashable, Sendable {
    case idle
    case choosing(problem: String?)
    case picking
    case choosingDuration(AgentInterface.Answer)
    case choosingTime(AgentInterface.Answer)
    case sending(AgentInterface.Answer)
  }

  /// The open prompt.
  public private(set) var prompt: AgentInterface.Prompt?
  private(set) var waiting: [AgentInterface.Prompt] = []
  private(set) var state = State.idle
  /// What is being picked; kept while the person goes back and forth.
  private(set) var picker: PhotoPicker?
  /// The photos that the prompt is about, shown with it.
  private(set) var subjects: PhotoPicker?
  let words: AgentWords
  private var columns = 80
  private var rows = 24

  /// An agent that was asked nothing yet.
  public init(words: AgentWords = .english) {
    self.words = words
  }

  /// Whether a prompt is on the screen.
  public var isOpen: Bool { prompt != nil }

  /// The answer that is on its way.
  public var answer: AgentInterface.Answer? {
    if case .sending(let answer) = state { answer } else { nil }
  }

  // MARK: The daemon's news

  /// The daemon asks.
  @discardableResult
  public mutating func show(_ prompt: AgentInterface.Prompt) -> [Action] {
    waiting.append(prompt)
    openNext()
    return load()
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
    return [report(words.withdrawn, gone.app, "\(SafeText(withdrawal.reason))")] + load()
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
    return [report(words.report, prompt.app, words.answered(answer))] + load()
  }

  /// The daemon did not take the answer.
  ///
  /// - Parameter isFinal: the prompt is no more; else it can be answered again.
  public mutating func answerFailed(_ reason: String, isFinal: Bool) -> [Action] {
    guard let prompt, case .sending(let answer) = state else { return [] }
    guard isFinal else {
      // What was picked is not lost.
      if answer.assets != nil, picker != nil {
        picker?.problem = .other(reason)
        state = .picking
      } else {
        state = .choosing(problem: reason)
      }
      return load()
    }
    close()
    return [report(words.notAnswered, prompt.app, "\(SafeText(reason))")] + load()
  }

  private func report(_ text: String, _ app: AgentInterface.PromptApp, _ reason: String) -> Action {
    .report(text.filling(["app": app.label, "reason": reason]))
  }

  // MARK: The library

  /// The window has this size now.
  public mutating func resize(columns: Int, rows: Int) -> [Action] {
    (self.columns, self.rows) = (columns, rows)
    return load()
  }

  /// A part of the library was read.
  public mutating func loaded(_ loaded: PhotoPicker.Loaded, for request: PhotoPicker.Request) -> [Action] {
    picker?.take(loaded, for: request)
    subjects?.take(loaded, for: request)
    return load()
  }

  /// It cannot be read.
  public mutating func loadFailed(_ reason: String, for request: PhotoPicker.Request) {
    if picker?.pending == request { picker?.fail(reason) }
    if subjects?.pending == request { subjects?.fail(reason) }
  }

  /// Reads what is on the screen and was not read yet.
  private mutating func load() -> [Action] {
    switch state {
    case .idle, .choosingDuration, .choosingTime, .sending: return []
    case .choosing: return subjects?.nextRequest(rows: rows).map { [.load($0)] } ?? []
    case .picking: return picker?.nextRequest(rows: rows).map { [.load($0)] } ?? []
    }
  }

  // MARK: Keys

  /// A key was pressed.
  ///
  /// - Parameter now: from which spans of time are counted.
  public mutating func press(_ key: Key, now: Instant) -> [Action] {
    guard let prompt else { return key == .character("q") ? [.end] : [] }
    switch state {
    case .idle, .sending: return []
    case .choosing: return choose(key, prompt) + load()
    case .picking: return pick(key, prompt) + load()
    case .choosingDuration(let answer): return chooseDuration(key, answer) + load()
    case .choosingTime(let answer): return chooseTime(key, answer, now)
    }
  }

  /// A script answers the open prompt.
  public mutating func answer(with script: ScriptedAnswer) -> [Action] {
    guard let prompt, case .choosing = state else { return [] }
    return send(script.answer(to: prompt))
  }

  private mutating func choose(_ key: Key, _ prompt: AgentInterface.Prompt) -> [Action] {
    switch key {
    case .character("q"): return [.end]
    case .up, .down, .pageUp, .pageDown, .character("k"), .character("j"): scrollSubjects(key)
    case .character, .enter, .escape, .backspace, .left, .right, .home, .end, .tab: break
    }
    guard let decision = prompt.choices.first(where: { key == .character($0.key(for: prompt.kind)) }) else {
      return []
    }
    guard let rules = PhotoPicker.Rules(prompt, decision) else {
      return finish(AgentInterface.Answer(decision: decision), prompt)
    }
    if picker == nil { picker = PhotoPicker(rules, selection: prompt.selection ?? []) }
    state = .picking
    return []
  }

  private mutating func scrollSubjects(_ key: Key) {
    let shown = max(1, rows / 2)
    _ = subjects?.press(key, rows: shown)
  }

  private mutating func pick(_ key: Key, _ prompt: AgentInterface.Prompt) -> [Action] {
    let rows = listRows
    switch picker?.press(key, rows: rows) {
    case .open?, nil: break
    case .back?: state = .choosing(problem: nil)
    case .done?: return finishPicking(prompt)
    }
    return []
  }

  private mutating func finishPicking(_ prompt: AgentInterface.Prompt) -> [Action] {
    guard let picker else { return [] }
    let photos = picker.selectedPhotos.sorted()
    let albums = picker.selectedAlbums.sorted()
    guard prompt.kind == .picker else {
      return finish(
        .init(decision: .limited, assets: photos, albums: picker.rules.takesAlbums ? albums : nil), prompt)
    }
    guard !photos.isEmpty else {
      self.picker?.problem = .nothingPicked
      return []
    }
    return send(.init(decision: .allow, assets: photos))
  }

  /// A grant needs its duration (S10); everything else is for once.
  private mutating func finish(
    _ answer: AgentInterface.Answer, _ prompt: AgentInterface.Prompt
  ) -> [Action] {
    let isGrant = answer.decision == .allow || answer.decision == .limited
    guard prompt.kind == .authorization, isGrant else { return send(answer) }
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
      state = answer.decision == .limited ? .picking : .choosing(problem: nil)
      return []
    case .character, .enter, .backspace, .up, .down, .left, .right, .pageUp, .pageDown, .home, .end, .tab:
      return []
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
    picker = nil
    subjects = nil
    state = .idle
    openNext()
  }

  private mutating func openNext() {
    guard prompt == nil, !waiting.isEmpty else { return }
    let next = waiting.removeFirst()
    prompt = next
    state = .choosing(problem: nil)
    if let assets = next.assets {
      subjects = PhotoPicker(.init(takesAlbums: false, candidates: assets))
    }
  }

  /// How many rows of a list are on the screen.
  private var listRows: Int { max(1, rows - 6) }
}

extension PhotoPicker.Rules {
  /// What a choice has the person pick; nil when it does not.
  init?(_ prompt: AgentInterface.Prompt, _ decision: AgentInterface.Decision) {
    switch (prompt.kind, decision) {
    case (.picker, .allow):
      self.init(
        takesAlbums: false, limit: prompt.selectionLimit.flatMap { $0 > 0 ? $0 : nil },
        mediaTypes: prompt.mediaTypes)
    case (.photoAccess, .limited): self.init(takesAlbums: false, candidates: prompt.assets ?? [])
    case (_, .limited): self.init()
    case (_, .allow), (_, .deny), (_, .notNow): return nil
    }
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

  func title(in words: AgentWords) -> String {
    switch self {
    case .hour: words.hour
    case .day: words.day
    case .week: words.week
    case .month: words.month
    }
  }
}

extension AgentInterface.Decision {
  /// What chooses it.
  func key(for kind: AgentInterface.PromptKind) -> Character {
    switch (self, kind) {
    case (.allow, .picker): "p"
    case (.allow, _): "a"
    case (.limited, _): "s"
    case (.deny, _): "d"
    case (.notNow, _): "n"
    }
  }
}

extension AgentInterface.PromptApp {
  /// Its name, and the id that the name could pretend to be.
  public var label: String { "\(SafeText(name)) (\(SafeText(id)))" }
}
