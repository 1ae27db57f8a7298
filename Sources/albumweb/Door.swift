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
  private let slots = Mutex(ConnectionSlots())
  /// When somebody was last said to be refused, in seconds: whoever comes a thousand times is one line of the log.
  private let told = Mutex<Int64>(0)

  /// - Parameter webServer: the user of the web server before the page; nil where there is none.
  init(webServer: UInt32?) { users = Set([geteuid(), 0, webServer].compactMap(\.self)) }

  /// A place for whoever has connected, until the connection ends.
  ///
  /// - Throws: ``NotAdmitted``, in the future: the connection is to be closed.
  func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
    peer(of: channel).flatMapThrowing { [self] user in
      guard let user, users.contains(user) else {
        tell("A process of another user, or of none any more, asked for the page.")
        throw NotAdmitted()
      }
      guard slots.withLock({ $0.take(user) }) else {
        tell("User \(user) has too many connections.")
        throw NotAdmitted()
      }
      channel.closeFuture.whenComplete { [self] _ in slots.withLock { $0.giveBack(user) } }
    }
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

  private func tell(_ text: String) {
    let now = Desk.seconds
    let isDue = told.withLock { last in
      guard now != last else { return false }
      last = now
      return true
    }
    if isDue { Log.warning(text) }
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
      .flatMapErrorThrowing { error in
        channel.close(promise: nil)
        throw error
      }
  }

  func handle(value: HTTP1Channel.Value, logger: Logger) async {
    await channel.handle(value: value, logger: logger)
  }
}
