/// Who a peer is, as the daemon sees it.
public struct PeerIdentity: Hashable, Sendable {
  /// The manifest's app id, or what the evidence gives.
  public let appID: String
  /// The peer's user.
  public let uid: UInt32
  /// The evidence that decided.
  public let evidence: IdentityBinding
  /// Whether the peer's user could not have forged that evidence.
  public let isVerified: Bool
  /// The manifest that recognizes the app; without one nothing is granted by prompt (rules S14, S36).
  public let manifest: AppManifest?
  /// The manifest file in which a missing key should be written.
  public let manifestFile: String

  /// Whether it is in namespaces other than the host's.
  public let isApart: Bool

  /// An identity as found.
  public init(
    appID: String, uid: UInt32, evidence: IdentityBinding, isVerified: Bool, manifest: AppManifest?,
    manifestFile: String, isApart: Bool = false
  ) {
    self.isApart = isApart
    self.appID = appID
    self.uid = uid
    self.evidence = evidence
    self.isVerified = isVerified
    self.manifest = manifest
    self.manifestFile = manifestFile
  }

  /// The kind of evidence that decided.
  public var kind: EvidenceKind { evidence.kind }

  /// Whether the peer lives in a sandbox, be it one that names its apps or any other.
  public var isSandboxed: Bool { kind.isSandbox || isApart }

  /// The app's name for a person: the manifest's, else the app id.
  public func name(for languages: [String]) -> String {
    manifest?.name.text(for: languages) ?? appID
  }

  /// Whether it says what for, without which nothing is granted by a prompt (rules S14, S36).
  public func mayBeGranted(_ level: AccessLevel) -> Bool { manifest?.usage[level] != nil }

  /// The record of this app at that level.
  public func record(_ level: AccessLevel) -> RecordKey {
    RecordKey(uid: uid, appID: appID, accessLevel: level)
  }
}
