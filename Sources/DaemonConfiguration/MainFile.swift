import Authorization
import Yams

/// `albumd.yaml`.
struct MainFile {
  let roots: [Configuration.Root]
  let owners: OwnerRules
  let state: String
  let saveTo: String
  let limits: Configuration.Limits
  let journal: Configuration.Journal
  let recentlyDeletedDays: Int
  let accessLogKeepDays: Int
  let previewCacheBytes: Int
  let expireUnusedAfterDays: Int?
  let contentHashes: Bool

  init?(
    _ document: Document, defaultState: String, accounts: Accounts, _ errors: inout FileErrors
  ) {
    let file = document.file
    guard
      let top = MappingReader(
        document.root, file: file, what: "the configuration",
        keys: [
          "roots", "owners", "state", "saveTo", "limits", "journal", "recentlyDeletedDays", "accessLog",
          "grants", "previews", "contentHashes",
        ], &errors)
    else { return nil }
    roots = top.required("roots", &errors).map { readRoots($0, file, &errors) } ?? []
    owners = readOwners(top, accounts, &errors)

    let state =
      top.string("state", &errors).flatMap { absolutePath($0, "state", top, &errors) } ?? defaultState
    self.state = state
    if let root = roots.first(where: { isSame(state, orBeneath: $0.path) }) {
      errors.append(
        .at(
          top.place("state"), file, .invalidValue,
          "the state directory \(state) is inside the root \(root.path); it must be outside of every root"))
    }
    let saveTo = top.string("saveTo", &errors) ?? "Saved"
    self.saveTo = saveTo
    if !isAlbumPath(saveTo), let node = top.value("saveTo") {
      errors.append(
        .at(
          node, file, .invalidValue, "expected the path of an album beneath the root, found \(quoted(saveTo))"
        ))
    }

    var limits = Configuration.Limits()
    if let node = top.value("limits"),
      let map = MappingReader(
        node, file: file, what: "limits",
        keys: [
          "messageBytes", "connectionsPerUser", "connections", "addBytes", "albumsPerApp", "albumDepth",
          "reserveBytes", "addBytesPerDay", "addFilesPerDay",
        ], &errors)
    {
      limits.messageBytes = map.int(
        "messageBytes", default: limits.messageBytes, in: 1024...(64 << 20), &errors)
      limits.connectionsPerUser = map.int(
        "connectionsPerUser", default: limits.connectionsPerUser, in: 1...1_000_000, &errors)
      limits.connections = map.int(
        "connections", default: limits.connections, in: 1...1_000_000, &errors)
      limits.addBytes = map.int("addBytes", default: limits.addBytes, in: 1...(1 << 50), &errors)
      limits.addBytesPerDay = map.int(
        "addBytesPerDay", default: limits.addBytesPerDay, in: 1...(1 << 50), &errors)
      limits.addFilesPerDay = map.int(
        "addFilesPerDay", default: limits.addFilesPerDay, in: 1...1_000_000_000, &errors)
      limits.albumsPerApp = map.int(
        "albumsPerApp", default: limits.albumsPerApp, in: 0...1_000_000, &errors)
      limits.albumDepth = map.int("albumDepth", default: limits.albumDepth, in: 1...256, &errors)
      limits.reserveBytes = map.int(
        "reserveBytes", default: limits.reserveBytes, in: 0...(1 << 50), &errors)
    }
    self.limits = limits

    var journal = Configuration.Journal()
    if let node = top.value("journal"),
      let map = MappingReader(node, file: file, what: "journal", keys: ["keepDays", "keepChanges"], &errors)
    {
      journal.keepDays = map.int("keepDays", default: journal.keepDays, in: 1...3650, &errors)
      journal.keepChanges = map.int(
        "keepChanges", default: journal.keepChanges, in: 1...100_000_000, &errors)
    }
    self.journal = journal
    recentlyDeletedDays = top.int("recentlyDeletedDays", default: 30, in: 1...3650, &errors)
    accessLogKeepDays =
      readGroup("accessLog", ["keepDays"], top, &errors)?
      .int("keepDays", default: 90, in: 0...3650, &errors) ?? 90
    previewCacheBytes =
      readGroup("previews", ["cacheBytes"], top, &errors)?
      .int("cacheBytes", default: 2 << 30, in: 0...(1 << 50), &errors) ?? 2 << 30
    contentHashes = top.bool("contentHashes", default: true, &errors)
    let grants = readGroup("grants", ["expireUnusedAfterDays"], top, &errors)
    expireUnusedAfterDays =
      grants?.value("expireUnusedAfterDays") == nil
      ? nil : grants?.int("expireUnusedAfterDays", default: 90, in: 1...3650, &errors)
  }
}

