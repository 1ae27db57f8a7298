import AlbumAPI
import CLinux
import Glibc
import TestSupport

/// What counts of a directory of photos, as the disk has it, to be compared with what a follower was told.
struct PhotoTree {
  /// Which file it is: numbers of inodes are used again, at other times.
  struct Identity: Hashable {
    let inode: UInt64
    let birth: Int64
  }

  /// A file with all its names that count.
  struct File: Hashable {
    var byteCount: Int64
    /// Microseconds since 1970.
    var modified: Int64
    /// Beneath the root.
    var paths: Set<String>

    /// The albums that it is in; the root is none (S47).
    var albums: [String] { Set(paths.map(Self.directory)).filter { !$0.isEmpty }.sorted() }
    var names: Set<String> { Set(paths.map { String($0.split(separator: "/").last ?? "") }) }

    private static func directory(of path: String) -> String {
      path.split(separator: "/").dropLast().joined(separator: "/")
    }
  }

  private(set) var files: [Identity: File] = [:]
  private(set) var albums: [String] = []
  /// Which file has a name.
  private(set) var identities: [String: Identity] = [:]

  init(_ root: String) {
    collect(root, "")
    albums.sort()
  }

  private mutating func collect(_ directory: String, _ album: String) {
    for name in entries(of: directory) where !name.hasPrefix(".") {
      var facts = linux_facts()
      let path = "\(directory)/\(name)"
      guard linux_look(AT_FDCWD, path, &facts) == 0 else { continue }
      let inner = album.isEmpty ? name : "\(album)/\(name)"
      switch mode_t(facts.mode) & S_IFMT {
      case S_IFDIR:
        albums.append(inner)
        collect(path, inner)
      case S_IFREG where name.hasSuffix(".jpg"):
        let identity = Identity(inode: facts.inode, birth: facts.birth)
        identities[inner] = identity
        files[
          identity, default: File(byteCount: facts.size, modified: facts.modified / 1000, paths: [])
        ].paths.insert(inner)
      default: break
      }
    }
  }

  // MARK: Comparing

  /// In what a copy is not this; `nil` when it is.
  func difference(_ follower: Follower) -> String? {
    let told = follower.albums.items.keys.compactMap(follower.path).sorted()
    if told != albums { return "albums \(told), not \(albums)" }
    var rest = files
    for asset in follower.assets.items.values {
      let file = rest.first { _, file in
        file.names.contains(asset.filename) && file.byteCount == asset.byteCount
          && file.modified == asset.modified.microseconds
          && file.albums == asset.albums.compactMap(follower.path).sorted()
      }
      guard let file else { return "\(asset) is told, and not there" }
      rest[file.key] = nil
    }
    return rest.isEmpty ? nil : "not told: \(rest.values)"
  }

  /// Which asset each path is, by what a follower was told, that agrees with this.
  func ids(_ follower: Follower) -> [String: String] {
    var ids: [String: String] = [:]
    for asset in follower.assets.items.values {
      let albums = asset.albums.compactMap(follower.path)
      let paths = albums.isEmpty ? [asset.filename] : albums.map { "\($0)/\(asset.filename)" }
      // Of several names only one is told; the others are names of the same file.
      guard let identity = paths.lazy.compactMap({ identities[$0] }).first else { continue }
      for path in files[identity]?.paths ?? [] { ids[path] = asset.id }
    }
    return ids
  }

  /// What the rule says against the ids that everything has after a writer (S39, docs/decisions/0071-several-names.md);
  /// empty when nothing.
  ///
  /// - Parameters:
  ///   - before: what was there before it, and the ids of that.
  ///   - ids: those of this.
  func violations(_ before: PhotoTree, _ former: [String: String], _ ids: [String: String]) -> [String] {
    var found: [String] = []
    for (identity, file) in before.files {
      guard let id = file.paths.lazy.compactMap({ former[$0] }).first else { continue }
      if let path = files[identity]?.paths.first {
        // First where the file is.
        if ids[path] != id { found.append("\(path) is the file of \(file.paths), and has another id") }
        continue
      }
      // Then what has its names, all of which are there: one file, or several, of which one has the id.
      guard file.paths.isSubset(of: identities.keys) else { continue }
      let heirs = Set(file.paths.compactMap { identities[$0] }).subtracting(before.files.keys)
      let keeping = heirs.filter { heir in files[heir]?.paths.contains { ids[$0] == id } ?? false }
      if !heirs.isEmpty, keeping.count != 1 {
        found.append("of \(file.paths), \(keeping.count) have the id")
      }
    }
    // What has a name that was not there has the id of nothing that is there by its own.
    let known = Dictionary(former.map { ($0.value, $0.key) }) { first, _ in first }
    for (path, id) in ids where before.identities[path] == nil {
      guard let other = known[id], let identity = identities[other], identity != identities[path] else {
        continue
      }
      found.append("\(path) has the id that \(other) had")
    }
    return found.sorted()
  }
}
