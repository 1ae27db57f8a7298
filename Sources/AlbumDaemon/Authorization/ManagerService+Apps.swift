internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Varlink
internal import VarlinkServer

/// The list of apps, told of some at a time: there may be thousands, and of each it is looked up what holds.
extension ManagerService {
  /// So many are told of in one turn. More are sorted, and their text is written, on another thread.
  private static var appsAtOnce: Int { 64 }

  /// Tells of every app that is known now.
  ///
  /// - Parameters:
  ///   - names: of their users.
  ///   - languages: of their names, best first.
  func listApps(_ names: [UInt32: String], _ languages: [String], _ call: ServerCall) {
    call.goOn { [self] in
      // Names are looked up, which may take seconds: by now the caller may be no owner any more (S29).
      try callers.checkOwner(call)
      let keys = apps.keys
      guard keys.count > Self.appsAtOnce else {
        let listed = apps.list(Self.sorted(keys), names, languages: languages)
        return call.reply(ManagerInterface.ListApps.Reply(apps: listed))
      }
      call.endSlice()
      try await appLists.run(for: call.accountableUser) {
        try Task.checkCancellation()
        let order = await codec.run(for: call.accountableUser) { () throws(Never) in Self.sorted(keys) }
        var listed: [ManagerInterface.App] = []
        try await call.inSlices(order, of: Self.appsAtOnce) { some in
          // It takes its time: by now the caller may be no owner any more (S29).
          try callers.checkOwner(call)
          listed += apps.list(some, names, languages: languages)
        }
        call.endSlice()
        let reply = ManagerInterface.ListApps.Reply(apps: listed)
        let text = try await codec.run(for: call.accountableUser) { try Reply.encoded(reply) }
        try Task.checkCancellation()
        try callers.checkOwner(call)
        call.send(text, continues: false)
      }
    }
  }

  /// By id and user.
  private nonisolated static func sorted(_ apps: Set<AppKey>) -> [AppKey] {
    apps.sorted { ($0.appID, $0.uid) < ($1.appID, $1.uid) }
  }
}
