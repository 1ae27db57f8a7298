/// The manifests in force, found by evidence.
package struct ManifestCatalog: Sendable {
  /// By app id.
  package let manifests: [String: AppManifest]
  /// The administrator's `apps.d`, where manifests are to be written.
  package let directory: String
  private let exact: [IdentityBinding: String]
  private let userUnits: [(pattern: Glob, appID: String)]
  private let executables: [(path: String, appID: String)]

  /// Takes manifests that `conflicts(among:)` found nothing wrong with. Of two with one app id the later
  /// counts.
  package init(_ manifests: [AppManifest] = [], directory: String) {
    self.manifests = Dictionary(manifests.map { ($0.appID, $0) }) { _, later in later }
    self.directory = directory
    var exact: [IdentityBinding: String] = [:]
    var userUnits: [(pattern: Glob, appID: String)] = []
    var executables: [(path: String, appID: String)] = []
    for manifest in self.manifests.values.sorted(by: { $0.appID < $1.appID }) {
      for binding in manifest.bindings {
        switch binding.kind {
        case .flatpak, .snap, .unit: exact[binding] = manifest.appID
        case .userUnit: userUnits.append((Glob(binding.value), manifest.appID))
        case .executable: executables.append((binding.value, manifest.appID))
        case .sandbox: break
        }
      }
    }
    self.exact = exact
    self.userUnits = userUnits
    self.executables = executables
  }

  /// The file in which somebody should describe the app of that identity (rule S14).
  package func fileToWrite(appID: String) -> String {
    if let manifest = manifests[appID] { return manifest.fileToWrite }
    let path = appID.prefix { $0 != "#" }
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    return "\(directory)/\(AppManifest.isValidAppID(name) ? name : "APP-ID").yaml"
  }

  func manifest(flatpak id: String) -> AppManifest? { manifest(exact: .init(.flatpak, id)) }
  func manifest(snap name: String) -> AppManifest? { manifest(exact: .init(.snap, name)) }
  func manifest(unit: String) -> AppManifest? { manifest(exact: .init(.unit, unit)) }

  func manifest(userUnit: String) -> AppManifest? {
    userUnits.first { $0.pattern.matches(userUnit) }.flatMap { manifests[$0.appID] }
  }

  /// Every manifest that binds this very file, under whatever path.
  func manifests(executable: ProgramFile, at fileIdentity: (String) -> ProgramFile?) -> [AppManifest] {
    var seen: Set<String> = []
    return executables.filter { fileIdentity($0.path) == executable && seen.insert($0.appID).inserted }
      .compactMap { manifests[$0.appID] }
  }

  private func manifest(exact binding: IdentityBinding) -> AppManifest? {
    exact[binding].flatMap { manifests[$0] }
  }
}

/// Two apps claim the same evidence, so that a peer could be either.
package struct BindingConflict: Hashable, Sendable {
  /// An app and what it claims.
  package struct Claim: Hashable, Sendable {
    /// The app.
    package let appID: String
    /// Its claim.
    package let binding: IdentityBinding
  }
  /// The app that comes first.
  package let first: Claim
  /// The one that comes second.
  package let second: Claim
}

extension ManifestCatalog {
  /// What is claimed twice: the same value, or patterns of user units that some unit would match both.
  package static func conflicts(among manifests: [AppManifest]) -> [BindingConflict] {
    let claims = manifests.flatMap { manifest in
      manifest.bindings.map { BindingConflict.Claim(appID: manifest.appID, binding: $0) }
    }
    var found: [BindingConflict] = []
    // Few manifests bind user units; everything else is compared by value.
    var taken: [IdentityBinding: BindingConflict.Claim] = [:]
    var patterns: [BindingConflict.Claim] = []
    for claim in claims {
      switch claim.binding.kind {
      case .flatpak, .snap, .unit, .executable, .sandbox:
        if let first = taken[claim.binding], first.appID != claim.appID {
          found.append(BindingConflict(first: first, second: claim))
        } else {
          taken[claim.binding] = claim
        }
      case .userUnit:
        let pattern = Glob(claim.binding.value)
        for first in patterns where first.appID != claim.appID && pattern.overlaps(Glob(first.binding.value))
        {
          found.append(BindingConflict(first: first, second: claim))
        }
        patterns.append(claim)
      }
    }
    return found
  }
}
