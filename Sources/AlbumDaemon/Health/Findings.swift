internal import AlbumAPI
internal import Authorization
internal import DaemonConfiguration
internal import LibraryIO
internal import Words

extension HealthFacts {
  /// What the facts mean, and what to do: what is in order as well, so that the list says what was looked at.
  ///
  /// - Parameter languages: for a person, best first; English when there are none.
  func findings(in languages: [String] = []) -> [ManagerInterface.Finding] {
    Findings(facts: self, words: translations.words(for: languages)).all
  }
}

/// Judges facts, in the words of one language.
struct Findings {
  typealias Finding = ManagerInterface.Finding

  let facts: HealthFacts
  let words: Words

  var all: [Finding] {
    configuration + owners + roots + watches + state + daemon + manifests + policies + translations
  }

  // MARK: Configuration

  private var configuration: [Finding] {
    if facts.configurationErrors.isEmpty { return [.ok(facts.configurationFile, words[.configurationRight])] }
    return facts.configurationErrors.map { problem in
      .error(
        "\(problem.file):\(problem.line):\(problem.column)", problem.message, words[.doConfiguration])
    }
  }

  private var owners: [Finding] {
    guard facts.owners.users.isEmpty, facts.owners.groups.isEmpty else {
      return [.ok("owners", words.counting(facts.owners.uids.count, .ownersOne, .ownersOther))]
    }
    let advice = words[.doOwners, ["file": facts.configurationFile]]
    return [.warning("owners", words[.ownersNone], advice)]
  }

  private var manifests: [Finding] {
    let missing = facts.programs.filter { !$0.exists }.map {
      Finding.warning(
        $0.manifest, words[.programMissing, ["path": $0.path]], words[.doProgramMissing])
    }
    let replaceable = facts.programs.filter { $0.exists && !$0.isTrustworthy }.map {
      Finding.warning(
        $0.manifest, words[.programReplaceable, ["path": $0.path]], words[.doProgramReplaceable])
    }
    let silent = facts.manifests.filter { $0.usage.isEmpty && !$0.manages }.map {
      Finding.warning($0.file, words[.noUsage], words[.doNoUsage])
    }
    let problems = missing + replaceable + silent
    return problems.isEmpty
      ? [.ok("apps.d", words.counting(facts.manifests.count, .manifestsOne, .manifestsOther))] : problems
  }

  private var policies: [Finding] {
    facts.policies.map { policy, appCount in
      appCount > 0
        ? .ok(policy.file, words.counting(appCount, .policyAppsOne, .policyAppsOther))
        : .warning(policy.file, words[.policyNoApps], words[.doPolicyNoApps])
    }
  }

  // MARK: Library

  private var roots: [Finding] {
    facts.roots.map { root in
      if let problem = root.problem {
        return .error(
          root.path, words.reason(problem),
          words[.doDirectoryAway, ["uid": "\(facts.uid)", "path": root.path]])
      }
      if !root.isWritable { return .error(root.path, words[.rootNotWritable], doGiveDirectory) }
      return space(root, .rootRight)
    } + facts.roots.compactMap(unreadable) + facts.roots.compactMap(open)
      + facts.roots.compactMap(missingShared) + undescribable
      + facts.libraryProblems.map { .warning("library", words.sentence($0), advice($0)) }
  }

  private func advice(_ problem: LibraryProblem) -> String? {
    switch problem {
    case .away(let path): words[.doMountAway, ["path": path]]
    case .overfull: words[.doOverfull]
    case .database, .unwatched, .unreadable, .moreDirectories, .offline: nil
    }
  }

  private func unreadable(_ root: HealthFacts.Directory) -> Finding? {
    guard let example = root.unreadable.example else { return nil }
    let message = words.counting(
      root.unreadable.count, .photosUnreadableOne, .photosUnreadableOther, ["path": example])
    return .warning(
      root.path, message, words[.doPhotosUnreadable, ["uid": "\(facts.uid)", "path": root.path]])
  }

