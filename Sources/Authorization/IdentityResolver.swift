/// Turns evidence into an identity (rules S35, S36).
///
/// Kinds are believed in the order Flatpak, Snap, system unit, user unit, program file. A sandboxed peer
/// is only ever what its sandbox says: its program file and its unit come from inside, or from the
/// launcher, and could be another app's.
package struct IdentityResolver: Sendable {
  /// The manifests in force.
  package let catalog: ManifestCatalog

  /// Bytes of a name. A path is as long as the kernel lets it be.
  private static let longestName = 255

  /// A resolver for these manifests.
  package init(_ catalog: ManifestCatalog) {
    self.catalog = catalog
  }

  /// Who the peer is.
  ///
  /// - Parameter fileIdentity: the file at a manifest's path, or nil when there is none: stat(2).
  /// - Throws: `UnidentifiedPeer` when evidence that matters is missing, unreadable or ambiguous.
  package func resolve(
    _ evidence: PeerEvidence, fileIdentity: (String) -> ProgramFile?
  ) throws(UnidentifiedPeer) -> PeerIdentity {
    let peer = Peer(evidence, catalog, isApart: evidence.apart != .absent)
    if let id = try value(evidence.flatpak, "Flatpak id") {
      try FlatpakID.check(id)
      // A unit's name would be taken for a system unit without a manifest.
      if let manifest = catalog.manifest(flatpak: id) { return peer.matched(manifest, .flatpak, id) }
      if isServiceName(id) {
        throw UnidentifiedPeer(reason: "the Flatpak id \(id) reads like a unit and needs an app manifest")
      }
      return try peer.unmatched(id, .flatpak, id)
    }
    if let name = try value(evidence.snap, "snap name") {
      try checkSnap(name)
      if let manifest = catalog.manifest(snap: name) { return peer.matched(manifest, .snap, name) }
      return try peer.unmatched("snap.\(name)", .snap, name)
    }

    let unit = try unitName(evidence.unit, "unit")
    if let unit, let manifest = catalog.manifest(unit: unit) { return peer.matched(manifest, .unit, unit) }
    let userUnit = try unitName(evidence.userUnit, "user unit")
    if let userUnit, let manifest = catalog.manifest(userUnit: userUnit) {
      return peer.matched(manifest, .userUnit, userUnit)
    }
    let executable = try value(evidence.executable, "program file")
    let apart = try value(evidence.apart, "namespaces")
    if let executable, apart == nil,
      let identity = try matched(peer, executable, fileIdentity)
    {
      return identity
    }

    // The manager of a user's units is not an app, and neither is a login session.
    if let unit, isServiceName(unit), !Glob("user@*.service").matches(unit) {
      return try peer.unmatched(unit, .unit, unit)
    }
    if let userUnit, isServiceName(userUnit) || Glob("app-*.scope").matches(userUnit) {
      // Anyone can name a unit of his own like one of the system's: the prefix keeps them apart.
      return try peer.unmatched("user/\(userUnit)", .userUnit, userUnit)
    }
    if let apart {
      // What is at which path there, and in which file system, is whatever its user likes.
      return try peer.unmatched("sandbox:\(evidence.uid)", .sandbox, apart.joined(separator: " "))
    }
    if let executable { return try peer.unmatched(executable.appID, .executable, executable.pathText) }
    throw UnidentifiedPeer(reason: "nothing is known about process \(evidence.pid) but its user")
  }

  /// The app whose manifest names this very file.
  private func matched(
    _ peer: Peer, _ executable: ExecutableEvidence, _ fileIdentity: (String) -> ProgramFile?
  ) throws(UnidentifiedPeer) -> PeerIdentity? {
    let manifests = catalog.manifests(executable: executable.file, at: fileIdentity)
    guard let manifest = manifests.first else { return nil }
    if manifests.count > 1 {
      let names = manifests.map(\.appID).joined(separator: ", ")
      throw UnidentifiedPeer(reason: "\(executable.pathText) is claimed by several app manifests: \(names)")
    }
    return peer.matched(manifest, .executable, executable.pathText)
  }

  /// Names of snaps have small letters, digits and hyphens, and a key after `_` where a snap is there several times:
  /// no dot, so that the id is that of no Flatpak and no unit.
  private func checkSnap(_ name: String) throws(UnidentifiedPeer) {
    let bytes = name.utf8
    guard bytes.count <= Self.longestName else {
      throw .tooLong("snap name", bytes.count, Self.longestName)
    }
    let others = Array("-_".utf8)
    guard !bytes.isEmpty, bytes.allSatisfy({ $0.isLetter || $0.isDigit || others.contains($0) }) else {
      throw UnidentifiedPeer(reason: "\(bytes.percentEncoded) is no name of a snap")
    }
  }

  /// systemd names its units in ASCII, without a slash and without `#` (systemd.unit(5)).
  private func unitName(
    _ finding: Finding<String>, _ what: String
  ) throws(UnidentifiedPeer) -> String? {
    guard let name = try value(finding, what) else { return nil }
    guard name.utf8.count <= Self.longestName else {
      throw .tooLong(what, name.utf8.count, Self.longestName)
    }
    let others = Array(":-_.\\@".utf8)
    guard name.utf8.allSatisfy({ $0.isLetter || $0.isDigit || others.contains($0) }) else {
      throw UnidentifiedPeer(reason: "\(name.utf8.percentEncoded) is no name of a unit")
    }
    return name
  }
}

