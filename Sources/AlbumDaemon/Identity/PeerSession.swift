internal import Authorization
internal import EventLoop
internal import Linux
internal import VarlinkServer
internal import VarlinkTransport

/// What the daemon knows of one connected peer. Kept with its connection.
@EventLoopActor
final class PeerSession {
  /// Whether the connection asked for the owner's view (S45).
  var actsAsOwner = false
  /// Whether its first access while limited was seen (S21).
  var wasOfferedPicker = false
  /// The app as which it was noted among those that were seen, and whether that was written down.
  var notedAs: (appID: String, isStored: Bool)?

  private let evidence: Result<PeerEvidence, UnidentifiedPeer>
  private var resolved: (generation: Int, identity: Result<PeerIdentity, UnidentifiedPeer>)?

  private init(_ evidence: Result<PeerEvidence, UnidentifiedPeer>) {
    self.evidence = evidence
  }

  /// Reads the evidence about a peer, once, when it has connected. On a thread for this alone, since the root
  /// directory of its process may be a file system of its own that never answers; how many of a user's can wait
  /// there is the quota of connections.
  static func begin(_ credentials: PeerCredentials, done: @escaping @EventLoopActor (PeerSession) -> Void) {
    ThreadReserve.shared.run {
      let evidence: Result<PeerEvidence, UnidentifiedPeer>
      do throws(UnidentifiedPeer) {
        evidence = .success(try ProcessInspector.evidence(about: credentials))
      } catch { evidence = .failure(error) }
      Task { @EventLoopActor in done(PeerSession(evidence)) }
    }
  }

  /// A peer about which nothing can be found out.
  fileprivate static func unknown() -> PeerSession {
    PeerSession(.failure(UnidentifiedPeer(reason: "it was not looked at")))
  }

  /// Who the peer is. Manifests that are read again are applied to the same evidence.
  func identity(by identification: Identification) throws(UnidentifiedPeer) -> PeerIdentity {
    if let resolved, resolved.generation == identification.generation { return try resolved.identity.get() }
    let result = evidence.flatMap(identification.resolve)
    resolved = (identification.generation, result)
    return try result.get()
  }
}

extension ServerCall {
  /// What is known of the caller.
  var session: PeerSession {
    connection.attachment as? PeerSession ?? PeerSession.unknown()
  }
}
