internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Varlink
internal import VarlinkServer
internal import VarlinkTransport

/// The callers of `Manager.ServeSettings`: pages at which owners change what apps may do, each for as long as its connection
/// lasts (S15).
@EventLoopActor
final class ServedSettings {
  private var pages = SettingsPages<ObjectIdentifier>()
  private var calls: [ObjectIdentifier: ServerCall] = [:]
  private let callers: Callers

  init(callers: Callers) { self.callers = callers }

  /// An owner's process serves a page until it goes.
  func add(_ parameters: ManagerInterface.ServeSettings.Parameters, _ call: ServerCall) throws {
    try callers.checkOwner(call)
    var page = SettingsPage.desktop
    if let origin = parameters.origin {
      guard let named = SettingsPage(origin: origin) else { throw InvalidParameter(parameter: "origin") }
      page = named
    }
    let handle = ObjectIdentifier(call)
    calls[handle] = call
    let former = pages.begin(handle, uid: call.connection.peer.uid, page)
    call.onEnd { [weak self] in
      self?.pages.end(handle)
      self?.calls[handle] = nil
    }
    call.reply(ManagerInterface.ServeSettings.Reply(), continues: true)
    if let former { calls.removeValue(forKey: former)?.reply(ManagerInterface.ServeSettings.Reply()) }
  }

  /// Where the person of an app changes what it may do; nil where no page of theirs runs.
  func address(for app: PeerIdentity) -> String? {
    // Who serves it may be no owner any more (S44).
    pages.address(for: app.key, owners: callers.owners) { [calls, callers] handle in
      calls[handle].map { (try? callers.mayActAsOwner($0)) ?? false } ?? false
    }
  }
}
