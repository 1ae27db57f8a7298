/// What a decision is about: an app of a user, at one access level (rule S3).
package struct RecordKey: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The app, and whose it is.
  package let app: AppKey
  /// Each level has a record of its own (rule S2).
  package let accessLevel: AccessLevel

  /// The key of one record.
  package init(_ app: AppKey, _ accessLevel: AccessLevel) {
    self.app = app
    self.accessLevel = accessLevel
  }

  /// The same, of its parts.
  package init(uid: UInt32, appID: String, accessLevel: AccessLevel) {
    self.init(AppKey(uid: uid, appID: appID), accessLevel)
  }

  /// The user id of the peer.
  package var uid: UInt32 { app.uid }
  /// The app id.
  package var appID: String { app.appID }

  /// For a log.
  package var description: String { "\(appID) of user \(uid), \(accessLevel.rawValue)" }

  /// By user, app and level, for lists that read the same every time.
  package static func < (left: RecordKey, right: RecordKey) -> Bool {
    (left.app, left.accessLevel.rawValue) < (right.app, right.accessLevel.rawValue)
  }
}
