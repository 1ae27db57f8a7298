internal import AlbumAPI
internal import EventLoop
internal import Linux
internal import VarlinkServer

extension ManagerService {
  /// `GetStatistics` and `Check`: the daemon as a whole is asked.
  func addHealth(to interface: inout InterfaceImplementation) {
    interface.on(ManagerInterface.GetStatistics.self) { [unowned self] _, call in
      try callers.checkOwner(call)
      return try report.statistics()
    }
    interface.onTask(ManagerInterface.Check.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      let (inspector, facts, offline, apart) = report.health()
      let languages = parameters.language.map { [$0] } ?? []
      // It looks at mounts that may never answer.
      return await withCheckedContinuation { continuation in
        ThreadReserve.shared.run {
          let all = inspector.inspect(facts, offline: offline, apart: apart)
          continuation.resume(returning: .init(findings: all.findings(in: languages)))
        }
      }
    }
  }
}
