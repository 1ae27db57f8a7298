/// A button of an authorization prompt (rule S10).
package enum PromptChoice: String, Hashable, Sendable, CaseIterable {
  /// All photos, or adding.
  case allow
  /// Selected photos.
  case limited
  /// Don't allow.
  case deny
  /// Ask again another time; decides nothing (rule S11).
  case notNow

  /// What a prompt for this level offers.
  package static func offered(for level: AccessLevel) -> [PromptChoice] {
    switch level {
    case .addOnly: [.allow, .deny, .notNow]
    case .readWrite: [.allow, .limited, .deny, .notNow]
    }
  }

  /// What it decides; nil for "not now".
  package var decided: DecidedStatus? {
    switch self {
    case .allow: .authorized
    case .limited: .limited
    case .deny: .denied
    case .notNow: nil
    }
  }
}

/// What a limited app may see, by the library's ids (rule S17).
package struct Selection: Hashable, Sendable {
  /// Single assets.
  package var assets: Set<String>
  /// Whole albums.
  package var albums: Set<String>

  /// These assets and albums.
  package init(assets: Set<String> = [], albums: Set<String> = []) {
    self.assets = assets
    self.albums = albums
  }
}

/// How an agent answers an authorization prompt.
package struct AuthorizationAnswer: Hashable, Sendable {
  /// How long the answer is to hold. The process of "until exit" is the one that asked; an agent cannot
  /// name another.
  package enum Duration: Hashable, Sendable {
    case always
    case untilExit
    case until(Timestamp)
  }

  /// The button.
  package let choice: PromptChoice
  /// For how long; nil is `always`, and the only one that goes with "not now".
  package let duration: Duration?
  /// With `limited`: what was selected; to an authorization prompt, nothing when nil.
  package let selection: Selection?
  /// The selected assets in the order in which they were selected, each once.
  package let order: [String]
  /// Whether the app learns where pictures were taken (rule S55).
  package let includesLocation: Bool

  /// An answer as received.
  package init(
    _ choice: PromptChoice, duration: Duration? = nil, selection: Selection? = nil, order: [String] = [],
    includesLocation: Bool = false
  ) {
    self.choice = choice
    self.duration = duration
    self.selection = selection
    self.order = order
    self.includesLocation = includesLocation
  }

  /// Throws when the answer does not fit a prompt for that level.
  func check(for level: AccessLevel, of app: PeerIdentity, at now: Timestamp) throws(InvalidAnswer) {
    let offered = PromptChoice.offered(for: level)
    guard offered.contains(choice) else {
      let names = offered.map(\.rawValue).joined(separator: ", ")
      throw InvalidAnswer(
        reason: "\(choice.rawValue) is not offered for \(level.rawValue); offered are \(names)")
    }
    if choice == .notNow, duration != nil {
      throw InvalidAnswer(reason: "notNow decides nothing and takes no duration")
    }
    if choice != .limited, selection != nil {
      throw InvalidAnswer(reason: "only limited takes assets and albums, not \(choice.rawValue)")
    }
    if case .until(let end) = duration, end <= now {
      throw InvalidAnswer(reason: "the time until which the answer holds has passed")
    }
    if includesLocation, level == .addOnly || choice.decided?.status.isUsable != true {
      throw InvalidAnswer(reason: "location goes with allow and limited of readWrite only")
    }
    try checkLocation(of: app)
  }

  /// Throws when it gives location to an app that does not say what for (rule S55).
  package func checkLocation(of app: PeerIdentity) throws(InvalidAnswer) {
    if includesLocation, !app.mayBeGrantedLocation {
      throw InvalidAnswer(
        reason: "the app does not say why it wants to know where photos were taken: usage.location in "
          + app.manifestFile)
    }
  }

  /// The duration as it is stored, bound to the process that asked.
  func grant(to process: ProcessInstance) -> GrantDuration {
    switch duration {
    case .always, nil: .always
    case .untilExit: .untilExit(process)
    case .until(let end): .until(end)
    }
  }
}
