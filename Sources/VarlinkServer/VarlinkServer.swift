public import EventLoop
public import Linux
internal import Varlink
public import VarlinkTransport

/// A Varlink service on the event loop: its interfaces, its listening sockets and its connections.
///
/// It knows framing, order, descriptors and quotas. What a method means is its implementation's affair.
@EventLoopActor
public final class VarlinkServer {
  /// What peers can make the server hold.
  public struct Limits: Sendable {
    /// The most bytes of one call, its NUL included.
    public var messageBytes = 1 << 20
    /// The most connections of one user id.
    public var connectionsPerUser = 128
    /// The most connections of all together.
    public var connections = 4096
    /// Unread replies beyond which no further call of that connection is read.
    public var unreadReplyBytes = 1 << 18
    /// Unread replies of a stream beyond which its connection is closed.
    public var unreadStreamBytes = 1 << 22
    /// Refused connections that are still to be closed, beyond which none is accepted until they are.
    public var unclosedConnections = 64

    /// The defaults of the configuration.
    public init() {}
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
  public var onRefusal: (@EventLoopActor (_ uid: UInt32, _ reason: String) -> Void)?

  /// What a caller is told of an error that no interface names.
  public var failureText: @EventLoopActor (any Error, ServerCall) -> String = { error, _ in "\(error)" }

  /// Finds out about a peer what the service needs to know, and hands it over: the attachment of its connection,
  /// of which nothing is read before. It may take its time; others do not wait for it.
  public var admission:
    (@EventLoopActor (PeerCredentials, @escaping @EventLoopActor (AnyObject?) -> Void) -> Void)?

  /// What becomes of a call when it was read.
  public enum Verdict {
    /// It is served.
    case serve
    /// It is answered with an error.
    case refuse(any Error)
    /// That is told later. Nothing else is read from its connection until then.
    case wait
  }

  /// Judges each call by who sent it (``ServerCall/sender``), which may be somebody else than who connected. After
  /// ``Verdict/wait`` it calls back once, later, with the error or with none; without it, every call is served.
  public var judge:
    (@EventLoopActor (ServerCall, @escaping @EventLoopActor ((any Error)?) -> Void) -> Verdict)?

  let limits: Limits
  private var interfaces: [String: InterfaceImplementation] = [:]
  /// The methods of all of them by their full names: a call is one look-up.
  private var methods: [String: MethodImplementation] = [:]
  private var interfaceOrder: [String] = []
  private var listeners: [Listener] = []
  private var connections: [ObjectIdentifier: ServerConnection] = [:]
  private var isClosed = false
  private var quota: UserQuota
  /// Closes the connections that are refused, and what was sent with them.
  private let closer = DescriptorCloser(interrupts: true)
  private var waitsForCloser = false

  /// A service that so far only describes itself.
  public init(identity: Identity, limits: Limits = Limits()) {
    self.limits = limits
    quota = UserQuota(limit: limits.connectionsPerUser)
    add(describing(identity))
  }

  // Whoever lets it go last, its sources end on the loop and before their descriptors.
  isolated deinit {
    close()
  }

  /// Offers an interface.
  public func add(_ interface: InterfaceImplementation) {
    interfaces[interface.description.name] = interface
    interfaceOrder.append(interface.description.name)
    for method in interface.description.methods.values {
      methods["\(interface.description.name).\(method.name)"] = MethodImplementation(method, of: interface)
    }
  }

  /// The method that a call names.
  func method(_ name: String) throws -> MethodImplementation {
    if let method = methods[name] { return method }
    let interface = InterfaceName.split(name)?.interface ?? name
    guard interfaces[interface] != nil else { throw InterfaceNotFound(interface: interface) }
    throw MethodNotFound(method: name)
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

  /// How many connections were refused and are still to be closed.
  public var unclosedCount: Int { closer.pending }

  /// Nothing counts those that are refused against their user, so they must not pile up.
  private var mayAccept: Bool {
    guard closer.pending >= limits.unclosedConnections else { return true }
    if !waitsForCloser {
      waitsForCloser = true
      closer.whenIdle { [weak self] in
        Task { @EventLoopActor in
          self?.waitsForCloser = false
          self?.resumeAccepting()
        }
      }
    }
    return false
  }

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
  }

  /// - Parameter earliest: before which it cannot have been made; nil for one that was handed over.
  private func take(_ socket: consuming OwnedDescriptor, _ earliest: UInt64?) {
    let peer: PeerCredentials
    do throws(SystemError) { peer = try PeerCredentials(of: socket.number, earliest: earliest ?? 0) } catch {
      statistics.refused += 1
      onRefusal?(UInt32.max, error.description)
      return
    }
    guard quota.total < limits.connections else {
      return refuse(socket, peer, "there are as many connections as may be: \(limits.connections)")
    }
    guard quota.take(peer.uid) else {
      return refuse(socket, peer, "the user has as many connections as may be: \(limits.connectionsPerUser)")
    }
    statistics.accepted += 1
    let isHandedOver = earliest == nil
    guard let admission else { return begin(socket, peer, nil, isHandedOver) }
    let number = socket.take()
    admission(peer) { [self] attachment in
      begin(OwnedDescriptor(owning: number), peer, attachment, isHandedOver)
    }
  }

  private func refuse(_ socket: consuming OwnedDescriptor, _ peer: PeerCredentials, _ reason: String) {
    statistics.refused += 1
    onRefusal?(peer.uid, reason)
    UnixSocket.close(socket, by: closer)
  }

  private func begin(
    _ socket: consuming OwnedDescriptor, _ peer: PeerCredentials, _ attachment: AnyObject?,
    _ isHandedOver: Bool
  ) {
    guard !isClosed else {
      released(peer.uid)
      return UnixSocket.close(socket, by: closer)
    }
    do throws(SystemError) {
      let connection = try ServerConnection(socket: socket, peer: peer, server: self)
      connection.attachment = attachment
      connection.isHandedOver = isHandedOver
      connections[ObjectIdentifier(connection)] = connection
    } catch {
      // The quota was given back by the connection, as every one does at its end.
      onRefusal?(peer.uid, error.description)
    }
  }

  func ended(_ connection: ServerConnection) {
    guard connections.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
    resumeAccepting()
  }

  /// A connection is gone, and everything that worked for it.
  func released(_ uid: UInt32) {
    quota.giveBack(uid)
  }

  private func describing(_ identity: Identity) -> InterfaceImplementation {
    var service = InterfaceImplementation(definition: ServiceInterface.description)
    service.on(ServiceInterface.GetInfo.self) { [unowned self] _, _ in
      ServiceInterface.GetInfo.Reply(
        vendor: identity.vendor, product: identity.product, version: identity.version, url: identity.url,
        interfaces: interfaceOrder)
    }
    service.on(ServiceInterface.GetInterfaceDescription.self) { [unowned self] parameters, _ in
      guard let interface = interfaces[parameters.interface] else {
        throw InterfaceNotFound(interface: parameters.interface)
      }
      return ServiceInterface.GetInterfaceDescription.Reply(description: interface.description.text)
    }
    return service
  }
}
