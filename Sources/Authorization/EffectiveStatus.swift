/// What a record comes to, and who made it so (rule S4).
package struct EffectiveStatus: Hashable, Sendable {
  /// Where a status comes from.
  package enum Origin: Hashable, Sendable {
    /// The administrator's policy; the owner cannot change it.
    case policy(Policy)
    /// The owner's decision.
    case decision(Decision)
    /// Nobody decided.
    case undecided
  }

  /// Who made it so.
  package let origin: Origin

  /// The status of that origin.
  package init(_ origin: Origin) {
    self.origin = origin
  }

  /// What the app is told.
  package var status: AuthorizationStatus {
    switch origin {
    case .policy(let policy): policy.effect.status
    case .decision(let decision): decision.status.status
    case .undecided: .notDetermined
    }
  }

  /// Whether an app of that manifest learns where pictures were taken (rule S55). Of a decision it was looked at when it
  /// was made that the manifest says what for; and one from before there was anything to say keeps what it had.
  package func includesLocation(for manifest: AppManifest?) -> Bool {
    switch origin {
    case .policy(let policy):
      policy.effect == .authorize && policy.includesLocation && manifest?.locationUsage != nil
    case .decision(let decision): decision.includesLocation
    case .undecided: false
    }
  }

  /// When it ends, where a time was set.
  package var expires: Timestamp? {
    switch origin {
    case .decision(let decision): decision.expires
    case .policy, .undecided: nil
    }
  }

  /// The policy that keeps the owner from changing it.
  package var policy: Policy? {
    switch origin {
    case .policy(let policy): policy
    case .decision, .undecided: nil
    }
  }
}
