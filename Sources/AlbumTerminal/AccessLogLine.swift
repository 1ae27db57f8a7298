package import AlbumAPI
package import Words

/// An entry of the access log as one line for a person.
package struct AccessLogLine: Hashable, Sendable, CustomStringConvertible {
  /// Such as `2026-11-21 12:30  org.example.Wallpapers (alice)  opened files 3 times`.
  package let description: String

  /// Every text in it is escaped.
  package init(_ entry: ManagerInterface.AccessLogEntry, _ words: Words = .english) {
    let app = entry.appId == "*" ? words[.logSeveralApps] : "\(SafeText(entry.appId))"
    let who = "\(app) (\(SafeText(entry.user ?? "\(entry.uid)")))"
    let last = entry.lastTime.map { LocalTime($0) }
    description = "\(last ?? LocalTime(entry.time))  \(who)  \(SafeText(words.sentence(entry)))"
  }
}

extension Words {
  /// What was done, how often, to how many, what came of it, by whose decision, and more. Nothing in it is escaped.
  package func sentence(_ entry: ManagerInterface.AccessLogEntry) -> String {
    let level = entry.accessLevel.map(title)
    let often = entry.count > 1 ? self[.logTimes, ["count": "\(entry.count)"]] : ""
    let times = often + assets(entry)
    // What was refused was not done.
    func done(_ phrase: Phrase, orElse asked: Phrase) -> String {
      self[entry.outcome == nil ? phrase : asked] + times
    }
    let result = entry.outcome.map { self[.logOutcome, ["outcome": outcome($0)]] } ?? ""
    func about(_ phrase: Phrase, orElse any: Phrase) -> String {
      level.map { self[phrase, ["level": $0]] } ?? self[any]
    }
    let sentence: String =
      switch entry.kind {
      case .request: about(.logRequest, orElse: .logRequestAny) + times + result
      case .decision: decision(entry) + times + author(entry)
      case .settings: self[.logSettings] + times + author(entry)
      case .fetch: self[.logFetch] + times
      case .open: self[entry.count == 1 ? .logOpenOne : .logOpenOther] + times
      case .add: self[.logAdd] + times
      case .delete: done(.logDelete, orElse: .logDeleteAsked) + result
      case .replace: done(.logReplace, orElse: .logReplaceAsked) + result
      case .revert: done(.logRevert, orElse: .logRevertAsked) + result
      case .createAlbum: self[entry.count == 1 ? .logCreateAlbumOne : .logCreateAlbumOther] + times
      case .addToAlbum: self[.logAddToAlbum] + times
      case .removeFromAlbum: self[.logRemoveFromAlbum] + times
      case .moveAlbum: self[entry.count == 1 ? .logMoveAlbumOne : .logMoveAlbumOther] + times
      case .deleteAlbum: self[entry.count == 1 ? .logDeleteAlbumOne : .logDeleteAlbumOther] + times
      case .arrangeAlbum: self[.logArrangeAlbum] + times
      case .renameAsset: self[.logRenameAsset] + times
      case .moveAssets: self[.logMoveAssets] + times
      case .favorite: self[.logFavorite] + times
      case .hide: self[.logHide] + times
      case .restore: self[.logRestore] + times
      case .purge: self[.logPurge] + times
      case .pick: done(.logPick, orElse: .logPickAsked) + result
      case .owner: self[.logOwner] + times
      case .agent: self[.logAgent] + times
      case .refused: about(.logRefused, orElse: .logRefusedAny) + times + result
      }
    return sentence + (entry.isAsOwner ? self[.logAsOwner] : "")
      + (entry.detail.map { self[.logDetail, ["detail": detail($0, of: entry.kind)]] } ?? "")
  }

  /// How many assets, of one time or of all the times together.
  private func assets(_ entry: ManagerInterface.AccessLogEntry) -> String {
    guard let count = entry.assets else { return "" }
    let told =
      entry.count == 1
      ? counting(count, .logAssetsOne, .logAssetsOther) : self[.logAssetsInAll, ["count": "\(count)"]]
    return self[.logDetail, ["detail": told]]
  }

  /// More, which the daemon has noted in English or as a name.
  private func detail(_ text: String, of kind: ManagerInterface.AccessKind) -> String {
    switch (kind, text) {
    case (.settings, "selection"): self[.logSelection]
    case (.decision, "location"): self[.withLocation]
    default: text
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
    case "unidentifiedPeer": self[.cameToAnotherApp]
    case "lockedByPolicy": self[.cameToLockedByPolicy]
    case "notStored": self[.cameToNotStored]
    default: name
    }
  }

  private func author(_ entry: ManagerInterface.AccessLogEntry) -> String {
    func user(_ phrase: Phrase, orElse any: Phrase) -> String {
      guard let uid = entry.byUid else { return self[any] }
      return self[phrase, ["user": entry.byUser ?? self[.logUser, ["uid": "\(uid)"]]]]
    }
    return switch entry.by {
    case nil: ""
    case .agent?: user(.logByAgentUser, orElse: .logByAgent)
    case .settings?: user(.logBySettingsUser, orElse: .logBySettings)
    case .policy?: self[.logByPolicy]
    case .policyEnd?: self[.logByPolicyEnd]
    case .expiry?: self[.logByExpiry]
    case .exit?: self[.logByExit]
    case .disuse?: self[.logByDisuse]
    }
  }
}

extension ManagerInterface.AccessLogEntry {
  /// Whether the library was used with the owner's view (S45): no level is about that. Of apps that are told together,
  /// none is told.
  package var isAsOwner: Bool {
    switch kind {
    case .fetch, .open, .add, .delete, .replace, .revert, .createAlbum, .addToAlbum, .removeFromAlbum,
      .moveAlbum, .deleteAlbum, .renameAsset, .moveAssets, .favorite, .hide, .arrangeAlbum:
      accessLevel == nil && appId != "*"
    case .request, .decision, .settings, .restore, .purge, .pick, .owner, .agent, .refused: false
    }
  }
}