/// The mapping of a key that is a group of keys.
private func readGroup(
  _ key: String, _ keys: [String], _ top: MappingReader, _ errors: inout FileErrors
) -> MappingReader? {
  top.value(key).flatMap { MappingReader($0, file: top.file, what: key, keys: keys, &errors) }
}

private func readRoots(
  _ node: Node, _ file: String, _ errors: inout FileErrors
) -> [Configuration.Root] {
  guard case .sequence(let items) = node, !items.isEmpty else {
    errors.append(.at(node, file, .wrongType, "expected a list of at least one root for “roots”"))
    return []
  }
  var roots: [Configuration.Root] = []
  for item in items {
    guard
      let map = MappingReader(
        item, file: file, what: "a root", keys: ["path", "shared", "requireMountPoint"], &errors)
    else { continue }
    let shared = map.strings("shared", &errors) ?? []
    for album in shared where !isAlbumPath(album.text) {
      errors.append(
        .at(
          album.node, file, .invalidValue,
          "expected the path of an album beneath the root, found \(quoted(album.text))"))
    }
    let requireMountPoint = map.bool("requireMountPoint", default: false, &errors)
    guard map.required("path", &errors) != nil, let written = map.string("path", &errors),
      let path = absolutePath(written, "path", map, &errors)
    else { continue }
    if let other = roots.first(where: {
      isSame(path, orBeneath: $0.path) || isSame($0.path, orBeneath: path)
    }) {
      errors.append(
        .at(map.place("path"), file, .invalidValue, "the roots \(other.path) and \(path) overlap; keep one"))
    }
    roots.append(.init(path: path, shared: shared.map(\.text), requireMountPoint: requireMountPoint))
  }
  return roots
}

private func readOwners(
  _ top: MappingReader, _ accounts: Accounts, _ errors: inout FileErrors
) -> OwnerRules {
  guard let node = top.value("owners"),
    let map = MappingReader(node, file: top.file, what: "owners", keys: ["users", "groups"], &errors)
  else { return OwnerRules() }
  let people = readPeople(map, accounts, &errors)
  return OwnerRules(users: people.users, groups: people.groups, uids: people.uids)
}

/// The users and groups that a mapping names; an error for each that does not exist.
func readPeople(
  _ map: MappingReader, _ accounts: Accounts, _ errors: inout FileErrors
) -> (users: [String], groups: [String], uids: Set<UInt32>) {
  let users = map.strings("users", &errors) ?? []
  let groups = map.strings("groups", &errors) ?? []
  var uids: Set<UInt32> = []
  for (name, node) in users {
    do throws(AccountError) {
      if let uid = try accounts.user(name) {
        uids.insert(uid)
      } else {
        errors.append(.at(node, map.file, .invalidValue, "there is no user \(quoted(name))"))
      }
    } catch {
      errors.append(
        .at(node, map.file, .invalidValue, "the user \(quoted(name)) cannot be looked up: \(error)"))
    }
  }
  for (name, node) in groups {
    do throws(AccountError) {
      if let members = try accounts.group(name) {
        uids.formUnion(members)
      } else {
        errors.append(.at(node, map.file, .invalidValue, "there is no group \(quoted(name))"))
      }
    } catch {
      errors.append(
        .at(node, map.file, .invalidValue, "the group \(quoted(name)) cannot be looked up: \(error)"))
    }
  }
  return (users.map(\.text), groups.map(\.text), uids)
}

/// The path without a slash at its end; nil after an error.
func absolutePath(
  _ path: String, _ key: String, _ map: MappingReader, _ errors: inout FileErrors
) -> String? {
  let parts = path.split(separator: "/", omittingEmptySubsequences: true)
  guard path.hasPrefix("/"), !parts.isEmpty, !parts.contains("."), !parts.contains("..") else {
    errors.append(
      .at(
        map.value(key) ?? map.node, map.file, .invalidValue,
        "expected an absolute path without “.” and “..” for “\(key)”, found \(quoted(path))"))
    return nil
  }
  return "/" + parts.joined(separator: "/")
}

private func isSame(_ path: String, orBeneath directory: String) -> Bool {
  path == directory || path.hasPrefix(directory + "/")
}

/// A relative path whose parts are names of albums: none starts with a dot (rule S40).
private func isAlbumPath(_ path: String) -> Bool {
  let parts = path.split(separator: "/", omittingEmptySubsequences: false)
  return parts.allSatisfy { !$0.isEmpty && !$0.hasPrefix(".") && $0.utf8.count <= 255 }
}
