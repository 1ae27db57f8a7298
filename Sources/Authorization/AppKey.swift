/// An app of one user: whom sightings, counts and the access log are about.
package struct AppKey: Hashable, Comparable, Sendable {
  /// The user id of the peer.
  package let uid: UInt32
  /// The app id, as `IdentityResolver` finds it.
  package let appID: String

  /// The app of that user.
  package init(uid: UInt32, appID: String) {
    self.uid = uid
    self.appID = appID
  }

  /// What is decided about it at that level.
  package func record(_ level: AccessLevel) -> RecordKey { RecordKey(self, level) }

  /// What is decided about it, at every level.
  package var records: [RecordKey] { AccessLevel.allCases.map(record) }

  /// By user, then app.
  package static func < (left: AppKey, right: AppKey) -> Bool {
    (left.uid, left.appID) < (right.uid, right.appID)
  }
}
