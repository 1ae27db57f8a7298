internal import AlbumAPI
internal import Authorization
internal import Configuration

extension HealthFacts {
  typealias Finding = ManagerInterface.Finding

  /// What the facts mean, and what to do: what is in order as well, so that the list says what was looked at.
  var findings: [Finding] {
    configurationFindings + ownerFindings + rootFindings + watchFindings + stateFindings + daemonFindings
      + manifestFindings + policyFindings
  }

  // MARK: Configuration

  private var configurationFindings: [Finding] {
    if configurationErrors.isEmpty { return [.ok(configurationFile, "the configuration files are right")] }
    return configurationErrors.map { problem in
      .error(
        "\(problem.file):\(problem.line):\(problem.column)", problem.message,
        "correct the file, then: albumctl reload; until then the daemon would not start again")
    }
  }

  private var ownerFindings: [Finding] {
    guard owners.users.isEmpty, owners.groups.isEmpty else {
      return [.ok("owners", "\(count(owners.uids.count, "user")) may answer prompts and manage")]
    }
    return [
      .warning(
        "owners", "nobody but root may answer prompts and manage",
        "name users or groups as owners in \(configurationFile)")
    ]
  }

  private var manifestFindings: [Finding] {
    let missing = programs.filter { !$0.exists }.map {
      Finding.warning(
        $0.manifest, "\($0.path) does not exist, so that no program is recognized by it",
        "correct identity.executable, or remove the file if the app has gone")
    }
    let replaceable = programs.filter { $0.exists && !$0.isTrustworthy }.map {
      Finding.warning(
        $0.manifest, "\($0.path) could be replaced by others than root: prompts show the app as not verified",
        "give the program to root, and take the right to write from group and others")
    }
    let silent = manifests.filter { $0.usage.isEmpty && !$0.manages }.map {
      Finding.warning(
        $0.file, "no usage description: the app cannot ask for access", "add usage.readWrite or usage.addOnly"
      )
    }
    let problems = missing + replaceable + silent
    return problems.isEmpty
      ? [.ok("apps.d", "\(count(manifests.count, "app manifest")), nothing wrong")] : problems
  }

  private var policyFindings: [Finding] {
    policies.map { policy, appCount in
      appCount > 0
        ? .ok(policy.file, "decides about \(count(appCount, "known app"))")
        : .warning(
          policy.file, "matches no app that is known",
          "compare its apps, users and accessLevels with: albumctl apps")
    }
  }

  // MARK: Library

  private var rootFindings: [Finding] {
    roots.map { root in
      if let problem = root.problem {
        return .error(
          root.path, problem,
          "mount or make the directory, or let user id \(uid) into it; its assets are offline until then")
      }
      if !root.isWritable {
        return .error(
          root.path, "the daemon may not write there, so that nothing can be added",
          "give the directory to user id \(uid)")
      }
      return space(root, "reachable and writable")
    } + libraryProblems.map { .warning("library", $0) }
  }

  private var watchFindings: [Finding] {
    var findings: [Finding] = []
    let needed = watches + polledDirectories
    let raise = "sysctl fs.inotify.max_user_watches=\(max(65_536, 2 * needed)), for good in /etc/sysctl.d"
    if polledDirectories > 0 {
      findings.append(
        .error(
          "fs.inotify.max_user_watches",
          "\(polledDirectories) of \(needed) directories have no watch and are compared now and then only",
          raise))
    } else if let watchLimit, needed > watchLimit / 10 * 8 {
      findings.append(
        .warning(
          "fs.inotify.max_user_watches",
          "\(needed) of \(watchLimit) are used, which other programs of the user share", raise))
    } else {
      let limit = watchLimit.map { " of \($0)" } ?? ""
      findings.append(.ok("fs.inotify.max_user_watches", "\(needed)\(limit) are needed"))
    }
    if let instanceLimit, instanceLimit < Self.fewInstances {
      findings.append(
        .warning(
          "fs.inotify.max_user_instances",
          "\(instanceLimit) for all programs of the user; the daemon needs one to start",
          "sysctl fs.inotify.max_user_instances=128, for good in /etc/sysctl.d"))
    } else {
      let limit = instanceLimit.map { " of \($0)" } ?? ""
      findings.append(.ok("fs.inotify.max_user_instances", "1\(limit) is needed"))
    }
    return findings
  }

