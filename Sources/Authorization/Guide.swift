/// What an app shows when its request was refused: what happened, and how to change it (rule S15).
public struct Guide: Hashable, Sendable {
  /// One line.
  public let title: String
  /// One or two sentences.
  public let message: String
  /// What to do, in order.
  public let steps: [String]
  /// The command that opens the app's settings. Nil where the owner cannot change anything.
  public let settingsCommand: String?
  /// The address of a settings page. There is none yet.
  public let settingsURI: String?

  /// The guide for a refused record; nil when there is nothing to change: it was not refused.
  ///
  /// - Parameters:
  ///   - appName: for a person; see `PeerIdentity.name(for:)`.
  ///   - languages: tags or locales, best first.
  public init?(
    _ effective: EffectiveStatus, for key: RecordKey, appName: String, languages: [String]
  ) {
    guard let text = bestMatch(for: languages, among: GuideText.catalogue) else { return nil }
    let level = text[key.accessLevel]
    let command = "albumctl settings \(quoted(key.appID))"
    switch effective.origin {
    case .undecided: return nil
    case .decision(let decision):
      guard decision.status == .denied else { return nil }
      title = fill(level.title, appName)
      message = fill(level.denied, appName)
      steps = text.deniedSteps.map { fill($0, appName, command: command) }
      settingsCommand = command
    case .policy(let policy):
      guard policy.effect == .restrict else { return nil }
      let reason = policy.reason?.text(for: languages)
      title = fill(level.title, appName)
      message =
        fill(level.restricted, appName, policy: policy.name) + (reason.map { text.space + $0 } ?? "")
      steps = text.restrictedSteps.map { fill($0, appName, policy: policy.name) }
      settingsCommand = nil
    }
    settingsURI = nil
  }
}

extension Guide {
  /// What an app shows when the owner picked photos that it does not get (rule S23); nil when it gets all.
  ///
  /// - Parameter languages: tags or locales, best first.
  public static func inaccessiblePhotos(count: Int, languages: [String]) -> String? {
    guard count > 0, let text = bestMatch(for: languages, among: GuideText.catalogue) else { return nil }
    return fill(count == 1 ? text.inaccessiblePhoto : text.inaccessiblePhotos, "", count: "\(count)")
  }
}

/// Fills in the places of a text, in one pass: what is filled in is not looked at again, whatever an app
/// calls itself.
private func fill(
  _ text: String, _ app: String, command: String = "", policy: String = "", count: String = ""
) -> String {
  var filled = ""
  var rest = text[...]
  while let open = rest.firstIndex(of: "{"), let end = rest[open...].firstIndex(of: "}") {
    filled += rest[..<open]
    switch rest[rest.index(after: open)..<end] {
    case "app": filled += app
    case "command": filled += command
    case "policy": filled += policy
    case "count": filled += count
    case let other: filled += "{\(other)}"
    }
    rest = rest[rest.index(after: end)...]
  }
  return filled + rest
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
