internal import Words

/// What an app shows its person: why it was refused and how to change that (rule S15), or what to do with
/// what was saved or picked.
package struct Guide: Hashable, Sendable {
  /// One line.
  package let title: String
  /// One or two sentences.
  package let message: String
  /// What stands above the steps. Nil where there are none.
  package let heading: String?
  /// What to do, in order.
  package let steps: [String]
  /// The command that opens the settings where something can be done: the app's after a refusal, the desktop's for a
  /// wallpaper.
  package let settingsCommand: String?
  /// The address of a page with the app's settings, where one runs.
  package let settingsAddress: String?
  /// What the button says that leads there.
  package let openSettings: String?
  /// What the button says that closes the guide without doing anything.
  package let later: String?

  /// Whom a guide is for.
  package struct Reader: Sendable {
    /// The app's id.
    package let appID: String
    /// Its name, for a person; see `PeerIdentity.name(for:)`.
    package let appName: String
    /// Tags or locales, best first.
    package let languages: [String]
    /// The address of a page with the app's settings, where one runs.
    package let settingsAddress: String?

    /// The person at that app.
    package init(appID: String, appName: String, languages: [String], settingsAddress: String? = nil) {
      self.settingsAddress = settingsAddress
      self.appID = appID
      self.appName = appName
      self.languages = languages
    }
  }

  /// What saved pictures are for.
  package enum Purpose: String, Hashable, Sendable, CaseIterable {
    /// To be kept.
    case keep
    /// To be set as the wallpaper.
    case wallpaper
  }

  /// The guide for a refused record; nil when there is nothing to change: it was not refused.
  package init?(
    _ effective: EffectiveStatus, level: AccessLevel, for reader: Reader, in catalogue: GuideCatalogue
  ) {
    guard let text = catalogue.text(for: reader.languages) else { return nil }
    switch effective.origin {
    case .undecided: return nil
    case .decision(let decision):
      guard decision.status == .denied else { return nil }
      self.init(text.denied, level, text, Values(reader), canChange: true)
    case .policy(let policy):
      guard policy.effect == .restrict else { return nil }
      let values = Values(reader, policy: policy.name)
      let reason = policy.reason.map { text.between + $0.text(for: reader.languages) }
      self.init(text.restricted, level, text, values, canChange: false, and: reason ?? "")
    }
  }

  /// The guide for an app that acts without having asked.
  package init?(notAsked level: AccessLevel, for reader: Reader, in catalogue: GuideCatalogue) {
    guard let text = catalogue.text(for: reader.languages) else { return nil }
    self.init(text.notAsked, level, text, Values(reader), canChange: false)
  }

  /// The guide for pictures that were saved.
  ///
  /// - Parameter desktop: of the person at the app, if it is known.
  package init?(
    saved count: Int, to album: String, for purpose: Purpose, _ reader: Reader, desktop: Desktop? = nil,
    in catalogue: GuideCatalogue
  ) {
    guard let text = catalogue.text(for: reader.languages) else { return nil }
    let values = Values(reader, album: album, count: count)
    switch purpose {
    case .keep: self.init(text.saved, text, values, later: text.labels.done)
    case .wallpaper:
      self.init(
        text.wallpaper, text, values, desktop: desktop, heading: text.labels.howToSetWallpaper,
        settings: desktop?.backgroundSettings, later: text.labels.understood)
    }
  }

  /// The guide for pictures that were picked and could not be handed to the app (rule S23).
  package init?(inaccessible count: Int, for reader: Reader, in catalogue: GuideCatalogue) {
    guard count > 0, let text = catalogue.text(for: reader.languages) else { return nil }
    let values = Values(reader, count: count)
    self.init(
      text.inaccessible, text, values, heading: text.labels.howToAllow, settings: values.command,
      address: values.address, later: text.labels.later)
  }

  private init(
    _ refusal: GuideText.Refusal, _ level: AccessLevel, _ text: GuideText, _ values: Values, canChange: Bool,
    and more: String = ""
  ) {
    title = values.fill(refusal.title[level] ?? "")
    message = values.fill(refusal.message[level] ?? "") + more
    steps = refusal.steps.map(values.fill)
    heading = canChange ? text.labels.howToAllow : nil
    settingsCommand = canChange ? values.command : nil
    settingsAddress = canChange ? values.address : nil
    openSettings = canChange ? text.labels.openSettings : nil
    later = text.labels.later
  }

  private init(
    _ notice: GuideText.Notice, _ text: GuideText, _ values: Values, desktop: Desktop? = nil,
    heading: String? = nil, settings: String? = nil, address: String? = nil, later: String
  ) {
    title = values.fill(notice.title)
    message = values.fill(values.count == 1 ? notice.one : notice.other)
    let steps = desktop.flatMap { notice.desktops[$0] } ?? notice.steps
    self.steps = steps.map(values.fill)
    self.heading = steps.isEmpty ? nil : heading
    settingsCommand = settings
    settingsAddress = address
    openSettings = settings == nil ? nil : text.labels.openSettings
    self.later = later
  }
}

/// What stands in the places of a text.
private struct Values {
  let app: String
  let command: String
  let address: String?
  let policy: String
  let album: String
  let count: Int

  init(_ reader: Guide.Reader, policy: String = "", album: String = "", count: Int = 0) {
    app = reader.appName
    command = "albumctl settings \(quoted(reader.appID))"
    address = reader.settingsAddress
    self.policy = policy
    self.album = album
    self.count = count
  }

  func fill(_ text: String) -> String {
    Places.fill(text) { name in
      switch GuideText.Place(rawValue: name) {
      case .app?: app
      case .command?: command
      case .policy?: policy
      case .album?: album
      case .count?: "\(count)"
      case nil: nil
      }
    }
  }
}

/// The text as one word of sh(1).
private func quoted(_ text: String) -> String {
  let isPlain = text.unicodeScalars.allSatisfy { scalar in
    ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
      || "._-/@:+".unicodeScalars.contains(scalar)
  }
  if isPlain, !text.isEmpty { return text }
  return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}
