internal import Authorization
internal import DaemonConfiguration
internal import EventLoop
internal import Glibc

/// The manifests and owners in force, for telling who a peer is and what it may act as.
@EventLoopActor
final class Identification {
  /// Counts the configurations, so that what was resolved by an earlier one is resolved again.
  private(set) var generation = 0
  private(set) var manifests: ManifestCatalog
  private(set) var owners: OwnerRules
  private var subordinates: SubordinateIDs
  private var resolver: IdentityResolver

  init(manifests: ManifestCatalog, owners: OwnerRules, subordinates: SubordinateIDs) {
    self.manifests = manifests
    self.subordinates = subordinates
    self.owners = owners
    resolver = IdentityResolver(manifests)
  }

  func reload(manifests: ManifestCatalog, owners: OwnerRules, subordinates: SubordinateIDs) {
    self.manifests = manifests
    self.subordinates = subordinates
    self.owners = owners
    resolver = IdentityResolver(manifests)
    generation += 1
  }

  /// Whose quota a user counts against: a user's subordinate ids (subuid(5)) are that user's.
  func accountable(_ uid: UInt32) -> UInt32 { subordinates.owner(of: uid) ?? uid }

  /// Who a peer with this evidence is (S35, S36).
  func resolve(_ evidence: PeerEvidence) -> Result<PeerIdentity, UnidentifiedPeer> {
    do throws(UnidentifiedPeer) {
      let identity = try resolver.resolve(evidence, fileIdentity: Self.file(at:))
      return .success(identity.counted(against: accountable(identity.uid)))
    } catch { return .failure(error) }
  }

  /// The file that a manifest's path names now, through symbolic links as exec(3) goes.
  private nonisolated static func file(at path: String) -> ProgramFile? {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return ProgramFile(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
  }
}
