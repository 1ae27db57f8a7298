internal import AlbumWeb
internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import Synchronization

/// Who may connect, decided when they do and before a byte of theirs is read (S61): processes of the page's own user, of
/// root, and of the user that the web server before the page runs as. Where other computers reach it, whoever likes: to be
/// let in takes a link, and to be believed the page has its certificate.
final class Door: Sendable {
  private let users: Set<UInt32>
  private let isOpen: Bool
  private let held = Mutex(Held())

  private struct Held {
    var slots = ConnectionSlots<ObjectIdentifier, Peer>()
    var channels: [ObjectIdentifier: any Channel] = [:]
  }

  /// - Parameters:
  ///   - webServer: the user of the web server before the page; nil where there is none.
  ///   - isOpen: whether other computers reach it.
  init(webServer: UInt32?, isOpen: Bool) {
    users = Set([geteuid(), 0, webServer].compactMap(\.self))
    self.isOpen = isOpen
  }

  /// A place for whoever has connected, until the connection ends.
  ///
  /// - Throws: ``NotAdmitted``, in the future: the connection is to be closed.
  func admit(_ channel: any Channel) -> EventLoopFuture<Void> {
    peer(of: channel).flatMapThrowing { [self] peer in
      guard let peer, mayEnter(peer) else {
        Log.refusal("A process of another user, or of none any more, asked for the page.", of: .outsiders)
        throw NotAdmitted()
      }
      try take(channel, peer)
      channel.closeFuture.whenComplete { [self] _ in giveBack(channel) }
    }
  }

  private func mayEnter(_ peer: Peer) -> Bool {
    switch peer {
    case .user(let user): users.contains(user)
    case .network: isOpen
    }
  }

  private func take(_ channel: any Channel, _ peer: Peer) throws {
    let id = ObjectIdentifier(channel)
    let (outcome, oldest) = held.withLock { held in
      let outcome = held.slots.take(id, peer)
      if outcome != .none { held.channels[id] = channel }
      guard case .insteadOf(let oldest) = outcome else { return (outcome, (any Channel)?.none) }
      return (outcome, held.channels.removeValue(forKey: oldest))
    }
    if outcome != .taken { Log.refusal("\(peer) has too many connections.", of: .connections) }
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

  private func peer(of channel: any Channel) -> EventLoopFuture<Peer?> {
    if isOpen { return channel.eventLoop.makeSucceededFuture(Peer(channel.remoteAddress)) }
    guard case .unixDomainSocket? = channel.localAddress, let options = channel as? any SocketOptionProvider
    else {
      return channel.eventLoop.makeSucceededFuture(
        LoopbackPeer.user(channel.remoteAddress, channel.localAddress).map { .user($0) })
    }
    let credentials: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
      level: .socket, name: NIOBSDSocket.Option(rawValue: SO_PEERCRED))
    return credentials.map { .user($0.uid) }
  }
}

/// Who is at the other end, as far as it counts for places: a user of this computer, or where addresses come from.
private enum Peer: Hashable, Sendable, CustomStringConvertible {
  case user(UInt32)
  /// The four bytes of an address of version 4, or the eight of a network of version 6: whoever has one of those has all of its
  /// addresses (RFC 4291, section 2.5.4).
  case network([UInt8])

  init?(_ address: SocketAddress?) {
    guard let address, let bytes = SocketEnd(address)?.bytes else { return nil }
    // Of version 4, also as a socket of version 6 has it (RFC 4291, section 2.5.5.2).
    let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
    self = .network(Array(isMapped ? bytes.suffix(4) : bytes.prefix(8)))
  }

  var description: String {
    switch self {
    case .user(let user): "User \(user)"
    case .network(let bytes): "Network \(bytes.map(String.init).joined(separator: "."))"
    }
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

/// Connections of HTTP/1.1 that have come through a ``Door``, by TLS where the page has a certificate.
struct GuardedChannel: ServerChildChannel {
  let door: Door
  let certificate: ServerCertificate?
  let channel: HTTP1Channel

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
    door.admit(channel).flatMapThrowing {
      guard let certificate else { return }
      try channel.pipeline.syncOperations.addHandler(certificate.handler())
    }.flatMap { self.channel.setup(channel: channel, logger: logger) }
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
