/// Who owns the library (rule S44).
package struct OwnerRules: Hashable, Sendable {
  /// User names as written in the configuration.
  package let users: [String]
  /// Group names as written.
  package let groups: [String]
  /// The ids of all of them, and root's.
  package let uids: Set<UInt32>

  /// The users named, the members of the groups named, and root. Names are resolved by the caller.
  package init(users: [String] = [], groups: [String] = [], uids: Set<UInt32> = []) {
    self.users = users
    self.groups = groups
    self.uids = uids.union([0])
  }

  /// Whether that user is an owner.
  package func isOwner(_ uid: UInt32) -> Bool { uids.contains(uid) }

  /// Whether the peer may register as an agent and manage: an unsandboxed process of an owner that no
  /// manifest identifies as an app, or whose manifest says `manages: true` (rule S44).
  package func mayActAsOwner(_ identity: PeerIdentity) -> Bool {
    !identity.isSandboxed && isOwner(identity.uid) && identity.manifest?.manages ?? true
  }
}
