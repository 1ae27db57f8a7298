internal import AlbumAPI

/// What a feed has to tell of access: that it was taken away from who had it, and that it is there (S70).
struct FeedAccess: Sendable {
  private var refusal: (status: AuthorizationStatus, token: PersistentChangeToken)?
  private var grant: AuthorizationStatus?

  /// The daemon refuses. From now on there is no place to go on from: what comes back is to be fetched anew.
  ///
  /// - Returns: whether there is something to tell: not to who never had access here, and not twice.
  mutating func refused(_ status: AuthorizationStatus, _ position: inout FeedPosition) -> Bool {
    grant = nil
    let token = position.token
    position.loseAll()
    guard let token else { return false }
    refusal = (status, token)
    return true
  }

  /// The daemon says that access is there.
  mutating func granted(_ status: AuthorizationStatus) { grant = status }

  /// What was taken away, once, and the last place that was known.
  mutating func takeRefusal() -> (status: AuthorizationStatus, token: PersistentChangeToken)? {
    defer { refusal = nil }
    return refusal
  }

  /// What was granted, once.
  mutating func takeGrant() -> AuthorizationStatus? {
    defer { grant = nil }
    return grant
  }
}
