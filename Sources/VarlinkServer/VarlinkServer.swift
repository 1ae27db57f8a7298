public import EventLoop
public import Linux
internal import Varlink
internal import VarlinkTransport

/// A Varlink service on the event loop: its interfaces, its listening sockets and its connections.
///
/// It knows framing, order, descriptors and quotas. What a method means is its implementation's affair.
@EventLoopActor
public final class VarlinkServer {
  /// What peers can make the server hold.
  public struct Limits: Sendable {
    /// The most bytes of one call, its NUL included.
    public var messageBytes = 1 << 20
    /// The most bytes of one text in a call, a quarter of it where it is not ASCII: more than any id, path, file name or
    /// sentence has.
    public var textBytes = 4096
    /// The most connections of one user id.
    public var connectionsPerUser = 128
    /// The most connections of all together.
    public var connections = 4096
    /// Unread replies beyond which no further call of that connection is read.
    public var unreadReplyBytes = 1 << 18
    /// Unread replies of a stream beyond which its connection is closed.
    public var unreadStreamBytes = 1 << 22
    /// Descriptors that a connection's peer has not read, beyond which a reply with others waits. All connections with so
    /// many have half of what the kernel lets a user have in flight: ``unreadDescriptors(openFiles:connections:)``.
    public var unreadDescriptors = 8
    /// Connections that are still to be closed, beyond which none is accepted until they are. Each may be one that
    /// makes whoever closes it wait for ever.
    public var unclosedConnections = 16_384
    /// Connections that only those get for whom there is a reserve.
    public var reservedConnections = 64
    /// Bytes of unfinished calls and unread replies that all connections of a user may hold together.
    public var heldBytesPerUser = 16 << 20
    /// The same of all users together. Beyond it each may hold an equal share of it.
    public var heldBytes = 256 << 20
    /// How long the rest of a call with descriptors may take.
    public var patience = Duration.seconds(30)

    /// The defaults of the configuration.
    public init() {}

    /// Lowers the bounds of connections to what so many open descriptors (RLIMIT_NOFILE, getrlimit(2)) are enough for: a
    /// connection takes six at most, which are its socket, its process, that process's program, and what is opened for its
    /// calls and on its way. A quarter is left for the service itself, and where there are too few for all connections that
    /// are wanted, no user has more than half of them. So nobody takes the descriptors with which others' files are opened.
    /// Of the connections that are still to be closed, each of which has one, there are an eighth of them at most.
    public mutating func fit(openFiles: Int) {
      let possible = max(4, (openFiles - max(64, openFiles / 4)) / 6)
      if possible < connections {
        connections = possible
        connectionsPerUser = min(connectionsPerUser, possible / 2)
      }
      unreadDescriptors = Self.unreadDescriptors(openFiles: openFiles, connections: connections)
      unclosedConnections = min(unclosedConnections, max(16, openFiles / 8))
    }

    /// How many descriptors a connection's peer may leave unread: of half of those that the kernel lets a user have in
    /// flight an equal share of each connection, one at least. So many as there are connections there always are.
    ///
    /// - Parameter openFiles: RLIMIT_NOFILE (getrlimit(2)).
    public static func unreadDescriptors(openFiles: Int, connections: Int) -> Int {
      min(8, max(1, openFiles / 2 / max(1, connections)))
    }
  }

  /// What happened since the start.
  public struct Statistics: Hashable, Sendable {
    /// Connections taken.
    public var accepted = 0
    /// Connections refused because their user has too many, or descriptors ran out.
    public var refused = 0
    /// Connections closed because the peer broke the protocol, or left a stream unread.
    public var violations = 0
    /// Calls served.
    public var calls = 0
  }

  /// The service's card, without the interfaces.
  public struct Identity: Sendable {
    /// Who made it.
    public let vendor: String
    /// What it is.
    public let product: String
    /// Which of it.
    public let version: String
    /// Where to read on.
    public let url: String

    /// A card.
    public init(vendor: String, product: String, version: String, url: String) {
      self.vendor = vendor
      self.product = product
      self.version = version
      self.url = url
    }
  }

