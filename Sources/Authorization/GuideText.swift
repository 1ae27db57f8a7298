internal import Words

/// The sentences of every guide in one language, as its file states them.
///
/// Places to fill in: ``Place``.
package struct GuideText: Hashable, Sendable {
  /// What is filled into a sentence where `{name}` stands.
  package enum Place: String, Hashable, Sendable, CaseIterable {
    /// The app's name.
    case app
    /// The settings command.
    case command
    /// The policy's name.
    case policy
    /// An album's name.
    case album
    /// A number.
    case count
  }

  /// Sentences that differ by access level.
  package struct Refusal: Hashable, Sendable {
    /// One line.
    package let title: [AccessLevel: String]
    /// One or two sentences.
    package let message: [AccessLevel: String]
    /// What to do, in order.
    package let steps: [String]

    /// Both levels must be there.
    package init(title: [AccessLevel: String], message: [AccessLevel: String], steps: [String]) {
      self.title = title
      self.message = message
      self.steps = steps
    }
  }

  /// Sentences about a number of pictures.
  package struct Notice: Hashable, Sendable {
    /// One line.
    package let title: String
    /// About a single picture.
    package let one: String
    /// About any other number.
    package let other: String
    /// What to do, in order.
    package let steps: [String]
    /// What to do instead, where the desktop is known.
    package let desktops: [Desktop: [String]]

    /// A notice.
    package init(
      title: String, one: String, other: String, steps: [String], desktops: [Desktop: [String]] = [:]
    ) {
      self.title = title
      self.one = one
      self.other = other
      self.steps = steps
      self.desktops = desktops
    }
  }

  /// What stands above steps, and on buttons.
  package struct Labels: Hashable, Sendable {
    /// Above the steps after a refusal: how to allow it.
    package let howToAllow: String
    /// Above the steps that set a wallpaper.
    package let howToSetWallpaper: String
    /// The button that leads to the settings.
    package let openSettings: String
    /// The button that closes a refusal.
    package let later: String
    /// The button that closes what was a success.
    package let done: String
    /// The button that closes steps that were read.
    package let understood: String

    /// All of them.
    package init(
      howToAllow: String, howToSetWallpaper: String, openSettings: String, later: String, done: String,
      understood: String
    ) {
      self.howToAllow = howToAllow
      self.howToSetWallpaper = howToSetWallpaper
      self.openSettings = openSettings
      self.later = later
      self.done = done
      self.understood = understood
    }
  }

  /// The owner refused.
  package let denied: Refusal
  /// A policy refuses.
  package let restricted: Refusal
  /// Nobody was asked yet.
  package let notAsked: Refusal
  /// Pictures were saved.
  package let saved: Notice
  /// Pictures were saved to be the wallpaper.
  package let wallpaper: Notice
  /// Some of what was picked could not be handed over.
  package let inaccessible: Notice
  /// What stands above steps, and on buttons.
  package let labels: Labels
  /// What stands between two sentences.
  package let between: String

  /// Everything that can be said.
  package init(
    denied: Refusal, restricted: Refusal, notAsked: Refusal, saved: Notice, wallpaper: Notice,
    inaccessible: Notice, labels: Labels, between: String
  ) {
    self.denied = denied
    self.restricted = restricted
    self.notAsked = notAsked
    self.saved = saved
    self.wallpaper = wallpaper
    self.inaccessible = inaccessible
    self.labels = labels
    self.between = between
  }

  /// The names in braces that are no ``Place``.
  package static func unknownPlaces(in text: String) -> [String] {
    Places.names(in: text).filter { Place(rawValue: $0) == nil }
  }
}

/// The languages in which guides can be shown.
package struct GuideCatalogue: Hashable, Sendable {
  /// By language tag.
  package let texts: [String: GuideText]

  /// Nil when there is no language at all.
  package init?(_ texts: [String: GuideText]) {
    if texts.isEmpty { return nil }
    self.texts = texts
  }

  /// The texts for somebody who prefers these languages, best first; English when there is nothing better.
  func text(for languages: [String]) -> GuideText? { bestMatch(for: languages, among: texts) }
}