private func isServiceName(_ name: String) -> Bool { name.hasSuffix(".service") }

private func value<Value>(_ finding: Finding<Value>, _ what: String) throws(UnidentifiedPeer) -> Value? {
  switch finding {
  case .absent: nil
  case .found(let value): value
  case .unreadable(let reason): throw UnidentifiedPeer(reason: "the peer's \(what) cannot be read: \(reason)")
  }
}

/// One peer, on its way to an identity.
private struct Peer {
  let uid: UInt32
  let catalog: ManifestCatalog
  let isApart: Bool

  init(_ evidence: PeerEvidence, _ catalog: ManifestCatalog, isApart: Bool) {
    self.isApart = isApart
    uid = evidence.uid
    self.catalog = catalog
  }

  func matched(_ manifest: AppManifest, _ kind: EvidenceKind, _ value: String) -> PeerIdentity {
    PeerIdentity(
      appID: manifest.appID, uid: uid, evidence: .init(kind, value), isVerified: kind.isVerified,
      manifest: manifest, manifestFile: manifest.fileToWrite, isApart: isApart)
  }

  /// An identity from evidence alone. It must not be the name of another app: that one's grants would be
  /// this peer's.
  func unmatched(
    _ appID: String, _ kind: EvidenceKind, _ value: String
  ) throws(UnidentifiedPeer) -> PeerIdentity {
    if let manifest = catalog.manifests[appID] {
      throw UnidentifiedPeer(
        reason: "\(manifest.file) describes \(appID) but does not name its \(kind.rawValue) (\(value)); "
          + "add it to identity in \(manifest.fileToWrite)")
    }
    return PeerIdentity(
      appID: appID, uid: uid, evidence: .init(kind, value), isVerified: kind.isVerified, manifest: nil,
      manifestFile: catalog.fileToWrite(appID: appID), isApart: isApart)
  }
}

extension EvidenceKind {
  /// Whether a peer's user cannot forge it. Users name their own units as they like, make the sandboxes of their
  /// Flatpaks themselves, with what stands in them (docs/decisions/0005), and run every program as they like
  /// (docs/decisions/0020).
  fileprivate var isVerified: Bool {
    switch self {
    case .snap, .unit: true
    case .flatpak, .userUnit, .executable, .sandbox: false
    }
  }
}
