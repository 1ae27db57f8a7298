internal import Authorization
internal import EventLoop
internal import VarlinkServer
internal import VarlinkTransport

/// What the daemon knows of one connected peer. Kept with its connection.
@EventLoopActor
final class PeerSession {
  /// The kernel's word on the peer.
  let credentials: PeerCredentials
  /// Whether the connection asked for the owner's view (S45).
  var actsAsOwner = false
  /// Whether its first access while limited was seen (S21).
  var wasOfferedPicker = false
  /// Whether it was noted among the apps that were seen.
  var wasNoted = false

  private var evidence: Result<PeerEvidence, UnidentifiedPeer>?
  private var resolved: (generation: Int, identity: Result<PeerIdentity, UnidentifiedPeer>)?

  init(_ credentials: PeerCredentials) {
    self.credentials = credentials
  }

  /// Who the peer is. Evidence is read once, at the first call that needs it; manifests that are read
  /// again are applied to the same evidence.
  func identity(by identification: Identification) throws(UnidentifiedPeer) -> PeerIdentity {
    if let resolved, resolved.generation == identification.generation { return try resolved.identity.get() }
    let result = readEvidence().flatMap(identification.resolve)
    resolved = (identification.generation, result)
    return try result.get()
  }

  private func readEvidence() -> Result<PeerEvidence, UnidentifiedPeer> {
    if let evidence { return evidence }
    let read: Result<PeerEvidence, UnidentifiedPeer>
    do throws(UnidentifiedPeer) { read = .success(try ProcessInspector.evidence(about: credentials)) } catch {
      read = .failure(error)
    }
    evidence = read
    return read
  }
}

extension ServerCall {
  /// What is known of the caller.
  var session: PeerSession {
    if let session = connection.attachment as? PeerSession { return session }
    let session = PeerSession(connection.peer)
    connection.attachment = session
    return session
  }
}
