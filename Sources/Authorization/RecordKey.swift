/// What a decision is about: an app of a user, at one access level (rule S3).
package struct RecordKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The user id of the peer.
  package let uid: UInt32
  /// The app id, as `IdentityResolver` finds it.
  package let appID: String
  /// Each level has a record of its own (rule S2).
  package let accessLevel: AccessLevel

  /// The key of one record.
  package init(uid: UInt32, appID: String, accessLevel: AccessLevel) {
    self.uid = uid
    self.appID = appID
    self.accessLevel = accessLevel
  }

  /// For a log.
  package var description: String { "\(appID) of user \(uid), \(accessLevel.rawValue)" }

  /// By user, app and level, for lists that read the same every time.
  package static func < (left: RecordKey, right: RecordKey) -> Bool {
    (left.uid, left.appID, left.accessLevel.rawValue) < (right.uid, right.appID, right.accessLevel.rawValue)
  }
}
