internal import Authorization
internal import LibraryModel

/// What owners are asked besides authorization itself. Assets and albums by their public ids.
enum OwnerQuestion: PromptQuestion {
  /// Which assets and albums may a limited app see (S20)? With what is selected now.
  case limitedPicker(Selection)
  /// Which photos does the app get (S23)?
  case picker(PickerWish)
  /// Which of these picked photos may the app see from now on (S23)?
  case photoAccess([String])
  /// May the app delete these (S33)?
  case deletion([String])
  /// May the app overwrite this one (S33), by what it proposes?
  case replacement(String, by: ProposedFile?)
  /// May the app put this one's original back (S94)?
  case reversion(String)

  /// The same buttons as an authorization prompt's.
  typealias Answer = AuthorizationAnswer

  /// What is offered.
  var choices: [PromptChoice] {
    switch self {
    case .limitedPicker: [.limited, .allow, .notNow]
    case .picker: [.allow, .notNow]
    // Of one photo there are no others to leave out.
    case .photoAccess(let ids):
      ids.count > 1 ? [.allow, .limited, .deny, .notNow] : [.allow, .deny, .notNow]
    case .deletion, .replacement, .reversion: [.allow, .deny, .notNow]
    }
  }

  /// Whether an answer says if the app learns where photos were taken (S55): of those that it is handed.
  var takesLocation: Bool {
    switch self {
    case .picker: true
    case .limitedPicker, .photoAccess, .deletion, .replacement, .reversion: false
    }
  }

  /// Throws when an answer does not fit.
  func check(_ answer: AuthorizationAnswer, of app: PeerIdentity) throws(InvalidAnswer) {
    if answer.includesLocation {
      guard takesLocation, !isRefused(by: answer) else {
        throw InvalidAnswer(reason: "location goes with photos that are picked, and with nothing else here")
      }
      try answer.checkLocation(of: app)
    }
    guard answer.duration == nil else {
      throw InvalidAnswer(reason: "only access itself is granted for a time; this answer takes no duration")
    }
    switch self {
    case .limitedPicker:
      try require(answer, among: choices)
      guard (answer.selection != nil) == (answer.choice == .limited) else {
        throw InvalidAnswer(reason: "limited, and only that, takes assets and albums")
      }
    case .picker(let wish):
      // Picking is allowing what is picked; an agent may as well call it limited.
      try require(answer, among: choices + [.limited, .deny])
      let picks = answer.choice == .allow || answer.choice == .limited
      guard picks == !(answer.selection?.assets.isEmpty ?? true) else {
        throw InvalidAnswer(reason: "allow, and only that, takes the picked assets, at least one")
      }
      guard answer.selection?.albums.isEmpty ?? true else {
        throw InvalidAnswer(reason: "assets are picked one by one; albums are not taken")
      }
      guard let picked = answer.selection?.assets.count else { return }
      if wish.limit > 0, picked > wish.limit {
        throw InvalidAnswer(reason: "\(picked) assets are picked; at most \(wish.limit) may be")
      }
      if let problem = wish.problem(with: picked) { throw InvalidAnswer(reason: problem) }
    case .photoAccess(let asked):
      try require(answer, among: choices + [.limited])
      let isSome = answer.choice == .limited
      guard (answer.selection != nil) == isSome, answer.selection?.albums.isEmpty ?? true,
        answer.selection?.assets.isSubset(of: asked) ?? true
      else {
        throw InvalidAnswer(reason: "limited, and only that, takes assets, of those that the prompt names")
      }
    case .deletion, .replacement, .reversion:
      try require(answer, among: choices)
      guard answer.selection == nil else {
        throw InvalidAnswer(reason: "it is about the assets that the prompt names; the answer takes none")
      }
    }
  }

  /// Whether the app got nothing.
  func isRefused(by answer: AuthorizationAnswer) -> Bool {
    switch answer.choice {
    case .deny, .notNow: true
    case .allow, .limited: false
    }
  }

  private func require(_ answer: AuthorizationAnswer, among offered: [PromptChoice]) throws(InvalidAnswer) {
    guard !offered.contains(answer.choice) else { return }
    let names = choices.map(\.rawValue).joined(separator: ", ")
    throw InvalidAnswer(reason: "\(answer.choice.rawValue) is not offered; offered are \(names)")
  }
}
