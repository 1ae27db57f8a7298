/// Who a peer is, as the daemon sees it.
package struct PeerIdentity: Hashable, Sendable {
  /// The manifest's app id, or what the evidence gives.
  package let appID: String
  /// The peer's user.
  package let uid: UInt32
  /// The evidence that decided.
  package let evidence: IdentityBinding
  /// Whether the peer's user could not have forged that evidence.
  package let isVerified: Bool
  /// The manifest that recognizes the app; without one nothing is granted by prompt (rules S14, S36).
  package var manifest: AppManifest? { shared?.manifest }
  private let shared: SharedManifest?
  /// The manifest file in which a missing key should be written.
  package let manifestFile: String

  /// Whether it is in namespaces other than the host's.
  package let isApart: Bool
  /// Against whose quotas it counts: its user, or the one to whom that subordinate id belongs (subuid(5)).
  package let accountable: UInt32

  /// An identity as found.
  package init(
    appID: String, uid: UInt32, evidence: IdentityBinding, isVerified: Bool, manifest: AppManifest?,
    manifestFile: String, isApart: Bool = false, accountable: UInt32? = nil
  ) {
    self.accountable = accountable ?? uid
    self.isApart = isApart
    self.appID = appID
    self.uid = uid
    self.evidence = evidence
    self.isVerified = isVerified
    shared = manifest.map(SharedManifest.init)
    self.manifestFile = manifestFile
  }

  /// The same, counted against another user.
  package func counted(against user: UInt32) -> PeerIdentity {
    if user == accountable { return self }
    return PeerIdentity(
      appID: appID, uid: uid, evidence: evidence, isVerified: isVerified, manifest: manifest,
      manifestFile: manifestFile, isApart: isApart, accountable: user)
  }

  /// The kind of evidence that decided.
  package var kind: EvidenceKind { evidence.kind }

  /// Whether the peer lives in a sandbox, be it one that names its apps or any other.
  package var isSandboxed: Bool { kind.isSandbox || isApart }

  /// The app's name for a person: the manifest's, else the app id.
  package func name(for languages: [String]) -> String {
    manifest?.name.text(for: languages) ?? appID
  }

  /// Whether it says what for, without which nothing is granted by a prompt (rules S14, S36).
  package func mayBeGranted(_ level: AccessLevel) -> Bool { manifest?.usage[level] != nil }

  /// Whether it says why it wants to know where pictures were taken, without which an owner cannot let it (rule S55).
  package var mayBeGrantedLocation: Bool { manifest?.locationUsage != nil }

  /// The app, and whose it is.
  package var key: AppKey { AppKey(uid: uid, appID: appID) }

  /// The record of this app at that level.
  package func record(_ level: AccessLevel) -> RecordKey { key.record(level) }
}

/// A manifest that is shared: an identity is handed on with every call, and a manifest has a dozen parts to count.
private final class SharedManifest: Hashable, Sendable {
  let manifest: AppManifest

  init(_ manifest: AppManifest) {
    self.manifest = manifest
  }

  static func == (one: SharedManifest, other: SharedManifest) -> Bool {
    one === other || one.manifest == other.manifest
  }

  func hash(into hasher: inout Hasher) { manifest.hash(into: &hasher) }
}
