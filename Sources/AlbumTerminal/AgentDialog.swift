package import AlbumAPI
package import Words

/// What a terminal agent shows and does, without the terminal: prompts, keys, the size of the window and the
/// daemon's news go in, actions and a screen come out.
///
/// One prompt is shown at a time; others wait, oldest first (S9). Nothing is answered that a person did
/// not answer (S11).
package struct AgentDialog: Sendable {
  /// What the shell does next.
  package enum Action: Hashable, Sendable {
    /// Send the answer; then ``answered(now:)`` or ``answerFailed(_:isFinal:now:)``.
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
  package private(set) var prompt: AgentInterface.Prompt?
  private(set) var waiting: [AgentInterface.Prompt] = []
  var state = State.idle
  /// Whether the app is to learn where photos were taken: not before the person has said so (S55).
  var includesLocation = false
  /// What is being picked; kept while the person goes back and forth.
  var picker: PhotoPicker?
  /// The photos that the prompt is about, shown with it.
  var subjects: PhotoPicker?
  let words: Words
  private(set) var rows = 24
  /// When the prompt appeared, or the last key that was ignored for coming too soon after it.
  private var unsettled: Instant?
  /// Whether a key would be taken, as of the last look at the clock: the screen shows it.
  private(set) var takesKeys = true

  /// How long after a prompt appears keys are ignored, in microseconds. A key that is held repeats after up to
  /// 660 ms (the X server's default), and was meant for the prompt before.
  static let settling: Int64 = 750_000

  /// An agent that was asked nothing yet.
  package init(words: Words = .english) {
    self.words = words
  }

  /// Whether a prompt is on the screen.
  package var isOpen: Bool { prompt != nil }

  /// Whether photos are being chosen.
  package var isPicking: Bool { if case .picking = state { true } else { false } }

  /// The pictures that are shown with what is open, where the terminal shows any: of the photo that the cursor is on while
  /// photos are being chosen, and of those that a prompt is about.
  package var pictured: [PromptPicture] {
    switch state {
    case .picking:
      guard let picker, case .photo(let asset)? = picker.row(picker.position) else { return [] }
      return [.asset(asset.id)]
    case .choosing: return prompt.map(PromptPicture.all) ?? []
    case .idle, .choosingDuration, .choosingTime, .sending: return []
    }
  }

  /// The answer that is on its way.
  package var answer: AgentInterface.Answer? {
    if case .sending(let answer) = state { answer } else { nil }
  }

  // MARK: The daemon's news

  /// The daemon asks.
  ///
  /// - Parameter now: from which keys are ignored for a moment, should it appear.
  @discardableResult
  package mutating func show(_ prompt: AgentInterface.Prompt, now: Instant) -> [Action] {
    waiting.append(prompt)
    openNext(now)
    return load()
  }

  /// The daemon takes a prompt back.
  ///
  /// - Parameter now: from which keys are ignored for a moment, should the next appear.
  package mutating func withdraw(_ withdrawal: AgentInterface.Withdrawal, now: Instant) -> [Action] {
    let gone: AgentInterface.Prompt
    if let prompt, prompt.id == withdrawal.id {
      gone = prompt
      close(now)
    } else if let index = waiting.firstIndex(where: { $0.id == withdrawal.id }) {
      gone = waiting.remove(at: index)
    } else {
      return []
    }
    return [report(.withdrawn, gone.app, "\(SafeText(withdrawal.reason))")] + load()
  }

  /// The daemon has gone, and every prompt with it (S11).
  package mutating func connectionLost() {
    waiting = []
    close(nil)
  }

  /// The daemon took the answer.
  ///
  /// - Parameter now: from which keys are ignored for a moment, should the next prompt appear.
  package mutating func answered(now: Instant) -> [Action] {
    guard let prompt, case .sending(let answer) = state else { return [] }
    close(now)
    // The record says what was answered, not only how.
    let question = words.question(prompt, label: prompt.app.label)
    let line = words[.report, ["question": question, "answer": words.answered(answer)]]
    return [.report(line)] + load()
  }

  /// The daemon did not take the answer.
  ///
  /// - Parameters:
  ///   - reason: why, unless it is final.
  ///   - isFinal: the prompt is no more; else it can be answered again.
  ///   - now: from which keys are ignored for a moment: the prompt that is there now is another one, or is there
  ///     again.
  package mutating func answerFailed(_ reason: String, isFinal: Bool, now: Instant) -> [Action] {
    guard let prompt, case .sending(let answer) = state else { return [] }
    guard isFinal else {
      unsettled = now
      // What was picked is not lost.
      if answer.assets != nil, picker != nil {
        picker?.problem = .other(reason)
        state = .picking
      } else {
        state = .choosing(problem: reason)
      }
      return load()
    }
    close(now)
    return [report(.notAnswered, prompt.app, words[.promptGone])] + load()
  }

  private func report(_ phrase: Phrase, _ app: AgentInterface.PromptApp, _ reason: String) -> Action {
    .report(words[phrase, ["app": app.label, "reason": reason]])
  }

  // MARK: The library

  /// The window has so many rows now.
  package mutating func resize(rows: Int) -> [Action] {
    self.rows = rows
    return load()
  }

  /// A part of the library was read.
  package mutating func loaded(_ loaded: PhotoPicker.Loaded, for request: PhotoPicker.Request) -> [Action] {
    picker?.take(loaded, for: request)
    subjects?.take(loaded, for: request)
    return load()
  }

  /// It cannot be read.
  package mutating func loadFailed(_ reason: String, for request: PhotoPicker.Request) {
    if picker?.pending == request { picker?.fail(reason) }
    if subjects?.pending == request { subjects?.fail(reason) }
  }

  /// Reads what is on the screen and was not read yet.
  mutating func load() -> [Action] {
    switch state {
    case .idle, .choosingDuration, .choosingTime, .sending: return []
    case .choosing: return subjects?.nextRequest(rows: rows).map { [.load($0)] } ?? []
    case .picking: return picker?.nextRequest(rows: rows).map { [.load($0)] } ?? []
    }
  }

  /// Looks at the clock: keys that are not taken yet are faint on the screen.
  ///
  /// - Returns: milliseconds until the next look; `nil` where keys are taken.
  package mutating func settle(now: Instant) -> Int? {
    let rest = unsettled.map { Self.settling - (now.microseconds - $0.microseconds) } ?? 0
    takesKeys = rest <= 0
    return takesKeys ? nil : Int((min(rest, Self.settling) + 999) / 1000)
  }

  /// Whether a key came so soon after the prompt appeared that it was meant for something else. One that did
  /// begins the time anew, so that none is taken while a key is held.
  mutating func isTooSoon(_ now: Instant) -> Bool {
    guard let since = unsettled else { return false }
    let isSettled = now.microseconds - since.microseconds >= Self.settling
    unsettled = isSettled ? nil : now
    return !isSettled
  }

  private mutating func close(_ now: Instant?) {
    prompt = nil
    picker = nil
    subjects = nil
    unsettled = nil
    includesLocation = false
    state = .idle
    if let now { openNext(now) }
  }

  private mutating func openNext(_ now: Instant) {
    guard prompt == nil, !waiting.isEmpty else { return }
    unsettled = now
    let next = waiting.removeFirst()
    prompt = next
    state = .choosing(problem: nil)
    if let assets = next.assets {
      subjects = PhotoPicker(.init(takesAlbums: false, candidates: assets))
    }
  }
}