  /// What happened since the start.
  public internal(set) var statistics = Statistics()
  /// Told when a connection is closed for what the peer sent, or refused.
  let onRefusal: @EventLoopActor (_ uid: UInt32, _ reason: String) -> Void
  /// What a caller is told of an error that no interface names.
  let failureText: @EventLoopActor (any Error, ServerCall) -> String
  let rewording: ErrorRewording?
  let admission: any Admission
  let porter: Porter
  let limits: Limits
  let turns = Turns()
  private(set) var methods = MethodTable()
  /// The one that was called last: nearly always it is called again, and comparing a name costs less than looking for it.
  private var latest: (name: ByteKey, method: MethodImplementation)?
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  /// Those in which replies with descriptors wait.
  var holding = HoldingConnections()
  /// Those that have ended, with descriptors that were not read.
  private var parted: [ObjectIdentifier: PartedSocket] = [:]
  private var users: [UInt32: ServedUser] = [:]
  private let ledger = HeldBytes()
  /// Connections of all users, as they are counted for each.
  private var counted = 0
  private var isClosed = false

  /// A service that so far only describes itself.
  ///
  /// - Parameters:
  ///   - porter: receives, reads and closes what peers send.
  ///   - admission: who may connect.
  ///   - failureText: what a caller is told of an error that no interface names.
  ///   - rewording: what callers are told of the others; nil for what they are.
  ///   - onRefusal: told when a connection is closed for what the peer sent, or refused.
  public init(
    identity: Identity, limits: Limits = Limits(), porter: Porter, admission: any Admission,
    failureText: @escaping @EventLoopActor (any Error, ServerCall) -> String,
    rewording: ErrorRewording? = nil,
    onRefusal: @escaping @EventLoopActor (_ uid: UInt32, _ reason: String) -> Void
  ) {
    self.limits = limits
    self.porter = porter
    self.admission = admission
    self.failureText = failureText
    self.rewording = rewording
    self.onRefusal = onRefusal
    add(describing(identity))
  }

  // Whoever lets it go last, its sources end on the loop and before their descriptors.
  isolated deinit {
    close()
  }

  /// Offers an interface.
  public func add(_ interface: InterfaceImplementation) {
    methods.add(interface, longestText: limits.textBytes, keeping: rewording?.parameters ?? [])
    latest = nil
  }

  /// The method that a call names.
  func method(_ name: String) throws -> MethodImplementation {
    let key = ByteKey(name)
    if let latest, latest.name == key { return latest.method }
    let method = try methods.method(name)
    latest = (key, method)
    return method
  }

  /// Serves every connection to a listening socket.
  public func serve(listener: consuming OwnedDescriptor) throws(SystemError) {
    let listener = try Listener(listener) { [weak self] in
      self?.mayAccept ?? false
    } take: { [weak self] socket, earliest in
      self?.take(socket, earliest)
    }
    listeners.append(listener)
  }

  /// Serves one connected socket.
  public func serve(connection socket: consuming OwnedDescriptor) {
    take(socket, nil)
  }

  /// Anybody may have lost what was theirs: replies that wait to be sent are looked at again, those that have a
  /// ``StillDue``.
  public func lookAgainAtReplies() { lookAgain(about: nil) }

  /// The same of those that depend on something, and of no others: what one user's apps are refused or do costs no more for
  /// what others leave unread.
  public func lookAgainAtReplies(about topic: AnyHashable) { lookAgain(about: topic) }

  private func lookAgain(about topic: AnyHashable?) {
    for connection in holding.connections(about: topic) { connection.lookAgain(about: topic) }
  }

  /// Whether any such reply waits.
  public var holdsReplies: Bool { !holding.isEmpty }

  /// How many connections are still to be closed.
  public var unclosedCount: Int { porter.unclosedCount }

  /// Those that are refused count against nobody, so they must not pile up.
  private var mayAccept: Bool { porter.unclosedCount < limits.unclosedConnections }

  private func resumeAccepting() {
    for listener in listeners { listener.resume() }
  }

  /// How many connections there are.
  public var connectionCount: Int { connections.count }

  /// Stops listening and closes every connection.
  public func close() {
    isClosed = true
    listeners.removeAll()
    for connection in connections.values { connection.close() }
    for kept in parted.values {
      if let socket = kept.take() { part(from: socket, nil, kept.slot) }
    }
    parted = [:]
  }

