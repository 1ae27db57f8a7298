public import AlbumAPI
public import Words

/// An entry of the access log as one line for a person.
public struct AccessLogLine: Hashable, Sendable, CustomStringConvertible {
  /// Such as `2026-11-21 12:30  org.example.Wallpapers (alice)  opened files 3 times`.
  public let description: String

  /// Every text in it is escaped.
  public init(_ entry: ManagerInterface.AccessLogEntry, _ words: Words = .english) {
    let app = entry.appId == "*" ? words[.logSeveralApps] : "\(SafeText(entry.appId))"
    let who = "\(app) (\(SafeText(entry.user ?? "\(entry.uid)")))"
    let last = entry.lastTime.map { LocalTime($0) }
    description = "\(last ?? LocalTime(entry.time))  \(who)  \(SafeText(words.sentence(entry)))"
  }
}

extension Words {
  /// What was done, how often, what came of it, by whose decision, and more.
  fileprivate func sentence(_ entry: ManagerInterface.AccessLogEntry) -> String {
    let level = entry.accessLevel.map(title)
    let times = entry.count > 1 ? self[.logTimes, ["count": "\(entry.count)"]] : ""
    let result = entry.outcome.map { self[.logOutcome, ["outcome": outcome($0)]] } ?? ""
    func about(_ phrase: Phrase, orElse any: Phrase) -> String {
      level.map { self[phrase, ["level": $0]] } ?? self[any]
    }
    let done: String =
      switch entry.kind {
      case .request: about(.logRequest, orElse: .logRequestAny) + times + result
      case .decision: decision(entry) + times + author(entry)
      case .settings: self[.logSettings] + times + author(entry)
      case .open: self[entry.count == 1 ? .logOpenOne : .logOpenOther] + times
      case .add: self[.logAdd] + times
      case .delete: self[.logDelete] + times + result
      case .replace: self[.logReplace] + times + result
      case .restore: self[.logRestore] + times
      case .purge: self[.logPurge] + times
      case .pick: self[.logPick] + times + result
      case .owner: self[.logOwner] + times
      case .agent: self[.logAgent] + times
      case .refused: about(.logRefused, orElse: .logRefusedAny) + times + result
      }
    return done + (entry.detail.map { self[.logDetail, ["detail": detail($0, of: entry.kind)]] } ?? "")
  }

  /// More, which the daemon has noted in English or as a name.
  private func detail(_ text: String, of kind: ManagerInterface.AccessKind) -> String {
    switch (kind, text) {
    case (.settings, "selection"): return self[.logSelection]
    case (.delete, _), (.restore, _), (.purge, _):
      guard let number = text.split(separator: " ").first.flatMap({ Int($0) }) else { return text }
      return counting(number, .logAssetsOne, .logAssetsOther)
    case (_, _): return text
    }
  }

  private func decision(_ entry: ManagerInterface.AccessLogEntry) -> String {
    let level = entry.accessLevel.map(title) ?? self[.logAccess]
    if entry.outcome == AgentInterface.Decision.notNow.rawValue { return self[.logPutOff, ["level": level]] }
    let status = entry.outcome.map(outcome) ?? self[.logChanged]
    return self[.logDecision, ["level": level, "status": status]]
  }

  /// What came of it: a status or an error, by the name that the daemon has noted.
  private func outcome(_ name: String) -> String {
    if let status = AuthorizationInterface.AuthorizationStatus(rawValue: name) { return title(status) }
    return switch name {
    case "notNow": self[.cameToNotNow]
    case "userRefused": self[.cameToUserRefused]
    case "noAgent": self[.cameToNoAgent]
    case "throttled": self[.cameToThrottled]
    case "busy": self[.cameToBusy]
    case "usageDescriptionMissing": self[.cameToNoUsage]
    case "lockedByPolicy": self[.cameToLockedByPolicy]
    case "notStored": self[.cameToNotStored]
    case "unidentifiedPeer": self[.cameToUnidentified]
    default: name
    }
  }

  private func author(_ entry: ManagerInterface.AccessLogEntry) -> String {
    func user(_ phrase: Phrase, orElse any: Phrase) -> String {
      guard let uid = entry.byUid else { return self[any] }
      // Of others than the app's own user only the number is known.
      let name = uid == entry.uid ? entry.user : nil
      return self[phrase, ["user": name ?? self[.logUser, ["uid": "\(uid)"]]]]
    }
    return switch entry.by {
    case nil: ""
    case .agent?: user(.logByAgentUser, orElse: .logByAgent)
    case .settings?: user(.logBySettingsUser, orElse: .logBySettings)
    case .policy?: self[.logByPolicy]
    case .expiry?: self[.logByExpiry]
    case .exit?: self[.logByExit]
    case .disuse?: self[.logByDisuse]
    }
  }
}
