package import AlbumAPI
package import Words

/// A finding of `albumctl doctor` for a person: a line, and one with what to do.
package struct FindingText: Hashable, Sendable, CustomStringConvertible {
  /// The lines, each with its end.
  package let description: String

  /// Every text in it is escaped.
  ///
  /// - Parameter words: for how bad it is; the rest is in the language in which the daemon was asked.
  package init(_ finding: ManagerInterface.Finding, _ words: Words = .english) {
    let titles = ManagerInterface.Severity.allCases.map { words.title($0) }
    let width = titles.map(TextWidth.columns).max() ?? 0
    let title = TextWidth.pad(words.title(finding.severity), to: width)
    var text = "\(title)  \(SafeText(finding.subject)): \(SafeText(finding.message))\n"
    if let advice = finding.advice { text += "\(TextWidth.pad("", to: width + 3))→ \(SafeText(advice))\n" }
    description = text
  }
}

extension Words {
  fileprivate func title(_ severity: ManagerInterface.Severity) -> String {
    switch severity {
    case .ok: self[.ok]
    case .warning: self[.warning]
    case .error: self[.error]
    }
  }
}
