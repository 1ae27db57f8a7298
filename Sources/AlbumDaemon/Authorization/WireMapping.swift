internal import AlbumAPI
internal import Authorization
internal import Varlink
internal import VarlinkServer

// The model's types and those of the wire, one for one.

extension AccessLevel {
  init(_ level: AuthorizationInterface.AccessLevel) {
    switch level {
    case .addOnly: self = .addOnly
    case .readWrite: self = .readWrite
    }
  }
}

extension AuthorizationInterface.AccessLevel {
  init(_ level: AccessLevel) {
    switch level {
    case .addOnly: self = .addOnly
    case .readWrite: self = .readWrite
    }
  }
}

extension AuthorizationInterface.AuthorizationStatus {
  init(_ status: AuthorizationStatus) {
    switch status {
    case .notDetermined: self = .notDetermined
    case .restricted: self = .restricted
    case .denied: self = .denied
    case .authorized: self = .authorized
    case .limited: self = .limited
    }
  }
}

extension PromptChoice {
  init(_ decision: AgentInterface.Decision) {
    switch decision {
    case .allow: self = .allow
    case .limited: self = .limited
    case .deny: self = .deny
    case .notNow: self = .notNow
    }
  }
}

extension AgentInterface.Decision {
  init(_ choice: PromptChoice) {
    switch choice {
    case .allow: self = .allow
    case .limited: self = .limited
    case .deny: self = .deny
    case .notNow: self = .notNow
    }
  }
}

extension ManagerInterface.AccessKind {
  init(_ kind: AccessEvent.Kind) {
    switch kind {
    case .request: self = .request
    case .decision: self = .decision
    case .settings: self = .settings
    case .fetch: self = .fetch
    case .open: self = .open
    case .add: self = .add
    case .delete: self = .delete
    case .replace: self = .replace
    case .revert: self = .revert
    case .createAlbum: self = .createAlbum
    case .addToAlbum: self = .addToAlbum
    case .removeFromAlbum: self = .removeFromAlbum
    case .moveAlbum: self = .moveAlbum
    case .deleteAlbum: self = .deleteAlbum
    case .arrangeAlbum: self = .arrangeAlbum
    case .renameAsset: self = .renameAsset
    case .moveAssets: self = .moveAssets
    case .favorite: self = .favorite
    case .hide: self = .hide
    case .restore: self = .restore
    case .purge: self = .purge
    case .pick: self = .pick
    case .owner: self = .owner
    case .agent: self = .agent
    case .refused: self = .refused
    }
  }
}

extension ManagerInterface.AccessAuthor {
  init(_ role: AccessEvent.Author.Role) {
    switch role {
    case .agent: self = .agent
    case .settings: self = .settings
    case .policy: self = .policy
    case .policyEnd: self = .policyEnd
    case .expiry: self = .expiry
    case .exit: self = .exit
    case .disuse: self = .disuse
    }
  }
}

extension EffectiveStatus {
  /// Whether it includes location (S55), where there is something to be told of: nil of a level that reads nothing, and
  /// where nothing is granted.
  func location(of key: RecordKey, for manifest: AppManifest?) -> Bool? {
    key.accessLevel == .readWrite && status.isUsable ? includesLocation(for: manifest) : nil
  }
}

extension Instant {
  init(_ time: Timestamp) {
    self.init(microseconds: time.microseconds)
  }
}

extension Timestamp {
  init(_ instant: Instant) {
    self.init(microseconds: instant.microseconds)
  }
}

extension IdentityBinding {
  /// As the interfaces tell a person.
  var told: String { "\(kind.rawValue) \(value)" }
}

extension AuthorizationInterface.Identity {
  init(_ identity: PeerIdentity) {
    self.init(
      appId: identity.appID, uid: Int(identity.uid),
      evidence: identity.evidence.told,
      verified: identity.isVerified, manifest: identity.manifest?.file)
  }
}

extension AuthorizationInterface.Guide {
  init(_ guide: Guide) {
    self.init(
      title: guide.title, message: guide.message, steps: guide.steps, settingsCommand: guide.settingsCommand,
      settingsAddress: guide.settingsAddress, later: guide.later, heading: guide.heading,
      openSettings: guide.openSettings)
  }
}

extension RequestError {
  /// The error as its interface names it, for an owner, who may know which of the daemon's files cannot be written.
  var toldToOwner: any VarlinkError {
    if case .notStored(let reason) = self { SystemFailure(message: reason) } else { onTheWire }
  }

  /// The same for an app.
  var onTheWire: any VarlinkError {
    switch self {
    case .noAgent: AuthorizationInterface.NoAgent()
    case .usageDescriptionMissing(let appID, let level, let manifest):
      AuthorizationInterface.UsageDescriptionMissing(
        appId: appID, accessLevel: .init(level), manifest: "\(manifest): usage.\(level.rawValue)")
    case .throttled(let seconds): AuthorizationInterface.Throttled(retryAfterSeconds: Int(seconds))
    case .busy: AuthorizationInterface.Busy()
    case .anotherApp:
      AuthorizationInterface.UnidentifiedPeer(
        reason: "by the manifests that were read meanwhile it is another app; it may ask again")
    case .lockedByPolicy(let policy): ManagerInterface.LockedByPolicy(policy: policy.file)
    case .notStored: SystemFailure.notStored
    }
  }
}