  /// Every desktop program that watches files takes one.
  private static let fewInstances = 16

  private var stateFindings: [Finding] {
    if let problem = state.problem { return [.error(state.path, problem, "make the directory")] }
    if !state.isWritable {
      return [.error(state.path, "no decision can be stored", "give the directory to user id \(uid)")]
    }
    if state.mode & 0o077 != 0 {
      return [
        .warning(
          state.path, "other users may read who may see what (mode \(String(state.mode, radix: 8)))",
          "chmod 700 \(state.path)")
      ]
    }
    return [space(state, "for the daemon alone, and writable")]
  }

  private func space(_ directory: Directory, _ message: String) -> Finding {
    guard let free = directory.freeBytes else { return .ok(directory.path, message) }
    let megabytes = "\(free >> 20) MiB are free"
    if free < Self.noSpace {
      return .error(directory.path, megabytes, "make room: decisions and photos cannot be stored")
    }
    if free < Self.littleSpace { return .warning(directory.path, megabytes, "make room") }
    return .ok(directory.path, "\(message), \(megabytes)")
  }

  private static let noSpace: Int64 = 1 << 20
  private static let littleSpace: Int64 = 256 << 20

  // MARK: Daemon

  private var daemonFindings: [Finding] {
    var findings: [Finding] = []
    if agents == 0 {
      findings.append(
        .warning(
          "agents", "none is registered: apps that ask are told NoAgent", "run albumctl agent as an owner"))
    } else {
      findings.append(.ok("agents", agents == 1 ? "one is registered" : "\(agents) are registered"))
    }
    // Its own user's processes, and root's for root, can be read without it.
    let hasOtherUsers = uid != 0 && !owners.uids.subtracting([0, uid]).isEmpty
    if mayReadPeers || !hasOtherUsers {
      findings.append(.ok("peers", "the programs that connect can be recognized"))
    } else {
      findings.append(
        .error(
          "peers", "without CAP_SYS_PTRACE, programs of other users cannot be recognized and are refused",
          "use the albumd.service of the package, which has it (docs/decisions/0005)"))
    }
    if now < Self.earliestNow {
      findings.append(
        .error("clock", "it is not set, so that grants end at the wrong time", "set the clock"))
    } else if let newestDecision, newestDecision > now.adding(seconds: 86_400) {
      findings.append(
        .warning(
          "clock", "a decision lies in the future: the clock was set back",
          "set the clock; check grants with an end"))
    } else {
      findings.append(.ok("clock", "set"))
    }
    if accessLogLost > 0 {
      findings.append(
        .warning(
          "access log", "\(accessLogLost) rows could not be written", "see the journal; make room on the disk"
        ))
    }
    return findings
  }

  /// 2025-01-01, before which this program did not exist.
  private static let earliestNow = Timestamp(seconds: 1_735_689_600)
}

private func count(_ number: Int, _ what: String) -> String {
  number == 1 ? "1 \(what)" : "\(number) \(what)s"
}

extension ManagerInterface.Finding {
  fileprivate static func ok(_ subject: String, _ message: String) -> Self {
    Self(severity: .ok, subject: subject, message: message)
  }

  fileprivate static func warning(_ subject: String, _ message: String, _ advice: String? = nil) -> Self {
    Self(severity: .warning, subject: subject, message: message, advice: advice)
  }

  fileprivate static func error(_ subject: String, _ message: String, _ advice: String? = nil) -> Self {
    Self(severity: .error, subject: subject, message: message, advice: advice)
  }
}
