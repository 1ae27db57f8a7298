/// What a record comes to, and who made it so (rule S4).
public struct EffectiveStatus: Hashable, Sendable {
  /// Where a status comes from.
  public enum Origin: Hashable, Sendable {
    /// The administrator's policy; the owner cannot change it.
    case policy(Policy)
    /// The owner's decision.
    case decision(Decision)
    /// Nobody decided.
    case undecided
  }

  /// Who made it so.
  public let origin: Origin

  /// The status of that origin.
  public init(_ origin: Origin) {
    self.origin = origin
  }

  /// What the app is told.
  public var status: AuthorizationStatus {
    switch origin {
    case .policy(let policy): policy.effect.status
    case .decision(let decision): decision.status.status
    case .undecided: .notDetermined
    }
  }

  /// When it ends, where a time was set.
  public var expires: Timestamp? {
    switch origin {
    case .decision(let decision): decision.expires
    case .policy, .undecided: nil
    }
  }

  /// The policy that keeps the owner from changing it.
  public var policy: Policy? {
    switch origin {
    case .policy(let policy): policy
    case .decision, .undecided: nil
    }
  }
}
