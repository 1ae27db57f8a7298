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

    /// A notice.
    package init(title: String, one: String, other: String, steps: [String]) {
      self.title = title
      self.one = one
      self.other = other
      self.steps = steps
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
  /// The button that closes a guide.
  package let later: String
  /// What stands between two sentences.
  package let between: String

  /// Everything that can be said.
  package init(
    denied: Refusal, restricted: Refusal, notAsked: Refusal, saved: Notice, wallpaper: Notice,
    inaccessible: Notice, later: String, between: String
  ) {
    self.denied = denied
    self.restricted = restricted
    self.notAsked = notAsked
    self.saved = saved
    self.wallpaper = wallpaper
    self.inaccessible = inaccessible
    self.later = later
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
