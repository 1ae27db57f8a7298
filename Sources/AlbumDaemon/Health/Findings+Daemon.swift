internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import Words

extension Findings {
  /// The daemon itself, and what is around it.
  var daemon: [Finding] {
    [agents, peers, clock] + pictures + accessLog + databases
  }

  /// Where nothing reads them, everything else goes on (S52).
  private var pictures: [Finding] {
    guard let known = facts.pictures else { return [] }
    if facts.picturesMissing || known.problem != nil {
      let reason = known.problem ?? words[.picturesMissing]
      return [.warning("pictures", words[.picturesUnread, ["reason": reason]], words[.doPictures])]
    }
    if known.hasLandlock == false { return [.warning("pictures", words[.picturesWithoutLandlock])] }
    return []
  }

  private var agents: Finding {
    facts.agents == 0
      ? .warning("agents", words[.agentsNone], words[.doAgents])
      : .ok("agents", words.counting(facts.agents, .agentsOne, .agentsOther))
  }

  private var peers: Finding {
    // Its own user's processes, and root's for root, can be read without it.
    let hasOtherUsers = facts.uid != 0 && !facts.owners.uids.subtracting([0, facts.uid]).isEmpty
    return facts.mayReadPeers || !hasOtherUsers
      ? .ok("peers", words[.peersRight]) : .error("peers", words[.peersUnknown], words[.doPeers])
  }

  private var clock: Finding {
    if facts.now < Self.earliestNow {
      return .error("clock", words[.clockNotSet], words[.doClockNotSet])
    }
    if let newest = facts.newestDecision, newest > facts.now.adding(seconds: 86_400) {
      return .warning("clock", words[.clockSetBack], words[.doClockSetBack])
    }
    return .ok("clock", words[.clockRight])
  }

  /// 2025-01-01, before which this program did not exist.
  private static let earliestNow = Timestamp(seconds: 1_735_689_600)

  private var accessLog: [Finding] {
    guard facts.accessLogLost > 0 else { return [] }
    let message = words[.logLost, ["count": "\(facts.accessLogLost)"]]
    return [.warning("access log", message, words[.doLogLost])]
  }

  private var databases: [Finding] {
    let aside = facts.setAside.map {
      Finding.warning($0, words[.damagedKept], words[.doDamagedKept, ["path": $0]])
    }
    guard let written = facts.registryWritten, written > (facts.registryBackedUp ?? 0) + Self.backupInterval
    else {
      return aside
    }
    return aside + [.warning("backups", words[.backupOld], words[.doBackupOld])]
  }

  /// Two days, of which each should have one.
  private static let backupInterval: Int64 = 2 * 86_400

  /// What translators should know. Nothing is said of what is in order.
  var translations: [Finding] {
    facts.translations.flatMap { translation -> [Finding] in
      func wrong(_ message: String, line: Int? = nil) -> Finding {
        .warning(translation.path + (line.map { ":\($0)" } ?? ""), message, words[.doWords])
      }
      guard translation.language != nil else { return [wrong(words[.wordsLanguage])] }
      guard let file = translation.file else { return [wrong(words[.wordsUnreadable])] }
      let missing = file.missing.map(\.rawValue).joined(separator: " ")
      let more = file.untoldProblems
      return file.problems.map { wrong(message(of: $0.kind), line: $0.line) }
        + (more == 0 ? [] : [wrong(words[.wordsMore, ["count": "\(more)"]])])
        + (missing.isEmpty ? [] : [wrong(words[.wordsMissing, ["keys": missing]])])
    }
  }

  private func message(of problem: WordsFile.Problem.Kind) -> String {
    switch problem {
    case .syntax: words[.wordsSyntax, ["example": "allow: \"Erlauben\""]]
    case .unknownKey(let key): words[.wordsUnknownKey, ["key": key]]
    case .twice(let key): words[.wordsTwice, ["key": key]]
    case .places(let phrase):
      words[.wordsPlaces, ["key": phrase.rawValue, "places": Words.english[phrase]]]
    }
  }
}

extension ManagerInterface.Finding {
  static func ok(_ subject: String, _ message: String) -> Self {
    Self(severity: .ok, subject: subject, message: message)
  }

  static func warning(_ subject: String, _ message: String, _ advice: String? = nil) -> Self {
    Self(severity: .warning, subject: subject, message: message, advice: advice)
  }

  static func error(_ subject: String, _ message: String, _ advice: String? = nil) -> Self {
    Self(severity: .error, subject: subject, message: message, advice: advice)
  }
}
