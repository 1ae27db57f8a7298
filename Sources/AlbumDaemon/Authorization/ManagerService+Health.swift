internal import AlbumAPI
internal import EventLoop
internal import Linux
internal import VarlinkServer

extension ManagerService {
  /// `GetStatistics` and `Check`: the daemon as a whole is asked.
  func addHealth(to interface: inout InterfaceImplementation) {
    interface.on(ManagerInterface.GetStatistics.self) { [unowned self] _, call in
      try check(call)
      return try statistics()
    }
    interface.onTask(ManagerInterface.Check.self) { [unowned self] _, call in
      try check(call)
      let (inspector, facts, offline) = health()
      // It looks at mounts that may never answer.
      let all = await withCheckedContinuation { continuation in
        runDetached { continuation.resume(returning: inspector.inspect(facts, offline: offline)) }
      }
      return .init(findings: all.findings)
    }
  }
}
