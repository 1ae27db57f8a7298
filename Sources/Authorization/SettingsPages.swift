/// The pages that owners' settings are opened at now, and to which of them an app is led (rule S15): to one of those whose
/// agents its prompts would go to (rule S46).
package struct SettingsPages<Handle: Hashable & Sendable>: Sendable {
  /// How many of a user are kept: the oldest makes way.
  package static var limit: Int { 4 }

  private struct Entry: Sendable {
    let handle: Handle
    let uid: UInt32
    let page: SettingsPage
  }

  /// In the order in which they came.
  private var entries: [Entry] = []

  /// None.
  package init() {}

  /// A user's process serves a page from now on.
  ///
  /// - Returns: whose does not count any more for that.
  package mutating func begin(_ handle: Handle, uid: UInt32, _ page: SettingsPage) -> Handle? {
    let own = entries.filter { $0.uid == uid }
    let oldest = own.count >= Self.limit ? own.first?.handle : nil
    if let oldest { end(oldest) }
    entries.append(Entry(handle: handle, uid: uid, page: page))
    return oldest
  }

  /// It does no more.
  package mutating func end(_ handle: Handle) { entries.removeAll { $0.handle == handle } }

  /// Where an app's person is led; nil where no page runs that is theirs.
  ///
  /// - Parameters:
  ///   - owners: as the configuration says now.
  ///   - counts: whether a page still counts, by who serves it.
  package func address(for app: AppKey, owners: OwnerRules, counts: (Handle) -> Bool) -> String? {
    let isOwn = owners.isOwner(app.uid)
    let entry = entries.last { entry in
      guard owners.isOwner(entry.uid), !isOwn || entry.uid == app.uid else { return false }
      // What one user's desktop opens is nothing to another's.
      return (entry.page != .desktop || entry.uid == app.uid) && counts(entry.handle)
    }
    return entry?.page.address(of: app)
  }
}
