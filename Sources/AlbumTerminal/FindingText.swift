public import AlbumAPI

/// A finding of `albumctl doctor` for a person: a line, and one with what to do.
public struct FindingText: Hashable, Sendable, CustomStringConvertible {
  /// The lines, each with its end.
  public let description: String

  /// Every text in it is escaped.
  public init(_ finding: ManagerInterface.Finding) {
    let word =
      switch finding.severity {
      case .ok: "ok      "
      case .warning: "warning "
      case .error: "ERROR   "
      }
    var text = "\(word) \(SafeText(finding.subject)): \(SafeText(finding.message))\n"
    if let advice = finding.advice { text += "          → \(SafeText(advice))\n" }
    description = text
  }
}
