internal import Authorization

/// What owners are asked besides authorization itself.
enum OwnerQuestion: PromptQuestion {
  /// Which assets and albums may a limited app see (S20)? With what is selected now.
  case limitedPicker(Selection)

  /// The same buttons as an authorization prompt's.
  typealias Answer = AuthorizationAnswer

  /// What is offered: another selection, full access, or to leave it.
  var choices: [PromptChoice] {
    switch self {
    case .limitedPicker: [.limited, .allow, .notNow]
    }
  }

  /// Throws when an answer does not fit.
  func check(_ answer: AuthorizationAnswer) throws(InvalidAnswer) {
    guard choices.contains(answer.choice) else {
      let names = choices.map(\.rawValue).joined(separator: ", ")
      throw InvalidAnswer(reason: "\(answer.choice.rawValue) is not offered; offered are \(names)")
    }
    guard answer.duration == nil else {
      throw InvalidAnswer(reason: "the grant keeps its duration; a picker takes none")
    }
    guard (answer.selection != nil) == (answer.choice == .limited) else {
      throw InvalidAnswer(reason: "limited, and only that, takes assets and albums")
    }
  }
}
