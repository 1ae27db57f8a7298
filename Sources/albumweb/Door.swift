internal import AlbumWeb
internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// Who may connect, decided when they do and before a byte of theirs is read (S61): processes of the page's own user, of
/// root, and of the user that the web server before the page runs as.
final class Door: Sendable {
  private let users: Set<UInt32>
  private let held = Mutex(Held())

  private struct Held {
    var slots = ConnectionSlots<ObjectIdentifier>()
    var channels: [ObjectIdentifier: any Channel] = [:]
  }

  /// - Parameter webServer: the user of the web server before the page; nil where there is none.
  init(webServer: UInt32?) { users = Set([geteuid(), 0, webServer].compactMap(\.self)) }

  /// A place for whoever has connected, until the connection ends.
  ///
  /// - Throws: ``NotAdmitted``, in the future: the connection is to be closed.
  func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
    peer(of: channel).flatMapThrowing { [self] user in
      guard let user, users.contains(user) else {
        Log.refusal("A process of another user, or of none any more, asked for the page.", of: .outsiders)
        throw NotAdmitted()
      }
      try take(channel, user)
      channel.closeFuture.whenComplete { [self] _ in giveBack(channel) }
    }
  }

  private func take(_ channel: any Channel, _ user: UInt32) throws {
    let id = ObjectIdentifier(channel)
    let (outcome, oldest) = held.withLock { held in
      let outcome = held.slots.take(id, user)
      if outcome != .none { held.channels[id] = channel }
      guard case .insteadOf(let oldest) = outcome else { return (outcome, (any Channel)?.none) }
      return (outcome, held.channels.removeValue(forKey: oldest))
    }
    if outcome != .taken { Log.refusal("User \(user) has too many connections.", of: .connections) }
    if outcome == .none { throw NotAdmitted() }
    oldest?.close(promise: nil)
  }

  private func giveBack(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    held.withLock { held in
      held.slots.giveBack(id)
      held.channels[id] = nil
    }
  }

  /// A connection has shown a session: it stays as long as it likes.
  func know(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    held.withLock { $0.slots.know(id) }
  }

  private func peer(of channel: any Channel) -> EventLoopFuture<UInt32?> {
    guard case .unixDomainSocket? = channel.localAddress, let options = channel as? any SocketOptionProvider
    else {
      return channel.eventLoop.makeSucceededFuture(
        LoopbackPeer.user(channel.remoteAddress, channel.localAddress))
    }
    let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map { $0.uid }
  }

}

/// `struct ucred` (unix(7)).
private struct Credentials: Sendable {
  var pid: Int32 = 0
  var uid: UInt32 = 0
  var gid: UInt32 = 0
}

/// Somebody is not let in.
struct NotAdmitted: Error {}

/// Connections of HTTP/1.1 that have come through a ``Door``.
struct GuardedChannel: ServerChildChannel {
  let door: Door
  let channel: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    door.admit(channel).flatMap { self.channel.setup(channel: channel, logger: logger) }
      .flatMapThrowing { value in
        try TargetHandler.add(to: channel)
        return value
      }
      .flatMapErrorThrowing { error in
        channel.close(promise: nil)
        throw error
      }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await channel.handle(value: value, logger: logger)
  }
}
