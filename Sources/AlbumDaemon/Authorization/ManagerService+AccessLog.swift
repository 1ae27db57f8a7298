internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import VarlinkServer

extension ManagerService {
  /// `ListAccessLog`.
  func addAccessLog(to interface: inout InterfaceImplementation) {
    interface.handle(ManagerInterface.ListAccessLog.self) { [unowned self] parameters, call in
      try callers.checkOwner(call)
      accessLogReaders.add(
        call, appID: parameters.appId, since: parameters.since.map { Timestamp($0) },
        follow: parameters.follow ?? false)
    }
  }
}
