public import AlbumAPI

/// An entry of the access log as one line for a person.
public struct AccessLogLine: Hashable, Sendable, CustomStringConvertible {
  /// Such as `2026-11-21 12:30  org.example.Wallpapers (alice)  opened 3 files`.
  public let description: String

  /// Every text in it is escaped.
  public init(_ entry: ManagerInterface.AccessLogEntry) {
    let app = entry.appId == "*" ? "several apps" : "\(SafeText(entry.appId))"
    let who = "\(app) (\(SafeText(entry.user ?? "\(entry.uid)")))"
    let last = entry.lastTime.map { LocalTime($0) }
    description = "\(last ?? LocalTime(entry.time))  \(who)  \(SafeText(entry.inPlainWords))"
  }
}

extension ManagerInterface.AccessLogEntry {
  /// What was done, how often, by whose decision.
  public var inPlainWords: String {
    let level = accessLevel.map { " \($0.rawValue)" } ?? ""
    let result = outcome.map { ": \($0)" } ?? ""
    let times = count > 1 ? " \(count) times" : ""
    let done: String =
      switch kind {
      case .request: "asked for\(level)\(times)\(result)"
      case .decision where outcome == AgentInterface.Decision.notNow.rawValue:
        "\(accessLevel?.rawValue ?? "access") was put off\(times)\(author)"
      case .decision: "\(accessLevel?.rawValue ?? "access") is \(outcome ?? "changed")\(times)\(author)"
      case .settings: "settings were changed\(times)\(author)"
      case .open: count == 1 ? "opened a file" : "opened files\(times)"
      case .add: "added files\(times)"
      case .delete: "deleted\(times)\(result)"
      case .replace: "overwrote\(times)\(result)"
      case .restore: "restored\(times)"
      case .purge: "removed for good\(times)"
      case .pick: "photos were picked\(times)\(result)"
      case .owner: "took the owner's view\(times)"
      case .agent: "registered as an agent\(times)"
      case .refused: "was refused\(level)\(times)\(result)"
      }
    return done + (detail.map { " (\($0))" } ?? "")
  }

  private var author: String {
    // Of others than the app's own user only the number is known.
    let user = byUid.map { $0 == uid ? " of \(self.user ?? "user \($0)")" : " of user \($0)" } ?? ""
    return switch by {
    case nil: ""
    case .agent?: ", an answer\(user)"
    case .settings?: ", in settings\(user)"
    case .policy?: ", by policy"
    case .expiry?: ", its time was over"
    case .exit?: ", its process ended"
    case .disuse?: ", it was not used"
    }
  }
}
