package import AlbumAPI
internal import Words

extension AgentDialog {
  /// A key was pressed.
  ///
  /// - Parameter now: when it was pressed. One that comes too soon after a prompt appeared is ignored.
  package mutating func press(_ key: Key, now: Instant) -> [Action] {
    guard let prompt else { return key == .character("q") ? [.end] : [] }
    if isTooSoon(now) { return [] }
    subjects?.tryAgain()
    switch state {
    case .idle, .sending: return []
    case .choosing: return choose(key, prompt) + load()
    case .picking: return pick(key, prompt) + load()
    case .choosingDuration(let answer): return chooseDuration(key, answer) + load()
    case .choosingTime(let answer): return chooseTime(key, answer, now)
    }
  }

  /// A script answers the open prompt.
  ///
  /// - Parameter now: from which its duration counts.
  package mutating func answer(with script: ScriptedAnswer, now: Instant) -> [Action] {
    guard let prompt, case .choosing = state else { return [] }
    return send(script.answer(to: prompt, now: now))
  }

  private mutating func choose(_ key: Key, _ prompt: AgentInterface.Prompt) -> [Action] {
    switch key {
    case .character("q"): return [.end]
    case .character(Self.locationKey) where prompt.locationUsageDescription != nil: includesLocation.toggle()
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
    let wasTold = picker?.problem == .nothingSelected
    switch picker?.press(key, rows: rows) {
    case .open?, nil: break
    case .back?: state = .choosing(problem: nil)
    case .done?: return finishPicking(prompt, meansNothing: wasTold)
    }
    return []
  }

  /// - Parameter meansNothing: whether it was told before that an app will see nothing where nothing is selected.
  private mutating func finishPicking(_ prompt: AgentInterface.Prompt, meansNothing: Bool) -> [Action] {
    guard let picker else { return [] }
    let photos = picker.selectedPhotos.ids
    let albums = picker.selectedAlbums.sorted()
    if picker.rules.takesAlbums, picker.selectedCount == 0, !meansNothing {
      self.picker?.problem = .nothingSelected
      return []
    }
    guard prompt.kind == .picker else {
      return finish(
        .init(decision: .limited, assets: photos, albums: picker.rules.takesAlbums ? albums : nil), prompt)
    }
    guard !photos.isEmpty else {
      self.picker?.problem = .nothingPicked
      return []
    }
    guard photos.count >= picker.rules.minimum else {
      self.picker?.problem = .minimum(picker.rules.minimum)
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
    var answer = answer
    if includesLocation, answer.givesPhotos { answer.location = true }
    state = .sending(answer)
    return [.respond(prompt: prompt.id, answer: answer)]
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
        mediaTypes: prompt.mediaTypes, filter: prompt.filter?.asAssetFilter, minimum: prompt.minimum ?? 0)
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

  func title(in words: Words) -> String {
    switch self {
    case .hour: words[.hour]
    case .day: words[.day]
    case .week: words[.week]
    case .month: words[.month]
    }
  }
}

extension AgentDialog {
  /// What opens the picker where photos can be selected.
  package static let selectKey = AgentInterface.Decision.limited.key(for: .limitedPicker)
  /// What switches whether the app learns where photos were taken.
  static let locationKey: Character = "l"
}

extension AgentInterface.Answer {
  /// Whether the app gets any.
  var givesPhotos: Bool {
    switch decision {
    case .allow, .limited: true
    case .deny, .notNow: false
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
  package var label: String { "\(SafeText(name)) (\(SafeText(id)))" }
}
