internal import AlbumAPI
internal import AlbumTerminal
internal import AlbumWeb
internal import Words

// What templates are filled with about apps.
extension View {
  static func appValues(_ app: ManagerInterface.App, _ site: Site, _ words: Words) -> Values {
    let used = app.grants.compactMap(\.lastUsed).max().map { lastUse($0, words) }
    let seen = app.lastSeen.map { words[.appSeen, ["time": "\(LocalTime($0))"]] }
    return [
      "name": app.name, "id": app.id, "place": "/apps/\(app.id.inAddress)/\(app.uid)",
      "user": app.user ?? "\(app.uid)", "tile": site.tile(app.name, app.id, icon: app.icon),
      "status": words.list(app.grants.map { status($0, words, isShort: true) }),
      "facts": facts(app, words) + [used ?? seen].compactMap { $0 },
    ]
  }

  /// What it may do, since when and until when: a line for each level of which something was decided.
  private static func facts(_ app: ManagerInterface.App, _ words: Words) -> [String] {
    app.grants.compactMap { grant in
      guard let status = status(grant, words, isShort: true) else { return nil }
      return words.list([
        status, grant.untilExit == true ? words[.grantUntilExit] : nil,
        grant.expires.map { words[.grantUntil, ["time": "\(LocalTime($0))"]] },
        grant.decided.map { words[.grantDecided, ["time": "\(LocalTime($0))"]] },
      ])
    }
  }

  /// When access was last made use of, which is known to the day.
  private static func lastUse(_ time: Instant, _ words: Words) -> String {
    words[.grantLastUsed, ["day": LocalTime(time).day]]
  }

  static func grantValues(_ grant: ManagerInterface.Grant, _ app: ManagerInterface.App, _ words: Words)
    -> Values
  {
    let facts: [String?] = [
      grant.untilExit == true ? words[.grantUntilExit] : nil,
      grant.expires.map { words[.grantUntil, ["time": "\(LocalTime($0))"]] },
      grant.policy.map { words[.grantPolicy, ["policy": $0]] },
      grant.decided.map { words[.grantDecided, ["time": "\(LocalTime($0))"]] },
      grant.lastUsed.map { lastUse($0, words) },
    ]
    let isAdding = grant.accessLevel == .addOnly
    let canTell =
      grant.policy == nil
      && (grant.location == true || (grant.location == false && app.locationUsageDescription != nil))
    let choices: [(AuthorizationInterface.AuthorizationStatus, Phrase)] =
      isAdding
      ? [(.authorized, .allow), (.denied, .deny)]
      : [(.authorized, .allowAll), (.limited, .selectPhotos), (.denied, .deny)]
    return [
      "level": grant.accessLevel.rawValue, "name": words[isAdding ? .pageLevelAdd : .pageLevelRead],
      "status": status(grant, words, isShort: false) ?? "", "facts": words.list(facts),
      "isOpen": grant.policy == nil,
      "isLimited": grant.status == .limited,
      "isGranted": grant.status == .authorized || grant.status == .limited,
      "isRefused": grant.status == .denied || grant.status == .restricted,
      "isDecided": grant.status != .notDetermined && grant.policy == nil,
      "place": "/apps/\(app.id.inAddress)/\(app.uid)", "canTell": canTell, "tells": grant.location == true,
      "location": grant.location.map { words[$0 ? .withLocation : .withoutLocation] } ?? "",
      "choices": choices.map { status, phrase -> Values in
        ["value": status.rawValue, "title": words[phrase], "here": status == grant.status]
      }, "durations": Site.durations(words).filter { $0["value"] as? String != "untilExit" },
    ]
  }

  static func status(_ grant: ManagerInterface.Grant, _ words: Words, isShort: Bool) -> String? {
    let isAdding = grant.accessLevel == .addOnly
    switch grant.status {
    case .notDetermined: return isShort ? nil : words[.pageUndecided]
    case .restricted: return words[.pageForbidden]
    case .denied: return words[isAdding ? .pageMayNotAdd : .pageMayNotSee]
    case .authorized: return words[isAdding ? .pageMayAdd : .pageMaySee]
    case .limited: return words[.pageMaySeeSome, ["count": "\(grant.selectionCount ?? 0)"]]
    }
  }

  /// What the names of levels and statuses, which commands take, are to somebody who has never typed one.
  private static let inPlainWords: [Phrase: Phrase] = [
    .readWrite: .pageAccessRead, .addOnly: .pageAccessAdd, .notDetermined: .pageCameOpen,
    .restricted: .pageCameForbidden, .denied: .pageCameRefused, .authorized: .pageCameAllowed,
    .limited: .pageCameSome,
  ]

  /// A line of the log, with the name that its app has for a person.
  static func lineValues(
    _ entry: ManagerInterface.AccessLogEntry, of apps: [ManagerInterface.App], _ words: Words
  ) -> Values {
    let name = apps.first { $0.id == entry.appId && $0.uid == entry.uid }?.name ?? entry.appId
    return [
      "time": "\(LocalTime(entry.lastTime ?? entry.time))",
      "app": entry.appId == "*" ? words[.logSeveralApps] : name, "id": entry.appId,
      "place": entry.appId == "*" ? "/apps" : "/apps/\(entry.appId.inAddress)/\(entry.uid)",
      "user": entry.user ?? "\(entry.uid)", "text": words.saying(inPlainWords).sentence(entry),
      "refused": entry.kind == .refused,
      "entry": "\(entry.id)",
    ]
  }
}

extension Words {
  /// What a person looks for in the log.
  func title(_ filter: LogFilter) -> String {
    switch filter {
    case .request: self[.pageKindRequest]
    case .decision: self[.pageKindDecision]
    case .fetch: self[.pageKindFetch]
    case .open: self[.pageKindOpen]
    case .add: self[.pageKindAdd]
    case .change: self[.pageKindChange]
    case .delete: self[.pageKindDelete]
    case .pick: self[.pageKindPick]
    case .owner: self[.pageKindOwner]
    case .refused: self[.pageKindRefused]
    }
  }
}
