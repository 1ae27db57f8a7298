import LibraryModel
import TestSupport
import Testing

/// Which id a file keeps (S39), at random, against a model that knows only what the rule says: an asset goes with
/// its file; where the file is nowhere any more, it stays with its name, whatever was renamed or written there.
@Suite("Which id a file keeps, at random")
struct IdentityPropertyTests {
  /// How many histories; those that once failed stay for good. `IDENTITY_SEEDS=1000-3000` runs those instead.
  private static let seeds =
    StormSeeds.given(by: "IDENTITY_SEEDS")
    ?? Array(1...100) + Array(10_000..<10_100)
    + [134, 142, 144, 196, 220, 243, 254, 1145, 1263, 1673, 10_710, 11_435, 12_367]

  /// What is there, in terms of the rule.
  private struct Picture {
    /// Directories by inode: their place, and the album's id.
    var directories: [UInt64: (parent: UInt64, name: String, id: AlbumID?)] = [:]
    /// Files by inode: their place, and the asset's id.
    var files: [UInt64: (parent: UInt64, name: String, id: AssetID?)] = [:]

    private static let root: UInt64 = 1

    init(_ library: MemoryLibrary) {
      var open: [(UInt64, String)] = [(Self.root, "")]
      while let (directory, path) = open.popLast() {
        for (name, child) in library.disk.inodes[directory]?.children ?? [:] {
          let childPath = path + name.description
          if library.disk.inodes[child]?.isDirectory == true {
            guard !childPath.hasPrefix(".") else { continue }
            directories[child] = (directory, name.description, library.album(childPath))
            open.append((child, childPath + "/"))
          } else if !name.description.hasPrefix(".") {
            files[child] = (directory, name.description, library.asset(childPath)?.id)
          }
        }
      }
    }

    /// The ids that everything should have that had one in `before`: by inode, `nil` for a new one.
    func expected(after before: Picture) -> (albums: [UInt64: AlbumID?], assets: [UInt64: AssetID?]) {
      // Which directory each one continues: itself, or the one that it was made anew for.
      var continued: [UInt64: UInt64] = [Self.root: Self.root]
      for inode in directories.keys where before.directories[inode] != nil { continued[inode] = inode }
      var isChanging = true
      while isChanging {
        isChanging = false
        for (inode, place) in directories where continued[inode] == nil {
          guard let parent = continued[place.parent] else { continue }
          let former = before.directories.first { $0.value.parent == parent && $0.value.name == place.name }
          guard let former, directories[former.key] == nil else { continue }
          continued[inode] = former.key
          isChanging = true
        }
      }
      let albums = directories.keys.map { ($0, continued[$0].flatMap { before.directories[$0]?.id }) }
      var assets: [UInt64: AssetID?] = [:]
      for (inode, place) in files {
        let former = before.files.first {
          $0.value.parent == continued[place.parent] && $0.value.name == place.name
        }
        let own = before.files[inode]?.id
        let named = former.flatMap { files[$0.key] == nil ? $0.value.id : nil }
        // In another directory than the one that had the name, nothing was saved over.
        assets[inode] = continued[place.parent] == place.parent ? named ?? own : own ?? named
      }
      return (Dictionary(uniqueKeysWithValues: albums), assets)
    }
  }

  @Test(
    "S39: whatever happened while nobody listened, an asset goes with its file, or stays with its name",
    arguments: seeds, [false, true])
  func untold(seed: UInt64, isReversed: Bool) throws {
    var random = SeededGenerator(seed: seed)
    let library = MemoryLibrary()
    library.isListingReversed = isReversed
    library.isHurried = seed.isMultiple(of: 2)
    for path in ["a", "b", "a/c"] { library.disk.mkdir(path) }
    for step in 0..<12 {
      library.disk.write("\(["", "a/", "b/", "a/c/"][step % 4])\(step / 4).jpg", Int64(step))
    }
    try library.rescan()
    for round in 0..<12 {
      let before = Picture(library)
      for step in 0..<Int.random(in: 1..<12, using: &random) {
        operation(library.disk, Int64(round * 100 + step), replaces: seed >= 10_000, &random)
      }
      try library.rescan()
      try library.rescan()
      let now = Picture(library)
      let (albums, assets) = now.expected(after: before)
      for (inode, directory) in now.directories {
        try check(
          directory.id, albums[inode] ?? nil, before.directories.values.map(\.id), directory.name, seed)
      }
      for (inode, file) in now.files {
        try check(file.id, assets[inode] ?? nil, before.files.values.map(\.id), file.name, seed)
      }
      // What has gone is not remembered by its name from one round to the next.
      library.librarian.context.now += 60_000_000
    }
  }

