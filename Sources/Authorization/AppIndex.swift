/// Apps of users, found by what an owner names: without a look at all the others, of which there may be thousands.
package struct AppIndex: Hashable, Sendable {
  private var usersByID: [String: Set<UInt32>] = [:]
  /// How many apps each user has.
  private var counts: [UInt32: Int] = [:]
  /// The ids of program files, by the text of their path (``ExecutableEvidence/appID``).
  private var idsByPath: [String: Set<String>] = [:]

  /// Those of these apps.
  package init(_ apps: some Sequence<AppKey> = []) {
    for app in apps { insert(app) }
  }

  /// The users of all of them.
  package var users: Set<UInt32> { Set(counts.keys) }

  /// The users of those with that id.
  package func users(of appID: String) -> Set<UInt32> { usersByID[appID] ?? [] }

  /// The ids of those that are a program file at that path.
  ///
  /// - Parameter path: as ids have it.
  package func ids(at path: String) -> Set<String> { idsByPath[path] ?? [] }

  /// Adds one, unless it is there.
  package mutating func insert(_ app: AppKey) {
    guard usersByID[app.appID, default: []].insert(app.uid).inserted else { return }
    counts[app.uid, default: 0] += 1
    if let path = Self.path(in: app.appID) { idsByPath[path, default: []].insert(app.appID) }
  }

  /// Takes one out, where it is there.
  package mutating func remove(_ app: AppKey) {
    guard usersByID[app.appID]?.remove(app.uid) != nil else { return }
    let left = (counts[app.uid] ?? 1) - 1
    counts[app.uid] = left > 0 ? left : nil
    guard usersByID[app.appID]?.isEmpty ?? true else { return }
    usersByID[app.appID] = nil
    guard let path = Self.path(in: app.appID) else { return }
    idsByPath[path]?.remove(app.appID)
    if idsByPath[path]?.isEmpty ?? true { idsByPath[path] = nil }
  }

  private static func path(in id: String) -> String? {
    id.utf8.firstIndex(of: UInt8(ascii: "#")).map { String(id[..<$0]) }
  }
}
