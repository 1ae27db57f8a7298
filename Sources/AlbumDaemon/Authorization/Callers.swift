internal import AlbumAPI
internal import Authorization
internal import EventLoop
internal import Logging
internal import VarlinkServer
internal import VarlinkTransport

/// Who calls, and what that lets them act as. Every service asks here.
@EventLoopActor
final class Callers {
  private let identification: Identification
  private let apps: KnownApps
  private let names: UserNames

  init(identification: Identification, apps: KnownApps, names: UserNames) {
    self.identification = identification
    self.apps = apps
    self.names = names
  }

  /// The caller's identity.
  ///
  /// - Parameter onlyAsks: whether the call asks for a status, which writes nothing (S5).
  /// - Throws: `UnidentifiedPeer` on the wire (S36).
  func identity(of call: ServerCall, onlyAsks: Bool = false) throws -> PeerIdentity {
    let session = call.session
    do throws(UnidentifiedPeer) {
      let identity = try session.identity(by: identification)
      let noted = session.notedAs
      if noted?.appID != identity.appID || (noted?.isStored == false && !onlyAsks) {
        session.notedAs = (identity.appID, isStored: !onlyAsks)
        apps.note(identity, isStored: !onlyAsks)
        // Whose line in the log may be next.
        _ = names.label(identity.uid)
      }
      return identity
    } catch { throw AuthorizationInterface.UnidentifiedPeer(reason: error.reason) }
  }

  /// Who that is by the manifests in force; nil when it cannot be told.
  func identity(of session: PeerSession) -> PeerIdentity? { try? session.identity(by: identification) }

  /// The caller names its person's language, or none.
  func note(language: String?, of app: PeerIdentity) {
    if let language { apps.note(language: language, of: app) }
  }

  /// Who owns the library.
  var owners: OwnerRules { identification.owners }

  /// Whether the caller may act for an owner (S44).
  func mayActAsOwner(_ call: ServerCall) throws -> Bool {
    identification.owners.mayActAsOwner(try identity(of: call))
  }

  /// Refuses who may not act as an owner (S44), in the manager's words.
  func checkOwner(_ call: ServerCall) throws {
    guard try mayActAsOwner(call) else { throw ManagerInterface.NotAnOwner() }
  }

  /// The caller for the log.
  func metadata(of call: ServerCall) -> Logger.Metadata {
    let peer = call.connection.peer
    var metadata: Logger.Metadata = ["uid": "\(peer.uid)", "pid": "\(peer.pid)"]
    if let identity = try? call.session.identity(by: identification) {
      metadata["appId"] = "\(identity.appID)"
    }
    return metadata
  }
}
