internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Linux
internal import Varlink
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
  /// What it is to be told in, where a call names no other (S89).
  var language: String?
  /// The last process that sent in its place.
  private(set) var deputy: Deputy?

  private var read: Result<ReadEvidence, UnidentifiedPeer>
  /// What that comes to, and by which manifests; apart from each other, so that a look at the second copies none of the first.
  private var resolved: Result<PeerIdentity, UnidentifiedPeer>?
  private var generation: Int?

  private init(_ read: Result<ReadEvidence, UnidentifiedPeer>) {
    self.read = read
  }

  /// Has the evidence about a peer read, when it has connected.
  static func begin(
    _ credentials: PeerCredentials, _ evidence: EvidenceLanes,
    done: @escaping @EventLoopActor (PeerSession) -> Void
  ) {
    evidence.read(credentials) { done(PeerSession($0)) }
  }

  /// A peer about which nothing can be found out.
  fileprivate static func unknown() -> PeerSession {
    PeerSession(.failure(UnidentifiedPeer(reason: "it was not looked at")))
  }

  /// Who the peer is. Manifests that are read again are applied to the same evidence.
  func identity(by identification: Identification) throws(UnidentifiedPeer) -> PeerIdentity {
    if generation == identification.generation {
      switch resolved {
      case .success(let identity)?: return identity
      case .failure(let error)?: throw error
      case nil: break
      }
    }
    let result = read.map(\.evidence).flatMap(identification.resolve)
    (resolved, generation) = (result, identification.generation)
    return try result.get()
  }

  /// The process that connected, if the evidence about it could be read.
  var process: KnownProcess? {
    switch read {
    case .success(let read): read.process
    case .failure: nil
    }
  }

  /// Its process has become another program since. It goes on only as the app that it was.
  func became(_ new: Result<ReadEvidence, UnidentifiedPeer>, by identification: Identification) {
    let before: PeerIdentity
    do throws(UnidentifiedPeer) { before = try identity(by: identification) } catch { return }
    let after = new.map(\.evidence).flatMap(identification.resolve)
    switch after {
    case .success(let after) where after.isSameApp(as: before): read = new
    case .success(let after):
      read = .failure(
        UnidentifiedPeer(
          reason: "it connected as \(before.appID), and its process has become \(after.appID); connect again")
      )
    case .failure(let error):
      read = .failure(
        UnidentifiedPeer(reason: "its process has become another program since it connected: \(error.reason)")
      )
    }
    resolved = nil
  }

  /// Another process sends on the connection: it may if it is the same app.
  func look(
    at sender: SenderCredentials, _ new: Result<ReadEvidence, UnidentifiedPeer>,
    by identification: Identification
  ) -> UnidentifiedPeer? {
    deputy = Deputy(sender, new, of: self, by: identification)
    return deputy?.refusal
  }
}

/// A process that sends on another's connection, such as a worker that it has forked.
@EventLoopActor
final class Deputy {
  /// Why it may not; nil when it may.
  let refusal: UnidentifiedPeer?
  private let sender: SenderCredentials
  private let process: KnownProcess?
  private let generation: Int

  fileprivate init(
    _ sender: SenderCredentials, _ read: Result<ReadEvidence, UnidentifiedPeer>, of session: PeerSession,
    by identification: Identification
  ) {
    self.sender = sender
    generation = identification.generation
    switch read {
    case .failure(let error):
      process = nil
      refusal = UnidentifiedPeer(
        reason: "another process than the one that connected has sent this: \(error.reason)")
    case .success(let read):
      process = read.process
      refusal = Self.refusal(identification.resolve(read.evidence), session, identification)
    }
  }

  private static func refusal(
    _ other: Result<PeerIdentity, UnidentifiedPeer>, _ session: PeerSession, _ identification: Identification
  ) -> UnidentifiedPeer? {
    do throws(UnidentifiedPeer) {
      let own = try session.identity(by: identification)
      let other = try other.get()
      if other.isSameApp(as: own) { return nil }
      return UnidentifiedPeer(reason: "\(own.appID) has connected, and \(other.appID) has sent this")
    } catch { return error }
  }

  /// Whether what was found out about it holds for a message of that sender.
  func isStill(_ sender: SenderCredentials, _ identification: Identification) -> Bool {
    guard sender == self.sender, generation == identification.generation, let process else { return false }
    return process.look() == .same
  }
}

extension PeerIdentity {
  /// Whether the other one is this app of this user, known in the same way.
  fileprivate func isSameApp(as other: PeerIdentity) -> Bool {
    key == other.key && kind == other.kind && isApart == other.isApart
  }
}

extension ServerCall {
  /// What is known of the caller.
  var session: PeerSession {
    connection.attachment as? PeerSession ?? PeerSession.unknown()
  }

  /// The language that counts for a call that may have named one itself.
  func language(named own: String?) -> String? { own ?? session.language }
}