  /// - Parameter earliest: before which it cannot have been made; nil for one that was handed over.
  private func take(_ socket: consuming OwnedDescriptor, _ earliest: UInt64?) {
    let peer: PeerCredentials
    do throws(SystemError) {
      try UnixSocket.tellSenders(socket.number)
      peer = try PeerCredentials(of: socket.number, earliest: earliest ?? 0)
    } catch {
      statistics.refused += 1
      onRefusal(UInt32.max, error.description)
      return end(socket, UInt32.max)
    }
    let id = admission.accountable(peer.uid)
    let user = users[id] ?? ServedUser(id, ledger)
    let mostOfAll = limits.connections - (admission.hasReserve(peer.uid) ? 0 : reserve)
    guard counted < mostOfAll else {
      return refuse(socket, peer, id, "there are as many connections as may be: \(mostOfAll)")
    }
    guard user.connections < limits.connectionsPerUser else {
      return refuse(
        socket, peer, id, "the user has as many connections as may be: \(limits.connectionsPerUser)")
    }
    statistics.accepted += 1
    users[id] = user
    user.connections += 1
    counted += 1
    let slot = UserSlot(user, of: self)
    let number = socket.take()
    admission.admit(peer) { [self] attachment in
      begin(OwnedDescriptor(owning: number), peer, slot, attachment, isHandedOver: earliest == nil)
    }
  }

  /// Of a small number there is no reserve.
  private var reserve: Int { min(limits.reservedConnections, limits.connections / 4) }

  private func refuse(
    _ socket: consuming OwnedDescriptor, _ peer: PeerCredentials, _ id: UInt32, _ reason: String
  ) {
    statistics.refused += 1
    onRefusal(peer.uid, reason)
    end(socket, id)
  }

  private func end(_ socket: consuming OwnedDescriptor, _ id: UInt32) {
    if UnixSocket.hangUp(socket.number) { close(socket, of: id, keeping: nil) }
  }

  /// Ends a connection, which counts until nothing of it is in flight, and is closed then.
  func part(from socket: consuming OwnedDescriptor, _ unread: UnreadDescriptors?, _ slot: UserSlot) {
    let hasDescriptors = UnixSocket.hangUp(socket.number)
    if !isClosed, var unread, unread.count > 0 {
      unread.peerHolds(UnixSocket.unreadMemory(of: socket.number))
      if unread.count > 0 { return keep(socket, unread, slot) }
    }
    if hasDescriptors { close(socket, of: slot.user.id, keeping: slot) }
  }

  private func keep(_ socket: consuming OwnedDescriptor, _ unread: UnreadDescriptors, _ slot: UserSlot) {
    let kept = PartedSocket(socket, unread, slot) { [weak self] kept in
      guard let self, let socket = kept.take() else { return }
      parted[ObjectIdentifier(kept)] = nil
      part(from: socket, nil, slot)
    }
    parted[ObjectIdentifier(kept)] = kept
  }

  /// Has a connection closed where that may take long: those that are accepted wait until not too many are.
  func close(_ socket: consuming OwnedDescriptor, of id: UInt32, keeping slot: UserSlot?) {
    porter.close(socket, of: id, keeping: slot) { [weak self] in self?.resumeAccepting() }
  }

  private func begin(
    _ socket: consuming OwnedDescriptor, _ peer: PeerCredentials, _ slot: UserSlot, _ attachment: AnyObject?,
    isHandedOver: Bool
  ) {
    guard !isClosed else { return end(socket, slot.user.id) }
    do throws(SystemError) {
      let connection = try ServerConnection(
        socket: socket, peer: peer, slot: slot, attachment: attachment,
        isHandedOver: isHandedOver, server: self)
      connections[ObjectIdentifier(connection)] = connection
    } catch {
      onRefusal(peer.uid, error.description)
    }
  }

  func ended(_ connection: ServerConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    resumeAccepting()
  }

  /// What is counted for a user; nil for one without a connection.
  func user(_ id: UInt32) -> ServedUser? { users[id] }

  /// How many bytes a user may hold at present.
  var mostHeldBytes: Int {
    guard ledger.total > limits.heldBytes else { return limits.heldBytesPerUser }
    return min(limits.heldBytesPerUser, limits.heldBytes / max(1, users.count))
  }

  /// A connection is gone, and everything that worked for it.
  func released(_ user: ServedUser) {
    user.connections -= 1
    counted -= 1
    if user.connections == 0 { users[user.id] = nil }
  }

  private func describing(_ identity: Identity) -> InterfaceImplementation {
    var service = InterfaceImplementation(definition: ServiceInterface.description)
    service.on(ServiceInterface.GetInfo.self) { [unowned self] _, _ in
      ServiceInterface.GetInfo.Reply(
        vendor: identity.vendor, product: identity.product, version: identity.version, url: identity.url,
        interfaces: methods.order)
    }
    service.on(ServiceInterface.GetInterfaceDescription.self) { [unowned self] parameters, _ in
      ServiceInterface.GetInterfaceDescription.Reply(
        description: try methods.interface(parameters.interface).text)
    }
    return service
  }
}