  /// They are assets like all others, without a time of taking, a size and a place (S51).
  private var undescribable: [Finding] {
    if facts.undescribable == 0 { return [] }
    let message = words.counting(facts.undescribable, .undescribableOne, .undescribableOther)
    return [.warning("photos", message, words[.doUndescribable])]
  }

  /// Whoever can read a root need not ask, and neither need their programs.
  private func open(_ root: HealthFacts.Directory) -> Finding? {
    if root.readers.isEmpty { return nil }
    let who = root.readers.map { reader in
      switch reader {
      case .everybody: words[.readersEverybody]
      case .members(let group): words[.readersGroup, ["group": group]]
      case .user(let uid): words[.readersUser, ["uid": "\(uid)"]]
      }
    }
    return .warning(
      root.path, words[.rootOpen, ["who": words.list(who)]], words[.doRootOpen, ["path": root.path]])
  }

  /// One that is misspelt hides nothing, and nobody would notice (S19).
  private func missingShared(_ root: HealthFacts.Directory) -> Finding? {
    if root.missingShared.isEmpty { return nil }
    let albums = words.list(root.missingShared)
    return .warning(
      root.path, words[.sharedMissing, ["albums": albums]],
      words[.doSharedMissing, ["file": facts.configurationFile]])
  }

  private var watches: [Finding] {
    let needed = facts.watches + facts.polledDirectories
    var values = ["needed": "\(needed)", "count": "\(facts.polledDirectories)"]
    values["limit"] = facts.watchLimit.map { "\($0)" }
    let name = "fs.inotify.max_user_watches"
    let raise = "sysctl \(name)=\(max(65_536, 2 * needed))"
    if facts.polledDirectories > 0 {
      return [.error(name, words[.watchesMissing, values], sysctl(raise))] + instances
    }
    if let limit = facts.watchLimit, needed > limit / 10 * 8 {
      return [.warning(name, words[.watchesScarce, values], sysctl(raise))] + instances
    }
    let phrase: Phrase = facts.watchLimit == nil ? .watchesNeededAlone : .watchesNeeded
    return [.ok(name, words[phrase, values])] + instances
  }

  private var instances: [Finding] {
    let name = "fs.inotify.max_user_instances"
    guard let limit = facts.instanceLimit else { return [.ok(name, words[.instancesNeededAlone])] }
    let values = ["limit": "\(limit)"]
    if limit >= Self.fewInstances { return [.ok(name, words[.instancesNeeded, values])] }
    return [.warning(name, words[.instancesScarce, values], sysctl("sysctl \(name)=128"))]
  }

  private func sysctl(_ command: String) -> String { words[.doSysctl, ["command": command]] }

  /// Every desktop program that watches files takes one.
  private static let fewInstances = 16

  private var state: [Finding] {
    let state = facts.state
    if let problem = state.problem {
      return [.error(state.path, words.reason(problem), words[.doStateMissing])]
    }
    if !state.isWritable { return [.error(state.path, words[.stateNotWritable], doGiveDirectory)] }
    if state.mode & 0o077 != 0 {
      let message = words[.stateReadable, ["mode": String(state.mode, radix: 8)]]
      return [.warning(state.path, message, "chmod 700 \(state.path)")]
    }
    return [space(state, .stateRight)]
  }

  private var doGiveDirectory: String { words[.doGiveDirectory, ["uid": "\(facts.uid)"]] }

  private func space(_ directory: HealthFacts.Directory, _ right: Phrase) -> Finding {
    guard let free = directory.freeBytes else { return .ok(directory.path, words[right]) }
    let message = words[.freeSpace, ["count": "\(free >> 20)"]]
    if free < Self.noSpace { return .error(directory.path, message, words[.doNoSpace]) }
    if free < Self.littleSpace { return .warning(directory.path, message, words[.doLittleSpace]) }
    return .ok(directory.path, words.list(words[right], message))
  }

  private static let noSpace: Int64 = 1 << 20
  private static let littleSpace: Int64 = 256 << 20
}
