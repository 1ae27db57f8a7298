internal import Words

extension Words {
  /// How an app is known, in the person's language.
  ///
  /// - Parameter told: as the interfaces tell it: a kind, and what is of that kind, as in `executable /usr/bin/app`
  ///   (io.albumd.Agent, `PromptApp.evidence`). A kind that is not known here is said as it is.
  package func evidence(_ told: String) -> String {
    let parts = told.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let phrase = Self.evidencePhrases[String(parts[0])] else { return told }
    return self[phrase, ["name": String(parts[1])]]
  }

  private static let evidencePhrases: [String: Phrase] = [
    "executable": .evidenceExecutable, "flatpak": .evidenceFlatpak, "snap": .evidenceSnap,
    "unit": .evidenceUnit, "userUnit": .evidenceUserUnit, "sandbox": .evidenceSandbox,
  ]
}