  private func check<ID: Equatable>(
    _ id: ID?, _ expected: ID?, _ before: [ID?], _ name: String, _ seed: UInt64
  ) throws {
    let id = try #require(id, "\(name) is known, seed \(seed)")
    if let expected {
      #expect(id == expected, "\(name), seed \(seed)")
    } else {
      #expect(!before.contains(id), "\(name) is new, seed \(seed)")
    }
  }

  @Test("S39: what is told as it happens keeps its id as renames and saves say", arguments: 1...60)
  func told(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let library = MemoryLibrary()
    for path in ["a", "b"] { library.disk.mkdir(path) }
    try library.rescan()
    var ids: [String: AssetID] = [:]
    for step in 0..<120 {
      let (one, other) = (file(&random), file(&random))
      library.librarian.context.now += 60_000_000
      switch Int.random(in: 0..<7, using: &random) {
      case 0, 1:
        guard library.disk.write(one, Int64(step)) else { continue }
        try library.hint(one)
      case 2, 3:
        guard library.disk.rename(one, other) else { continue }
        try library.moved(one, other)
        // Over another, it is a save of that one.
        let moved = ids.removeValue(forKey: one)
        ids[other] = ids[other] ?? moved
      case 4:
        guard library.disk.exchange(one, other) else { continue }
        try library.moved(one, other)
        try library.moved(other, one)
        (ids[one], ids[other]) = (ids[other], ids[one])
      case 5:
        guard library.disk.remove(one) else { continue }
        try library.hint(one)
        ids[one] = nil
      default:
        library.disk.write(".t", Int64(step))
        guard library.disk.rename(".t", one) else { continue }
        try library.hint(one, .renamed)
      }
      for (path, id) in library.indexed {
        #expect(ids[path] ?? id == id, "\(path), step \(step), seed \(seed)")
        if ids[path] == nil {
          #expect(!ids.values.contains(id), "\(path) is new, step \(step), seed \(seed)")
        }
      }
      ids = library.indexed
    }
  }

  private func file(_ random: inout SeededGenerator) -> String {
    let directory = ["", "a/", "b/", "a/c/"].randomElement(using: &random) ?? ""
    return "\(directory)\(Int.random(in: 0..<5, using: &random)).jpg"
  }

  /// - Parameter replaces: whether directories are replaced by others with files in them; the histories that were kept
  ///   before this was done must stay what they were.
  private func operation(
    _ disk: MemoryDisk, _ step: Int64, replaces: Bool, _ random: inout SeededGenerator
  ) {
    let (one, other) = (file(&random), file(&random))
    let directory = ["a", "b", "a/c", "d"].randomElement(using: &random) ?? "a"
    let (place, second) = (
      ["a", "b", "d", "a/d", "b/c"].randomElement(using: &random) ?? "a",
      Bool.random(using: &random) ? "a" : "b"
    )
    switch Int.random(in: 0..<(replaces ? 13 : 12), using: &random) {
    case 0, 1: disk.write(one, step)
    case 2...4: disk.rename(one, other)
    case 5: disk.exchange(one, other)
    case 6: disk.remove(one)
    case 7:
      disk.write(".t", step)
      disk.rename(".t", one)
    case 8: disk.mkdir(Bool.random(using: &random) ? place : "b/c")
    case 9: disk.rename(directory, place)
    case 10: disk.exchange(second, place)
    case 12:
      disk.mkdir(".n")
      disk.rename(one, ".n/\(step % 5).jpg")
      disk.rename(other, ".n/\(step % 3).jpg")
      disk.remove(directory)
      disk.rename(".n", directory)
    default:
      disk.rename(directory, "e\(step)")
      disk.mkdir(directory)
    }
  }
}
