/// What came of something that needs access.
public enum PermissionOutcome<Value: Sendable>: Sendable {
  /// It was allowed, and done.
  case done(Value)
  /// The owner refused, now or earlier. Show the guide, let the person cancel, and leave it at that (S15).
  case denied(Guide)
  /// A policy forbids it. The guide says whose (S6).
  case restricted(Guide)
  /// The owner, or the person here, put it off. The status is as it was (S11).
  case notNow
  /// Nobody is there to answer the owner's prompt (S12). The status is as it was.
  case noAgent
}

extension PermissionOutcome {
  /// What was done, if it was.
  public var value: Value? {
    guard case .done(let value) = self else { return nil }
    return value
  }

  /// The same outcome of something else.
  public func map<Other: Sendable>(_ body: (Value) throws -> Other) rethrows -> PermissionOutcome<Other> {
    switch self {
    case .done(let value): .done(try body(value))
    case .denied(let guide): .denied(guide)
    case .restricted(let guide): .restricted(guide)
    case .notNow: .notNow
    case .noAgent: .noAgent
    }
  }

  /// The same with another guide, where it has one.
  func withGuide(_ body: (Guide) -> Guide) -> PermissionOutcome {
    switch self {
    case .denied(let guide): .denied(body(guide))
    case .restricted(let guide): .restricted(body(guide))
    case .done, .notNow, .noAgent: self
    }
  }

  /// What to show the person, when it was refused.
  public var guide: Guide? {
    switch self {
    case .denied(let guide), .restricted(let guide): guide
    case .done, .notNow, .noAgent: nil
    }
  }
}
